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
const cost = (filter: string) => evaluationCost(parseFilter(filter, userType), large, Infinity)
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

test('a condition on an attribute without a schema counts the names among which it is searched', () => {
  const names = Object.fromEntries(Array.from({ length: 900 }, (_, index) => [`badge-${index}`.padEnd(250, 'x'), 1]))
  const costOf = (terms: number, limit: number) =>
    evaluationCost(
      parseFilter(
        many(terms, (index) => `b${index} eq 1`),
        userType,
      ),
      names,
      limit,
    )
  assert.ok(costOf(10, Infinity) > 10 * 900 * 250)
  assert.ok(costOf(1_000, 4_000_000) > 4_000_000)
})

test('text that takes longer to fold counts more', () => {
  const filter = parseFilter('nickName co "a"', userType)
  const [ascii, beyond] = ['I', 'İ'].map((letter) =>
    evaluationCost(filter, { nickName: letter.repeat(1_000) }, Infinity),
  )
  assert.ok(ascii === 1_000 && beyond !== undefined && beyond > 10_000)
})

test('a condition on an unknown attribute of an extension also counts the names in that', () => {
  const urn = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
  const filter = parseFilter(`${urn}:badge eq 1`, userType)
  const without = evaluationCost(filter, { userName: 'ann' }, Infinity)
  const within = evaluationCost(filter, { userName: 'ann', [urn]: { division: 'x'.repeat(1_000) } }, Infinity)
  assert.equal(within - without, urn.length + 'division'.length)
})
