import assert from 'node:assert/strict'
import { test } from 'node:test'
import { afterProfileChange, generatePeople } from '../../../tools/simulate/people/person.ts'
import { generateTeams, membersOf } from '../../../tools/simulate/people/team.ts'

test('the same seed generates the same people, another seed different ones', () => {
  assert.deepEqual(generatePeople(50, 7), generatePeople(50, 7))
  assert.deepEqual(generatePeople(50, 7).slice(0, 10), generatePeople(10, 7))
  const first = new Set(generatePeople(500, 1).map(({ userName }) => userName))
  assert.ok(generatePeople(500, 2).every(({ userName }) => !first.has(userName)))
})

test('addresses are unique, in ASCII and at example domains', () => {
  const addresses = generatePeople(20_000, 3).map(({ userName }) => userName)
  assert.equal(new Set(addresses).size, addresses.length)
  for (const address of addresses) assert.match(address, /^[a-z.']+\d*\+3@example\.(com|org)$/)
})

for (const [what, pattern] of [
  ['an apostrophe', /\p{L}'\p{L}/u],
  ['an accent', /[à-žÀ-Ž]/],
  ['another script', /\p{Script=Han}/u],
  ['a third script', /\p{Script=Cyrillic}|\p{Script=Greek}/u],
] as const) {
  test(`ten people include a name with ${what}`, () => {
    const names = generatePeople(10, 1).map(({ givenName, familyName }) => `${givenName} ${familyName}`)
    assert.ok(names.some((name) => pattern.test(name)))
  })
}

test('a changed profile keeps its userName', () => {
  for (const person of generatePeople(100, 1)) {
    const changed = afterProfileChange(person)
    assert.equal(changed.userName, person.userName)
    assert.notEqual(changed.familyName, person.familyName)
    assert.notEqual(changed.department, person.department)
    assert.notEqual(changed.title, person.title)
  }
})

test('any number of teams have different names', () => {
  assert.equal(new Set(generateTeams(200, 1).map(({ name }) => name)).size, 200)
})

for (const { people, teams } of [
  { people: 20, teams: 3 },
  { people: 5, teams: 1 },
  { people: 7, teams: 10 },
]) {
  test(`${people} people in ${teams} teams: everyone is in at least one team and nobody twice in the same`, () => {
    const all = Array.from({ length: people }, (_, index) => index)
    const members = Array.from({ length: teams }, (_, index) => membersOf(all, index, teams))
    assert.deepEqual(
      [...new Set(members.flat())].sort((a, b) => a - b),
      all,
    )
    for (const team of members) assert.equal(new Set(team).size, team.length)
  })
}
