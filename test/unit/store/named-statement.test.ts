import assert from 'node:assert/strict'
import { test } from 'node:test'
import { namedStatement, namesOf, rowOf } from '../../../src/store/postgres/named-statement.ts'
import { binaryArray } from '../../../src/store/postgres/parameters.ts'

const users = { id: 'text', version: 'int8' } as const
const parameters = { directoryId: 'text', at: 'int8', users } as const

test('the names in a statement become numbers in the order of their declaration', () => {
  const statement = namedStatement(
    parameters,
    `insert into users (at, ${namesOf(users)}) select :at, ${rowOf(users, ':users[u.n]')}, 1::int4
    from unnest(:users.id) with ordinality as u (id, n) where directory_id = :directoryId`,
  )
  const rows = [
    { id: 'a', version: 1 },
    { id: 'b', version: 2 },
  ]
  const { text, values } = statement({ directoryId: 'd', at: 7, users: rows })
  assert.equal(
    text,
    `insert into users (at, id, version) select $2::int8, ($3::text[])[u.n], ($4::int8[])[u.n], 1::int4
    from unnest($3::text[]) with ordinality as u (id, n) where directory_id = $1::text`,
  )
  assert.deepEqual(values, ['d', 7, binaryArray('text', ['a', 'b']), binaryArray('int8', [1, 2])])
})

for (const text of ['select :user', 'select :users', 'select :users.name', 'select :users[n].name', 'select :at.id']) {
  test(`a statement with an undeclared parameter cannot be made: ${text}`, () => {
    assert.throws(() => namedStatement(parameters, text), TypeError)
  })
}
