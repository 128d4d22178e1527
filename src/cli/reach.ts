import type { Settings } from '../app/settings.ts'
import { readSettings } from '../app/settings.ts'
import { DatabaseInUse } from '../store/errors.ts'
import type { ApiClientOptions } from './api-client.ts'
import type { CommandIo } from './terminal/io.ts'

/** The options for reaching a running service. */
export interface Reach {
  /** Without a trailing slash. */
  readonly url: string | undefined
  readonly apiKey: string | undefined
}

/** The two sources of a command's answer. */
export interface Sources<T> {
  service(options: ApiClientOptions): T
  database(settings: Settings): Promise<T>
}

/**
 * Asks the service if an API key or an address is passed, otherwise the database itself.
 *
 * @throws Error with a message for the operator when neither works
 */
export async function openSource<T>(
  { url, apiKey }: Reach,
  { env, signal }: CommandIo,
  { service, database }: Sources<T>,
): Promise<T> {
  const key = apiKey ?? env['ROLLCALL_API_KEY']
  const baseUrl = serviceAddress(url, env)
  if (key !== undefined && key !== '') return service({ baseUrl, apiKey: key, signal })
  if (url !== undefined) throw new Error(noKey)
  try {
    return await database(readSettings(env))
  } catch (error) {
    if (error instanceof DatabaseInUse) throw new Error(noKey, { cause: error })
    throw error
  }
}

/** The address of the service, without a trailing slash. */
export function serviceAddress(url: string | undefined, env: CommandIo['env']): string {
  return url?.replace(/(?<!\/)\/+$/, '') ?? `http://localhost:${env['PORT'] ?? '5225'}`
}

const noKey = 'A running service is asked with an API key: pass --api-key <key>, or set ROLLCALL_API_KEY.'
