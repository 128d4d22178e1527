import type { Readable } from 'node:stream'
import type { AuditReport } from '../../admin/audit/verify.ts'
import type { JsonObject } from '../../scim/json.ts'
import { isObject, own } from '../../scim/json.ts'
import type { AdminClient, AdminClientOptions } from './admin-client.ts'
import { AdminApiError, logIn } from './admin-client.ts'
import type { ManagedService } from './managed-service.ts'

/** Logs in to a running service, to manage it over its admin API; disposing of it logs out. */
export async function askService(options: AdminClientOptions): Promise<ManagedService> {
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
      return typeof resealed === 'number' ? resealed : unknownForm()
    },
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  }
}

async function dataOf(client: AdminClient, method: 'GET' | 'POST', path: string) {
  const answer: unknown = await (await client.call(method, path)).json()
  const data = isObject(answer) ? own(answer, 'data') : undefined
  return isObject(data) ? data : unknownForm()
}

/** A service of this version answers what the terminal shows; that something else answers is noticed. */
function reportOf(data: JsonObject): AuditReport {
  const part = own(data, own(data, 'ok') === true ? 'end' : 'break')
  const isReport = isObject(part) && typeof own(part, 'sequence') === 'number'
  return isReport ? (data as unknown as AuditReport) : unknownForm()
}

function unknownForm(): never {
  throw new AdminApiError('The service answered in a form that this version of Rollcall does not know.')
}
