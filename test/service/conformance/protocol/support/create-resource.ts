import assert from 'node:assert/strict'
import type { Answer, Loose } from '../../../../support/client.ts'
import type { Provider } from '../../requirement.ts'
import { group, user } from './messages.ts'

/** A created resource, from the body of the response, with its path. */
export interface Created {
  readonly id: string
  readonly path: string
  readonly body: Loose
  readonly tag: string
}

export async function createUser(
  provider: Provider,
  userName: string,
  fields?: Readonly<Record<string, unknown>>,
): Promise<Created> {
  return created('/Users', await provider.send('POST', '/Users', user(userName, fields)))
}

export async function createGroup(
  provider: Provider,
  displayName: string,
  ...memberIds: readonly string[]
): Promise<Created> {
  return created('/Groups', await provider.send('POST', '/Groups', group(displayName, ...memberIds)))
}

function created(endpoint: string, { status, body, text, headers }: Answer): Created {
  assert.equal(status, 201, text)
  return { id: body.id, path: `${endpoint}/${body.id}`, body, tag: String(headers['etag']) }
}
