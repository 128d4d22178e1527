import assert from 'node:assert/strict'
import type { Answer, Loose } from '../../../../../support/client.ts'
import type { Provider } from '../../../requirement.ts'
import type { Fields } from './fields.ts'
import { provisionUser, readUser } from './provision.ts'
import { patchOpUrn } from './urns.ts'

export interface Operation {
  readonly op: string
  readonly path?: string
  readonly value?: unknown
}

/** The body of a PATCH request. */
export function patchOf(...operations: readonly Operation[]): Fields {
  return { schemas: [patchOpUrn], Operations: operations }
}

export function patchUser(provider: Provider, { id }: Pick<Loose, 'id'>, ...operations: readonly Operation[]) {
  return provider.send('PATCH', `/Users/${id}`, patchOf(...operations))
}

export function patchGroup(provider: Provider, { id }: Pick<Loose, 'id'>, ...operations: readonly Operation[]) {
  return provider.send('PATCH', `/Groups/${id}`, patchOf(...operations))
}

/** Creates a user with these attributes, applies the operations, and returns the user. */
export async function userAfter(provider: Provider, fields: Fields, ...operations: readonly Operation[]) {
  const user = await provisionUser(provider, { userName: 'ann', ...fields })
  const { status, text } = await patchUser(provider, user, ...operations)
  assert.equal(status, 200, text)
  return readUser(provider, user)
}

/** Creates a user with these attributes and returns the response to the operations. */
export async function responseTo(
  provider: Provider,
  fields: Fields,
  ...operations: readonly Operation[]
): Promise<Answer> {
  return patchUser(provider, await provisionUser(provider, { userName: 'ann', ...fields }), ...operations)
}
