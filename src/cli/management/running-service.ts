import type { Readable } from 'node:stream'
import type { AuditReport } from '../../admin/audit/verify.ts'
import type { JsonObject } from '../../scim/json.ts'
import { isObject, own } from '../../scim/json.ts'
import type { AdminClient, AdminClientOptions } from './admin-client.ts'
import { AdminApiError, logIn } from './admin-client.ts'
import type { ManagedService } from './managed-service.ts'

/** Logs in to the admin API of a running service; disposing of the result logs out. */
export async function connectToService(options: AdminClientOptions): Promise<ManagedService> {
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
