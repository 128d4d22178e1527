import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countTerms } from '../../../src/scim/filter/ast.ts'
import { parseFilter } from '../../../src/scim/filter/parse.ts'
import { userType } from '../../../src/scim/schema/resource-type.ts'

for (const { filter, terms } of [
  { filter: 'title pr', terms: 1 },
  { filter: 'title pr and not (userName sw "a" or active eq true)', terms: 3 },
  { filter: 'emails[type eq "work" and value co "@"] or title pr', terms: 3 },
]) {
  test(`${filter} has ${terms} conditions`, () => assert.equal(countTerms(parseFilter(filter, userType)), terms))
}
