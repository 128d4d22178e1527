import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HeldReason } from '../../../src/delivery/hold/reasons.ts'
import { acceptedReasons, versionOf } from '../../../src/delivery/hold/reasons.ts'

const held: readonly HeldReason[] = [
  { reason: 'roles', version: 10 },
  { reason: 'users', version: 24 },
]

for (const { what, body, accepted } of [
  { what: 'no body', body: undefined, accepted: ['roles', 'users'] },
  { what: 'an empty body', body: {}, accepted: ['roles', 'users'] },
  { what: 'the version that was read', body: { version: versionOf(held) }, accepted: ['roles', 'users'] },
  { what: 'a version of more reasons', body: { version: 'sync:9,users:24,roles:10' }, accepted: ['roles', 'users'] },
  { what: 'a name', body: { reasons: ['users'] }, accepted: ['users'] },
  { what: 'a name that is not held', body: { reasons: ['sync', 'roles'] }, accepted: ['roles'] },
  { what: 'a name and a version', body: { reasons: ['roles'], version: 'roles:10' }, accepted: ['roles'] },
]) {
  test(`${what} accepts ${accepted.join(' and ')}`, () => {
    assert.deepEqual([...acceptedReasons(held, body).keys()], accepted)
  })
}

for (const { because, body } of [
  { because: 'users has come since', body: { version: 'roles:10' } },
  { because: 'roles has come again since', body: { version: 'roles:9,users:24' } },
  { because: 'the named one has come again since', body: { reasons: ['users'], version: 'users:23,roles:10' } },
]) {
  test(`a version is refused: ${because}`, () => {
    assert.throws(() => acceptedReasons(held, body), { code: 'hold-changed' })
  })
}
