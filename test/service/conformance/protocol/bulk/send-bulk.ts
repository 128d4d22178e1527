import assert from 'node:assert/strict'
import type { Answer, Loose } from '../../../../support/client.ts'
import type { Provider } from '../../requirement.ts'
import { bulkRequest, group, user } from '../support/messages.ts'

/** What a bulk job tells of one of its operations. */
export interface BulkResult {
  readonly method: string
  readonly bulkId?: string
  readonly version?: string
  readonly location?: string
  readonly status: string
  readonly response?: Loose
}

/** Sends a bulk job; the fields go beside its operations. */
export function sendBulk(
  provider: Provider,
  operations: unknown,
  fields?: Readonly<Record<string, unknown>>,
): Promise<Answer> {
  return provider.send('POST', '/Bulk', bulkRequest(operations, fields))
}

/** Sends a bulk job that is done, whatever becomes of its operations: what it tells of each. */
export async function bulkResults(
  provider: Provider,
  operations: readonly unknown[],
  fields?: Readonly<Record<string, unknown>>,
): Promise<readonly BulkResult[]> {
  const { status, body, text } = await sendBulk(provider, operations, fields)
  assert.equal(status, 200, text)
  return (body as unknown as { readonly Operations: readonly BulkResult[] }).Operations
}

/** Sends a bulk job that is done: the status of each of its operations. */
export async function bulkStatuses(...job: Parameters<typeof bulkResults>): Promise<string[]> {
  return (await bulkResults(...job)).map(({ status }) => status)
}

/** An operation that creates a user who is called what it is. */
export function postUser(bulkId: string, fields?: Readonly<Record<string, unknown>>) {
  return { method: 'POST', path: '/Users', bulkId, data: user(bulkId, fields) }
}

/** An operation that creates a group that is called what it is. */
export function postGroup(bulkId: string, ...memberIds: readonly string[]) {
  return { method: 'POST', path: '/Groups', bulkId, data: group(bulkId, ...memberIds) }
}

/** An operation that creates a user and fails, as there is no userName. */
export function postNobody(bulkId: string) {
  return { method: 'POST', path: '/Users', bulkId, data: { schemas: user('').schemas } }
}

/** The id in the location of a resource that an operation was about. */
export function idOf(result: BulkResult | undefined): string {
  assert(result?.location !== undefined, 'the result has a location')
  return result.location.slice(result.location.lastIndexOf('/') + 1)
}
