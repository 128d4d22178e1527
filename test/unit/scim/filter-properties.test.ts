import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ScimError } from '../../../src/scim/errors.ts'
import { matches } from '../../../src/scim/filter/evaluate.ts'
import { narrow } from '../../../src/scim/filter/narrow.ts'
import { parseFilter } from '../../../src/scim/filter/parse.ts'
import { fold } from '../../../src/scim/fold.ts'
import type { JsonObject } from '../../../src/scim/json.ts'
import { userType } from '../../../src/scim/schema/resource-type.ts'
import { anyCharacters } from '../../support/any-characters.ts'
import { cases } from '../../support/extent.ts'

const pieces = fc.constantFrom(
  ...['userName', 'active', 'emails', 'emails.value', 'meta.created', 'name', 'manager', '$ref', 'urn:a:b', 'type'],
  ...['eq', 'ne', 'co', 'gt', 'pr', 'and', 'or', 'not', '(', ')', '[', ']', '.value', '"work"', '"', '\\', 'true'],
  ...['null', '1', '-', ':', '"2026-01-01"', 'é'],
)
const anyText = fc.oneof(
  anyCharacters(),
  fc.array(pieces, { maxLength: 20 }).map((all) => all.join(' ')),
)

const comparison = fc.constantFrom(
  ...['userName eq "a"', 'title co "b"', 'active eq true', 'emails eq "a"', 'emails[type eq "work" and value eq "a"]'],
  ...['schemas eq "urn:ietf:params:scim:schemas:core:2.0:User"', 'meta.resourceType ne "User"'],
  ...['emails[type eq "work"].value ne "a"', 'locale pr', 'id eq "a"', 'externalId ne "b"', 'name.givenName eq null'],
)
const filterText = fc.letrec<{ filter: string }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 4 },
    comparison,
    fc.tuple(tie('filter'), fc.constantFrom('and', 'or'), tie('filter')).map((parts) => `(${parts.join(' ')})`),
    tie('filter').map((inner) => `not (${inner})`),
  ),
})).filter

const word = fc.constantFrom('a', 'A', 'b', 'ab', '')
const resource: fc.Arbitrary<JsonObject> = fc.record(
  {
    id: word,
    userName: word,
    externalId: word,
    title: word,
    locale: word,
    active: fc.boolean(),
    name: fc.record({ givenName: word }, { requiredKeys: [] }),
    emails: fc.array(fc.record({ value: word, type: fc.constantFrom('work', 'home') }, { requiredKeys: [] })),
    schemas: fc.constant(['urn:ietf:params:scim:schemas:core:2.0:User']),
    meta: fc.constant({ resourceType: 'User' }),
  },
  { requiredKeys: ['schemas', 'meta'] },
)
const anyObject = fc.dictionary(
  fc.constantFrom('userName', 'emails', 'active', 'meta', 'name', 'urn:a'),
  fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value))),
)

test('any text is a filter or is rejected', () => {
  fc.assert(
    fc.property(anyText, anyObject, (text, object) => {
      try {
        assert.equal(typeof matches(parseFilter(text, userType), object), 'boolean')
      } catch (error) {
        assert.ok(error instanceof ScimError && error.scimType === 'invalidFilter', String(error))
      }
    }),
    { numRuns: cases(1500) },
  )
})

test('not negates, and De Morgan applies', () => {
  fc.assert(
    fc.property(filterText, filterText, resource, (a, b, object) => {
      const holds = (filter: string) => matches(parseFilter(filter, userType), object)
      assert.equal(holds(`not (${a})`), !holds(a))
      assert.equal(holds(`${a} and ${b}`), holds(a) && holds(b))
      assert.equal(holds(`${a} or ${b}`), holds(a) || holds(b))
    }),
  )
})

test('a narrowed filter matches the same resources', () => {
  fc.assert(
    fc.property(filterText, resource, (text, object) => {
      const filter = parseFilter(text, userType)
      const narrowest = narrow(filter, userType)
      if (narrowest === 'nothing') return assert.equal(matches(filter, object), false)
      const { equalities, rest } = narrowest
      const equal = equalities.every(({ attribute, value }) => {
        const literal = JSON.stringify(value)
        return matches(parseFilter(`${attribute} eq ${literal}`, userType), object)
      })
      assert.equal(equal && (rest === undefined || matches(rest, object)), matches(filter, object))
    }),
    { numRuns: cases(1000) },
  )
})

test('text is matched by any spelling that folds to the same', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
      const filter = parseFilter(`userName eq ${JSON.stringify(text)}`, userType)
      for (const userName of [text, text.toLowerCase(), text.normalize('NFD')]) {
        assert.equal(matches(filter, { userName }), fold(userName) === fold(text))
      }
    }),
  )
})

test('hostile filters of maximum length are parsed or rejected', () => {
  const hostile = ['('.repeat(8192), '\\"'.repeat(4000), `title eq "${'\\"'.repeat(4000)}"`, '[ '.repeat(4000)]
  const many = Array.from({ length: 480 }, () => 'title eq "a"').join(' or ')
  for (const text of [...hostile, many, `urn:${'a:'.repeat(4000)}`, `title eq ${'1'.repeat(8000)}x`]) {
    assert.doesNotThrow(() => parsesOrRejects(text))
  }
})

/** @throws only unexpected errors */
function parsesOrRejects(text: string): void {
  try {
    parseFilter(text, userType)
  } catch (error) {
    assert.ok(error instanceof ScimError)
  }
}
