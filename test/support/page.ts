import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import type { Answer } from './client.ts'

/** Checks a response against the form of HTML pages: complete, self-contained and safe. */
export function assertPage({ status, headers, text }: Answer, expected: number, says: RegExp): void {
  assert.equal(status, expected, text)
  assert.equal(headers['content-type'], 'text/html; charset=utf-8')
  assert.equal(headers['cache-control'], 'no-store')
  assert.equal(headers['referrer-policy'], 'no-referrer')
  const [, style = ''] = /<style>(.*)<\/style>/s.exec(text) ?? []
  const policy = String(headers['content-security-policy'])
  assert.match(policy, /^default-src 'none'; /)
  assert(policy.includes(`style-src 'sha256-${hash('sha256', style, 'base64')}';`), 'the style is allowed by its hash')
  assert.doesNotMatch(text, /<(script|img|link|a|form|iframe)\b|\b(src|href|on\w+)=/i)
  assert.match(text.replace(/<style>.*<\/style>/s, ''), says)
}
