import assert from 'node:assert/strict'
import type { Answer } from './client.ts'

/** Checks a response against the form of the pages for administrators: safe, and readable without scripts. */
export function assertPage({ status, headers, text }: Answer, expected: number, says: RegExp): void {
  assert.equal(status, expected, text)
  assert.equal(headers['content-type'], 'text/html; charset=utf-8')
  assert.equal(headers['cache-control'], 'no-store')
  assert.equal(headers['referrer-policy'], 'no-referrer')
  assert.match(String(headers['content-security-policy']), /^default-src 'none'; script-src 'self'; /)
  // The base64 of a nonce may look like a handler.
  assert.doesNotMatch(text.replace(/ nonce="[\w+/=]+"/, ''), /<script(?![^>]* src=)|<(form|iframe)\b|\bon\w+=/i)
  const [, noscript = ''] = /<noscript>(.*)<\/noscript>/s.exec(text) ?? []
  assert.match(noscript, says)
}
