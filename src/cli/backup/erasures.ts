import { readFile } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { openService } from '../../app/open-service.ts'
import { unobserved } from '../../app/service-options.ts'
import type { Settings } from '../../app/settings.ts'
import { systemCaller } from '../../directory/audit.ts'
import { DirectoryError } from '../../directory/errors.ts'
import type { ErasureToRepeat } from '../../privacy/erase.ts'
import { findReceipts } from '../../privacy/receipt.ts'
import { countOf } from '../terminal/quantity.ts'

/** The result of repeating erasures. */
export interface RepeatedErasures {
  /** The number of those that the database did not know, and that were repeated. */
  readonly repeated: number
  /** A sentence for each that could not be repeated. */
  readonly problems: readonly string[]
}

/**
 * The erasures whose receipts are in a file, whatever else it has.
 *
 * @throws Error when there is none
 */
export async function readErasures(file: string): Promise<ErasureToRepeat[]> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new Error(`${file} cannot be read: name a file that this user can read.`, { cause })
  })
  const found = erasuresIn(text)
  if (found.length > 0) return found
  throw new Error(
    `${file} has no receipt of an erasure: pass the response of GET /api/v1/directory-sync/privacy/erasures.`,
  )
}

/** The erasures of an embedded database that nobody uses; none if it cannot be read. */
export function erasuresOf(database: string): ErasureToRepeat[] {
  try {
    // Immutable: opening it as a database in use would leave files beside it.
    const url = pathToFileURL(database)
    url.searchParams.set('immutable', '1')
    using db = new DatabaseSync(url, { readOnly: true })
    const rows = db.prepare('select receipt from erasures where receipt is not null').all()
    return erasuresIn(rows.map(({ receipt }) => String(receipt)).join('\n'))
  } catch {
    return []
  }
}

function erasuresIn(text: string): ErasureToRepeat[] {
  return findReceipts(text).map(({ jti: id, tenant, product, users, text: receipt }) => ({
    ...{ id, tenant, product, text: receipt },
    users: users.map((user) => ({ directoryId: user.directory_id, userId: user.id })),
  }))
}

/** Repeats erasures in a database that no service uses. Nothing is delivered meanwhile. */
export async function repeatErasures(
  settings: Settings,
  erasures: readonly ErasureToRepeat[],
): Promise<RepeatedErasures> {
  const ignore = () => {}
  const service = await openService({
    settings,
    externalUrl: () => settings.EXTERNAL_URL ?? `http://localhost:${settings.PORT}`,
    log: { info: ignore, warn: ignore, error: ignore },
    observer: unobserved,
  })
  try {
    let repeated = 0
    const problems: string[] = []
    for (const erasure of erasures) {
      try {
        if (await service.privacy.repeat(erasure, systemCaller('rollcall restore'))) repeated += 1
      } catch (error) {
        if (!(error instanceof DirectoryError)) throw error
        problems.push(`The erasure ${erasure.id} could not be repeated: ${error.message}`)
      }
    }
    return { repeated, problems }
  } finally {
    await service.close()
  }
}

/** The result, for the operator. */
export function repeatedText({ repeated, problems }: RepeatedErasures, total: number): string {
  const others = total - repeated - problems.length
  const known = others === 0 ? '' : ` The database has nothing about the ${countOf(others, 'other')}, or knows of it.`
  return [`${countOf(repeated, 'erasure')} repeated.${known}`, ...problems].map((line) => `${line}\n`).join('')
}
