import type { Readable } from 'node:stream'
import type { AuditReport } from '../../admin/audit/verify.ts'
import { readSettings } from '../../app/settings.ts'
import type { JsonObject } from '../../scim/json.ts'
import { isObject, own } from '../../scim/json.ts'
import { DatabaseInUse } from '../../store/errors.ts'
import type { CommandIo } from '../terminal/io.ts'
import type { AdminClient, AdminClientOptions } from './admin-client.ts'
import { AdminApiError, logIn } from './admin-client.ts'
import type { ManagedService } from './managed-service.ts'
import { openDatabase } from './open-database.ts'
import type { ManagementArguments } from './options.ts'

/**
 * Opens the database of the service or, when a running service uses the file of an embedded database, logs in to its admin
 * API.
 *
 * @throws Error with a message for the operator when neither works
 */
export async function openManagedService(
  { url, email }: ManagementArguments,
  { env, signal }: Pick<CommandIo, 'env' | 'signal'>,
): Promise<ManagedService> {
  const settings = readSettings(env)
  try {
    return await openDatabase(settings)
  } catch (error) {
    if (!(error instanceof DatabaseInUse)) throw error
    const { ADMIN_ROOT_TOKEN: rootToken, PORT } = settings
    if (rootToken === undefined) throw new Error(noRootToken, { cause: error })
    return connectToService({ baseUrl: url ?? `http://localhost:${PORT}`, rootToken, email, signal })
  }
}

const noRootToken = `A running service uses the database file, so this command calls its admin API, which requires ADMIN_ROOT_TOKEN.
Set it for the service and for this command, or stop the service and try again.`

/** Logs in to the admin API of a running service; disposing of the result logs out. */
async function connectToService(options: AdminClientOptions): Promise<ManagedService> {
  const client = await logIn(options)
  return {
    where: `the service at ${options.baseUrl}`,
    async verify(end) {
      const query = end === undefined ? '' : `?end=${encodeURIComponent(end)}`
      return reportOf(await dataOf(client, 'GET', `/event/verify${query}`))
    },
    async *exportAudit() {
      const lines: Readable = await client.call('GET', '/event/export')
      for await (const piece of lines.setEncoding('utf8')) yield String(piece)
    },
    async rotateKeys() {
      const resealed = own(await dataOf(client, 'POST', '/rotate-keys'), 'resealed')
      return typeof resealed === 'number' ? resealed : unknownResponse()
    },
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  }
}

async function dataOf(client: AdminClient, method: 'GET' | 'POST', path: string) {
  const response: unknown = await (await client.call(method, path)).json()
  const data = isObject(response) ? own(response, 'data') : undefined
  return isObject(data) ? data : unknownResponse()
}

/** Accepts a report of this version's form: a response of another kind of server is rejected. */
function reportOf(data: JsonObject): AuditReport {
  const part = own(data, own(data, 'ok') === true ? 'end' : 'break')
  const isReport = isObject(part) && typeof own(part, 'sequence') === 'number'
  return isReport ? (data as unknown as AuditReport) : unknownResponse()
}

function unknownResponse(): never {
  throw new AdminApiError('The service sent a response that this version of Rollcall does not understand.')
}
