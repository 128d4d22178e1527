import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { polisLibrary, polisVersion } from '../../../../tools/polis/library.ts'
import type { PolisOptions, RunningPolis } from '../../../../tools/polis/polis.ts'
import { startPolis } from '../../../../tools/polis/polis.ts'
import { startPostgres } from '../../../support/postgres.ts'

/** Polis' library in a temporary folder, which is removed at the end. */
export interface InstalledLibrary extends AsyncDisposable {
  /** The address of its module. */
  readonly url: string
}

/** Installs Polis' library from npm's registry, which takes 250 MB and about a minute. */
export async function installPolisLibrary(): Promise<InstalledLibrary> {
  const folder = await mkdtemp(join(tmpdir(), 'rollcall-polis-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    await writeFile(join(folder, 'package.json'), '{"private":true}')
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock']
    const argv = ['install', '--prefix', folder, ...flags, `${polisLibrary}@${polisVersion}`]
    await promisify(execFile)('npm', argv, { cwd: folder })
    const file = createRequire(join(folder, 'package.json')).resolve(polisLibrary)
    return { url: pathToFileURL(file).href, [Symbol.asyncDispose]: remove }
  } catch (error) {
    await remove()
    throw error
  }
}

/** A running Polis on an empty PostgreSQL database of its own, which is dropped at the end. */
export interface LivePolis extends RunningPolis {
  readonly databaseUrl: string
  /** Calls Polis' API; `path` is below `/api/v1/dsync`. */
  api(method: string, path: string, body?: unknown): Promise<PolisAnswer>
  /** Sends a SCIM request to a directory with its secret. */
  scim(directory: LiveDirectory, method: string, path: string, body?: unknown): Promise<PolisAnswer>
  createDirectory(fields: Readonly<Record<string, unknown>>): Promise<LiveDirectory>
}

export interface LiveDirectory {
  readonly id: string
  readonly scim: { readonly path: string; readonly secret: string }
}

/** A response of Polis, which has any shape. */
export interface PolisAnswer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: a missing field fails the test
  readonly body: any
}

export async function startLivePolis(
  options: Omit<PolisOptions, 'databaseUrl'> & { readonly library: string },
): Promise<LivePolis> {
  const database = await startPostgres({ isEmpty: true })
  try {
    const polis = await startPolis({ ...options, databaseUrl: database.url })
    const send = async (method: string, path: string, authorization: string, body?: unknown): Promise<PolisAnswer> => {
      const headers = { authorization, 'content-type': 'application/json' }
      const response = await fetch(polis.url + path, {
        method,
        headers,
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      return { status: response.status, body: await response.json() }
    }
    const api: LivePolis['api'] = (method, path, body) =>
      send(method, `/api/v1/dsync${path}`, `Api-Key ${polis.apiKey}`, body)
    return {
      ...polis,
      databaseUrl: database.url,
      api,
      scim: ({ scim: { path: base, secret } }, method, path, body) =>
        send(method, base + path, `Bearer ${secret}`, body),
      async createDirectory(fields) {
        const { id, scim } = (await api('POST', '', fields)).body.data
        return { id, scim: { ...scim, path: scim.path.replace('/?aadOptscim062020', '') } }
      },
      async [Symbol.asyncDispose]() {
        await polis[Symbol.asyncDispose]()
        await database[Symbol.asyncDispose]()
      },
    }
  } catch (error) {
    await database[Symbol.asyncDispose]()
    throw error
  }
}
