import assert from 'node:assert/strict'
import type { Loose } from '../../../../../support/client.ts'
import type { Provider } from '../../../requirement.ts'

export type Parameters = Readonly<Record<string, string | number>>

/** Parameters as the query part of an address, with its question mark; nothing for none. */
export function queryOf(parameters: Parameters): string {
  const pairs = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

/** The list that a query is answered with. */
export async function list(provider: Provider, path: string, parameters: Parameters = {}): Promise<Loose> {
  const { status, body, text } = await provider.send('GET', path + queryOf(parameters))
  assert.equal(status, 200, text)
  return body
}

/** The userNames on a page, in its order. */
export async function userNames(provider: Provider, parameters: Parameters): Promise<string[]> {
  const { Resources } = await list(provider, '/Users', parameters)
  return Resources.map(({ userName }) => userName)
}

/** The userNames of those whom a filter finds, by the alphabet. */
export async function usersWhere(provider: Provider, filter: string): Promise<string[]> {
  return (await userNames(provider, { filter })).sort()
}
