import assert from 'node:assert/strict'
import { errorCodes } from '../../src/error-response.ts'
import type { Answer } from './client.ts'

/** Asserts that a response is an error of the directory-sync API, and reveals no internals. */
export function assertApiError({ status, headers, body, text }: Answer, expected: number): void {
  assert.equal(status, expected, text)
  assert.match(String(headers['content-type']), /^application\/json/)
  assert.deepEqual(Object.keys(body), ['data', 'error'])
  assert.equal(body.data, null)
  const { message, code, reason, request_id, ...rest } = body.error
  assert.equal(code, expected)
  assert(errorCodes.includes(reason), `the reason is documented: ${reason}`)
  assert(message.length > 10, `the message helps: ${message}`)
  assert.equal(request_id, headers['x-request-id'])
  assert(
    Object.keys(rest).every((name) => name === 'problems' || (name === 'diverged' && reason === 'cursor-diverged')),
    text,
  )
  assertRevealsNoInternals(text)
}

/** Asserts that a response is a SCIM error (RFC 7644 §3.12), and reveals no internals. */
export function assertScimError({ status, headers, body, text }: Answer, expected: number, scimType?: string): void {
  assert.equal(status, expected, text)
  assert.equal(headers['content-type'], 'application/scim+json')
  const { schemas, detail, ...rest } = body
  assert.deepEqual(schemas, ['urn:ietf:params:scim:api:messages:2.0:Error'])
  assert.deepEqual({ ...rest }, { status: String(expected), ...(scimType === undefined ? {} : { scimType }) })
  assert(detail.length > 10, `the detail helps: ${detail}`)
  assert.match(String(headers['x-request-id']), /^[0-9a-f-]{36}$/)
  assertRevealsNoInternals(text)
}

function assertRevealsNoInternals(text: string): void {
  assert.doesNotMatch(text, /\.ts\b|\.js\b|node:|\bat \S+ \(|sqlite|postgres|select |insert |undefined/i)
}
