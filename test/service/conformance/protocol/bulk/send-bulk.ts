import assert from 'node:assert/strict'
import type { Answer, Loose } from '../../../../support/client.ts'
import type { Provider } from '../../requirement.ts'
import { bulkRequest, group, user } from '../support/messages.ts'

/** The result of one operation of a bulk request. */
export interface BulkResult {
  readonly method: string
  readonly bulkId?: string
  readonly version?: string
  readonly location?: string
  readonly status: string
  readonly response?: Loose
}

/** Sends a bulk request; `fields` are added to its body. */
export function sendBulk(
  provider: Provider,
  operations: unknown,
  fields?: Readonly<Record<string, unknown>>,
): Promise<Answer> {
  return provider.send('POST', '/Bulk', bulkRequest(operations, fields))
}

/** Sends a bulk request, expects status 200, and returns the results of its operations. */
export async function bulkResults(
  provider: Provider,
  operations: readonly unknown[],
  fields?: Readonly<Record<string, unknown>>,
): Promise<readonly BulkResult[]> {
  const { status, body, text } = await sendBulk(provider, operations, fields)
  assert.equal(status, 200, text)
  return (body as unknown as { readonly Operations: readonly BulkResult[] }).Operations
}

/** Sends a bulk request, expects status 200, and returns the status of each operation. */
export async function bulkStatuses(...request: Parameters<typeof bulkResults>): Promise<string[]> {
  return (await bulkResults(...request)).map(({ status }) => status)
}

/** An operation that creates a user whose userName is the bulkId. */
export function postUser(bulkId: string, fields?: Readonly<Record<string, unknown>>) {
  return { method: 'POST', path: '/Users', bulkId, data: user(bulkId, fields) }
}

/** An operation that creates a group whose displayName is the bulkId. */
export function postGroup(bulkId: string, ...memberIds: readonly string[]) {
  return { method: 'POST', path: '/Groups', bulkId, data: group(bulkId, ...memberIds) }
}

/** A POST of a user that fails because it has no userName. */
export function postNobody(bulkId: string) {
  return { method: 'POST', path: '/Users', bulkId, data: { schemas: user('').schemas } }
}

/** The id of a resource, from the location in the result of its operation. */
export function idOf(result: BulkResult | undefined): string {
  assert(result?.location !== undefined, 'the result has a location')
  return result.location.slice(result.location.lastIndexOf('/') + 1)
}
