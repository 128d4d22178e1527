import assert from 'node:assert/strict'
import type { Json } from '../../../../../src/scim/json.ts'
import type { FakeGoogle } from '../../../../../tools/fake-google/server.ts'

/** A response of the fake as a client receives it. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: Loose
}

/** JSON whose parts a test can read without checks. */
export interface Loose {
  readonly [name: string]: Json | undefined
}

async function answerOf(response: Response): Promise<Answer> {
  const body = (await response.json()) as Loose
  return { status: response.status, headers: response.headers, body }
}

/** Requests the Directory API, by default with a token of the administrator. */
export async function ask(fake: FakeGoogle, path: string, token = fake.issueTokens().accessToken): Promise<Answer> {
  const headers = { authorization: `Bearer ${token}` }
  return answerOf(await fetch(`${fake.apiUrl}/admin/directory/v1/${path}`, { headers }))
}

/** The same, for a request that must succeed. */
export async function read(fake: FakeGoogle, path: string): Promise<Loose> {
  const { status, body } = await ask(fake, path)
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

/** One field of each item of a list; empty if the list is absent. */
export function each(body: Loose, list: string, field: string): (Json | undefined)[] {
  const items = (body[list] ?? []) as Loose[]
  return items.map((item) => item[field])
}

/** All pages of a list, with one field of each item. */
export async function walk(fake: FakeGoogle, path: string, list: string, field = 'id') {
  const pages: (Json | undefined)[][] = []
  let token = ''
  do {
    const body = await read(fake, `${path}${token}`)
    pages.push(each(body, list, field))
    token = body['nextPageToken'] === undefined ? '' : `&pageToken=${encodeURIComponent(String(body['nextPageToken']))}`
  } while (token !== '')
  return pages
}

/** The status, reason and message of an error of the API. */
export function errorOf({ status, body }: Answer) {
  const { message, errors } = body['error'] as { message: string; errors: { reason: string }[] }
  return { status, reason: errors[0]?.reason, message }
}

/** Posts a form to the token endpoint, by default as the registered client. */
export async function postToken(fake: FakeGoogle, fields: Readonly<Record<string, string>>): Promise<Answer> {
  const client = { client_id: fake.clientId, client_secret: fake.clientSecret }
  return answerOf(await fetch(fake.tokenUrl, { method: 'POST', body: new URLSearchParams({ ...client, ...fields }) }))
}

/** Refreshes with a token. */
export function refresh(fake: FakeGoogle, token: string): Promise<Answer> {
  return postToken(fake, { grant_type: 'refresh_token', refresh_token: token })
}
