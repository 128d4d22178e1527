import assert from 'node:assert/strict'
import type { Loose } from '../../../../support/client.ts'
import type { Provider } from '../../requirement.ts'

/** The resource at a path. */
export async function read(provider: Provider, path: string): Promise<Loose> {
  const { status, body, text } = await provider.send('GET', path)
  assert.equal(status, 200, text)
  return body
}

/** The ids of the resources in a list, in its order. */
export async function idsAt(provider: Provider, path: string): Promise<string[]> {
  return (await read(provider, path)).Resources.map(({ id }) => id)
}

/** The ids of the users that match a filter, read with GET. */
export function usersFound(provider: Provider, filter: string): Promise<string[]> {
  return idsAt(provider, `/Users?filter=${encodeURIComponent(filter)}`)
}

/** The ids of the members of the group at a path. */
export async function memberIds(provider: Provider, path: string): Promise<string[]> {
  return ((await read(provider, path)).members ?? []).map(({ value }) => value)
}

/** The body of a response as an object of unknown attributes. */
export function fieldsOf(body: Loose): Readonly<Record<string, unknown>> {
  return body as unknown as Readonly<Record<string, unknown>>
}
