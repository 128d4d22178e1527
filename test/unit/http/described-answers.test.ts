import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { descriptionFile, descriptionProblem, eventProblem } from '../../support/described-answers.ts'

const { webhooks } = JSON.parse(readFileSync(descriptionFile, 'utf8'))
const event = webhooks['user.created'].post.requestBody.content['application/json'].example
const at = '2026-01-31T09:30:00.000Z'
const user = {
  ...{
    id: 'u',
    account_id: null,
    first_name: '',
    last_name: '',
    email: '',
    active: true,
    created_at: at,
    updated_at: at,
  },
  directory_id: 'd',
  raw: { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], id: 'u', userName: 'ann', any: 'thing' },
}
const answer = {
  ...{ method: 'GET', path: '/api/v1/dsync/users/u?tenant=acme', status: 200, contentType: 'application/json' },
  body: { data: user, error: null },
}

test('an answer and an event that conform to the description are accepted, and so are answers that are not described', () => {
  assert.equal(descriptionProblem(answer), undefined)
  assert.equal(descriptionProblem({ ...answer, path: '/no/such/path', body: {} }), undefined)
  assert.equal(eventProblem(event), undefined)
})

for (const { what, changes, problem } of [
  { what: 'another status', changes: { status: 418 }, problem: /responded with 418, which .* does not list/ },
  { what: 'a missing field', changes: { body: { error: null } }, problem: /required properties data/ },
  { what: 'an unknown field', changes: { body: { data: { ...user, extra: 1 }, error: null } }, problem: /\/data/ },
  {
    what: 'a wrong type',
    changes: { body: { data: { ...user, active: 'yes' }, error: null } },
    problem: /\/data\/active/,
  },
]) {
  test(`an answer with ${what} is reported`, () =>
    assert.match(descriptionProblem({ ...answer, ...changes }) ?? '', problem))
}

test('an event with an unknown field is reported', () => {
  assert.match(eventProblem({ ...event, data: { ...event.data, extra: 1 } }) ?? '', /user\.created is not as described/)
})
