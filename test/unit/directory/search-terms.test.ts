import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { changedTerms, maxTermLength, searchText, termsOf, userTexts } from '../../../src/directory/search-terms.ts'
import type { JsonObject } from '../../../src/scim/json.ts'
import { anyCharacters } from '../../support/any-characters.ts'

const maya = {
  userName: 'Maya@Acme.example',
  externalId: '00u1',
  name: { givenName: 'Maya', familyName: 'Silva-Chen' },
  displayName: 'Maya Silva-Chen',
  emails: [{ value: 'maya@acme.example' }, { value: 'm.chen@acme.example' }],
}
const termTexts = (resource: JsonObject) => termsOf(userTexts(resource)).map(({ term }) => term)

test('a user is found by userName, addresses, and each word of its name', () => {
  const terms = ['chen maya ', 'm.chen@acme.example', 'maya silva-chen', 'maya@acme.example', 'silva-chen maya']
  assert.deepEqual(termTexts(maya), terms)
})

for (const displayName of [undefined, 'Maya Chen', 'Chen, Maya', 'maya@acme.example']) {
  test(`a user has three terms with the displayName ${displayName}`, () => {
    const name = { givenName: 'Maya', familyName: 'Chen' }
    const user = { userName: 'maya@acme.example', name, ...(displayName && { displayName }) }
    assert.deepEqual(termTexts(user), ['chen maya', 'maya chen', 'maya@acme.example'])
  })
}

test('the end of a name ends with a blank, unless it is a name itself', () => {
  const names = ['Sales of Europe', 'Europe']
  const terms = termsOf({ values: [], names }).map(({ term }) => term)
  assert.deepEqual(terms, ['europe', 'of europe ', 'sales of europe'])
})

describe('the terms of any texts', () => {
  const texts = fc.record({
    values: fc.array(anyCharacters({ maxLength: 12 }), { maxLength: 5 }),
    names: fc.array(anyCharacters({ maxLength: 30 }), { maxLength: 2 }),
  })

  test('find each value by every beginning exactly once', () => {
    fc.assert(
      fc.property(texts, (searched) => {
        const terms = termsOf(searched)
        for (const value of searched.values.map(searchText)) {
          for (let length = 1; length <= value.length; length += 1) {
            const prefix = value.slice(0, length)
            const hits = terms.filter(({ term, shared }) => term.startsWith(prefix) && shared < length)
            assert.equal(hits.length, 1, `${JSON.stringify(prefix)} of ${JSON.stringify(terms)}`)
          }
        }
      }),
    )
  })

  test('find each name from each of its words on exactly once', () => {
    fc.assert(
      fc.property(texts, (searched) => {
        const terms = termsOf(searched)
        const values = new Set(searched.values.map(searchText))
        for (const name of searched.names.map(searchText).filter((one) => !values.has(one))) {
          for (const { index } of name.matchAll(/(?<![\p{L}\p{N}\p{M}])[\p{L}\p{N}]/gu)) {
            const prefix = name.slice(index, index + 3).trim()
            const hits = terms.filter(({ term, shared }) => term.startsWith(prefix) && shared < prefix.length)
            assert.equal(hits.length, 1, `${JSON.stringify(prefix)} of ${JSON.stringify(terms)}`)
          }
        }
      }),
    )
  })

  test('are at most as long as the keys allow, and well-formed', () => {
    const long = fc.array(anyCharacters({ maxLength: 3 * maxTermLength }), { maxLength: 2 })
    fc.assert(
      fc.property(long, (names) => {
        for (const { term } of termsOf({ values: [], names })) {
          assert.ok(term.length <= maxTermLength && term.isWellFormed())
        }
      }),
      { numRuns: 30 },
    )
  })

  test('turn into those of other texts by removing some and writing some', () => {
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const { removed, written } = changedTerms(before, after)
        const stored = new Map(termsOf(before).map((one) => [one.term, one]))
        for (const { term } of removed) stored.delete(term)
        for (const one of written) stored.set(one.term, one)
        const found = [...stored.values()].sort((a, b) => (a.term < b.term ? -1 : 1))
        assert.deepEqual(found, termsOf(after))
      }),
    )
  })
})

test('a change that leaves the texts writes nothing', () => {
  const after = userTexts({ ...maya, title: 'Engineer' })
  assert.deepEqual(changedTerms(userTexts(maya), after), { removed: [], written: [] })
})
