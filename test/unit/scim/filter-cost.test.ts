import assert from 'node:assert/strict'
import { test } from 'node:test'
import { evaluationCost } from '../../../src/scim/filter/cost.ts'
import { parseFilter } from '../../../src/scim/filter/parse.ts'
import type { JsonObject } from '../../../src/scim/json.ts'
import { userType } from '../../../src/scim/schema/resource-type.ts'

const large: JsonObject = {
  userName: 'ann',
  title: 'x'.repeat(200_000),
  emails: Array.from({ length: 1000 }, (_, index) => ({ value: `${index}@example.com`, type: 'work' })),
}
const cost = (filter: string) => evaluationCost(parseFilter(filter, userType), large)
const many = (count: number, term: (index: number) => string, joint = ' or ') =>
  Array.from({ length: count }, (_, index) => term(index)).join(joint)

test('conditions only read their own attributes, however large the rest is', () => {
  assert.equal(cost(many(300, (index) => `userName eq "${index}"`)), 300 * 3)
  assert.ok(cost(many(300, (index) => `nickName eq "${index}"`, ' and ')) < 10 * 300)
})

test('every condition on a large attribute counts, also within brackets and behind not', () => {
  const once = cost('emails.value eq "a"')
  assert.ok(once > 20_000)
  assert.equal(cost('emails[value eq "a" and not (type eq "b")]'), 2 * once)
  assert.equal(cost('not (emails pr)'), once)
  assert.equal(cost(many(30, (index) => `title co "${index}"`)), 30 * 200_000)
})
