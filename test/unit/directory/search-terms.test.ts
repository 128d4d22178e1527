import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  changedTerms,
  groupTexts,
  maxTermLength,
  searchText,
  termsOf,
  userTexts,
} from '../../../src/directory/search-terms.ts'
import { anyCharacters } from '../../support/any-characters.ts'

const maya = {
  userName: 'Maya@Acme.example',
  externalId: '00u1',
  name: { givenName: 'Maya', familyName: 'Silva-Chen' },
  displayName: 'Maya Silva-Chen',
  emails: [{ value: 'maya@acme.example' }, { value: 'm.chen@acme.example' }],
}
const termTexts = (resource: Parameters<typeof userTexts>[1]) =>
  termsOf(userTexts('1a', resource)).map(({ term }) => term)

test('a user is found by id, external id, userName, addresses, and by its name from each word on', () => {
  assert.deepEqual(termTexts(maya), [
    '00u1',
    '1a',
    'chen',
    'm.chen@acme.example',
    'maya silva-chen',
    'maya@acme.example',
    'silva-chen',
  ])
})

test('only complete values are whole', () => {
  const whole = termsOf(groupTexts({ id: '1a', name: 'Sales Europe', externalId: undefined })).map(
    ({ term, isWhole }) => [term, isWhole] as const,
  )
  assert.deepEqual(whole, [
    ['1a', true],
    ['europe', false],
    ['sales europe', true],
  ])
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
  const after = userTexts('1a', { ...maya, title: 'Engineer' })
  assert.deepEqual(changedTerms(userTexts('1a', maya), after), { removed: [], written: [] })
})
