import assert from 'node:assert/strict'
import type { Loose } from '../../../../../support/client.ts'
import type { Provider } from '../../../requirement.ts'
import type { Fields } from './fields.ts'
import { fieldsOf } from './fields.ts'
import { groupUrn, userUrn } from './urns.ts'

/** Creates a user and returns the body of the response. */
export async function provisionUser(provider: Provider, fields: Fields): Promise<Loose> {
  return provision(provider, '/Users', { schemas: [userUrn], ...fields })
}

/** Creates users one after the other. */
export async function provisionUsers(provider: Provider, ...users: readonly Fields[]): Promise<void> {
  for (const fields of users) await provisionUser(provider, fields)
}

/** Creates a group with these members and returns the body of the response. */
export async function provisionGroup(provider: Provider, displayName: string, members: readonly Loose[] = []) {
  const values = members.map(({ id }) => ({ value: id }))
  return provision(provider, '/Groups', { schemas: [groupUrn], displayName, members: values })
}

/** The current state of a user or group. */
export async function readUser(provider: Provider, { id }: Pick<Loose, 'id'>): Promise<Fields> {
  return read(provider, `/Users/${id}`)
}

export async function readGroup(provider: Provider, { id }: Pick<Loose, 'id'>): Promise<Fields> {
  return read(provider, `/Groups/${id}`)
}

async function provision(provider: Provider, collection: string, body: Fields): Promise<Loose> {
  const response = await provider.send('POST', collection, body)
  assert.equal(response.status, 201, response.text)
  return response.body
}

async function read(provider: Provider, path: string): Promise<Fields> {
  const { status, body, text } = await provider.send('GET', path)
  assert.equal(status, 200, text)
  return fieldsOf(body)
}
