import assert from 'node:assert/strict'
import test from 'node:test'
import { signingSecrets } from '../../../src/delivery/endpoint/endpoint-secrets.ts'

const url = 'https://acme.example/events'
const previousSecret = { secret: 'old', expiresAt: 1_000 }

for (const { when, previous, nowMs, secrets } of [
  { when: 'without a rotation', previous: undefined, nowMs: 0, secrets: ['new'] },
  { when: 'within the grace of a rotation', previous: previousSecret, nowMs: 999, secrets: ['new', 'old'] },
  { when: 'once that is over', previous: previousSecret, nowMs: 1_000, secrets: ['new'] },
]) {
  test(`${when} ${secrets.join(' and ')} signs`, () => {
    assert.deepEqual(signingSecrets({ url, secret: 'new', previousSecret: previous }, nowMs), secrets)
  })
}
