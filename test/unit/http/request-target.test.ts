import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasForeignEscape, normalizedUrl } from '../../../src/http/request-target.ts'

for (const [url, expected] of [
  ['/Users', '/Users'],
  ['//Users///a//', '/Users/a/'],
  ['/Users?filter=a//b', '/Users?filter=a//b'],
  ['//Users?x=//&y=?//', '/Users?x=//&y=?//'],
  ['/Users%2F%2Fa', '/Users%2F%2Fa'],
  ['http://host//Users//a', 'http://host/Users/a'],
  ['/Users?filter=a+eq+b', '/Users?filter=a+eq+b'],
  ['/Users?filter=a%20eq%20b+c&x=+', '/Users?filter=a%20eq%20b%2Bc&x=%2B'],
  ['/a+b%20c?x=+', '/a+b%20c?x=+'],
  ['', ''],
] as const) {
  test(`the routes see ${url} as ${expected}`, () => assert.equal(normalizedUrl(url), expected))
}

for (const [text, isForeign] of [
  ['a=j%C3%B6rg', false],
  ['a=100%&b=%zz', false],
  ['a=%EF%BF%BD', false],
  ['a=j%f6rg', true],
  ['a=%C3&b=%B6', true],
  ['a=%C3x%B6', true],
  ['a=%ED%A0%80', true],
] as const) {
  test(`${text} is ${isForeign ? 'not ' : ''}percent-encoded UTF-8`, () =>
    assert.equal(hasForeignEscape(text), isForeign))
}
