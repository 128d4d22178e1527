import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maxResourceLength, resourceText } from '../../../src/directory/limits.ts'
import { ScimError } from '../../../src/scim/errors.ts'

/** The length of a resource in the message; undefined when it is accepted. */
function refusedLength(resource: Parameters<typeof resourceText>[0]): string | undefined {
  try {
    assert.deepEqual(JSON.parse(resourceText(resource)), resource)
    return undefined
  } catch (error) {
    assert.ok(error instanceof ScimError && error.status === 413, String(error))
    return /this one has (.*)\.$/.exec(error.message)?.[1]
  }
}

const around = JSON.stringify({ nickName: '' }).length

test('a resource may have as many characters of JSON as the limit says', () => {
  assert.equal(refusedLength({ nickName: 'x'.repeat(maxResourceLength - around) }), undefined)
  assert.equal(refusedLength({ nickName: 'x'.repeat(maxResourceLength - around + 1) }), `${maxResourceLength + 1}`)
})

test('the characters of escape sequences count, and those of names', () => {
  assert.equal(refusedLength({ nickName: '\0'.repeat(50_000) }), `${around + 300_000}`)
  assert.equal(refusedLength({ ['x'.repeat(maxResourceLength)]: 1 }), `${maxResourceLength + '{"":1}'.length}`)
})

test('a resource whose strings have more characters together is not written as JSON', () => {
  const half = 'x'.repeat(maxResourceLength / 2)
  const resource = { emails: [{ value: half }, { value: half, type: 'y' }] }
  Object.defineProperty(resource, 'toJSON', { value: () => assert.fail('the resource is written') })
  assert.equal(refusedLength(resource), 'more')
})
