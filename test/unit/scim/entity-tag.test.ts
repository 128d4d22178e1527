import assert from 'node:assert/strict'
import { test } from 'node:test'
import { entityTag, matchesTag, matchesVersion } from '../../../src/scim/entity-tag.ts'

test('the entity tag is weak and contains the version', () => assert.equal(entityTag(3), 'W/"3"'))

test('computed data adds its part to the tag', () => assert.equal(entityTag(3, 'ab'), 'W/"3-ab"'))

for (const header of ['W/"3"', '"3"', 'w/"3"', '3', 'W/3', '*', ' * ', '"1", W/"3"', '"1",W/"2","3"', '"a, b", "3"']) {
  test(`${header} matches version 3, as a tag and as a version`, () => {
    assert.equal(matchesTag(header, 'W/"3"'), true)
    assert.equal(matchesVersion(header, 3), true)
  })
}

for (const header of ['', 'W/"33"', '"1", "2"', '"13"', '"*"', '"1, 3"', '03', ',']) {
  test(`${header === '' ? 'an empty header' : header} does not match version 3`, () => {
    assert.equal(matchesTag(header, 'W/"3"'), false)
    assert.equal(matchesVersion(header, 3), false)
  })
}

test('a change accepts any tag of the version; a read notices changed computed data', () => {
  assert.equal(matchesVersion('W/"3-ab"', 3), true)
  assert.equal(matchesVersion('W/"33-ab"', 3), false)
  assert.equal(matchesTag('W/"3-ab"', 'W/"3-ab"'), true)
  assert.equal(matchesTag('W/"3-ab"', 'W/"3-cd"'), false)
  assert.equal(matchesTag('W/"3"', 'W/"3-ab"'), false)
})
