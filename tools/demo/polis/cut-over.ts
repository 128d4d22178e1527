import type { RunningServer } from '../../../src/app/server.ts'
import { importIntoDatabase } from '../../../src/polis/import/command/into-database.ts'
import { openPolisSource } from '../../../src/polis/import/source/open.ts'
import type { AddressProxy } from './proxy.ts'

type Mode = Parameters<typeof importIntoDatabase>[0]['mode']
type Report = Awaited<ReturnType<typeof importIntoDatabase>>

export interface CutOverOptions {
  /** The database of Polis. */
  readonly from: string
  readonly key: string
  /** The database of Rollcall. */
  readonly databaseUrl: string
  readonly proxy: AddressProxy
  /** Starts Rollcall; returns the address that it listens on. */
  readonly startService: () => Promise<{ readonly server: RunningServer; readonly origin: string }>
}

export interface CutOver {
  readonly server: RunningServer
  /** The second run, with what had changed since the first one. */
  readonly applied: Report
  readonly verified: Report
  /** How long requests were answered with 503. */
  readonly windowMs: number
}

/** Runs an import as `rollcall import polis` does. */
export async function runImport(
  { from, key, databaseUrl }: Pick<CutOverOptions, 'from' | 'key' | 'databaseUrl'>,
  mode: Mode,
): Promise<Report> {
  const source = await openPolisSource({ from, key })
  try {
    return await importIntoDatabase({ mode, source, from, databaseUrl, encryptionKey: undefined })
  } finally {
    await source.close()
  }
}

/** Freezes the address, brings what has changed since the last run, compares both sides, and switches to Rollcall. */
export async function cutOver(options: CutOverOptions): Promise<CutOver> {
  const { proxy, startService } = options
  const startedAt = performance.now()
  await proxy.freeze()
  const applied = await runImport(options, 'apply')
  const verified = await runImport(options, 'verify')
  const { server, origin } = await startService()
  proxy.switchTo(origin)
  return { server, applied, verified, windowMs: performance.now() - startedAt }
}
