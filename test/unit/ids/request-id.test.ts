import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../../src/ids/new-id.ts'
import { directorySuffixIn, newRequestId } from '../../../src/ids/request-id.ts'

test('the id of a request ends like that of its directory', () => {
  const directoryId = newId()
  const [first, second] = [newRequestId(directoryId), newRequestId(directoryId)]
  assert.notEqual(first, second)
  for (const id of [first, `${first}.0012`]) assert.equal(directorySuffixIn(id), directoryId.slice(-6))
})

for (const id of [
  '',
  'unknown',
  `${newId()} `,
  `${newId()}.`,
  newId().toUpperCase(),
  newRequestId('../../x?y').slice(1),
]) {
  test(`${JSON.stringify(id.slice(0, 8))} and what follows is not the id of a request`, () =>
    assert.equal(directorySuffixIn(id), undefined))
}

test('a request to an impossible directory has an id, too', () =>
  assert.match(newRequestId('not-a-directory'), /^[0-9a-f-]{36}$/))
