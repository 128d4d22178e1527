import assert from 'node:assert/strict'
import { test } from 'node:test'
import { entityTag, matchesTag } from '../../src/scim/entity-tag.ts'

test('the entity tag is weak and holds the version', () => assert.equal(entityTag(3), 'W/"3"'))

for (const header of ['W/"3"', '"3"', 'w/"3"', '3', 'W/3', '*', ' * ', '"1", W/"3"', '"1",W/"2","3"', '"a, b", "3"']) {
  test(`${header} names version 3`, () => assert.equal(matchesTag(header, 3), true))
}

for (const header of ['', 'W/"33"', '"1", "2"', '"13"', '"*"', '"1, 3"', '03', ',']) {
  test(`${header === '' ? 'an empty header' : header} does not name version 3`, () => {
    assert.equal(matchesTag(header, 3), false)
  })
}
