import assert from 'node:assert/strict'
import type { Loose } from '../../../../../support/client.ts'
import type { Provider } from '../../../requirement.ts'

export type Parameters = Readonly<Record<string, string | number>>

/** Parameters as a query string with its question mark; empty if there are none. */
export function queryOf(parameters: Parameters): string {
  const pairs = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

/** The list that a query returns. */
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

/** The userNames of the users that match a filter, in alphabetical order. */
export async function usersWhere(provider: Provider, filter: string): Promise<string[]> {
  return (await userNames(provider, { filter })).sort()
}
