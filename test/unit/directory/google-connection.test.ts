import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { GoogleConnection } from '../../../src/directory/directory.ts'
import { changedGoogleConnection } from '../../../src/directory/google-connection.ts'
import { keyFile } from '../../support/key-file.ts'

const dead: GoogleConnection = {
  domain: 'acme.example',
  accessToken: 'access-1',
  refreshToken: 'refresh-1',
  accessTokenExpiresAt: 1_700_000_000_000,
  scope: 'a b',
  serviceAccount: undefined,
  authorizationNeeded: 'Revoked.',
}
const account = { extdir_service_account: keyFile, extdir_subject: 'admin@acme.example' }

for (const [what, fields] of [
  ['nothing', {}],
  ['the domain', { extdir_domain: 'other.example' }],
] as const) {
  test(`a directory that needs authorization still does after setting ${what}`, () => {
    const domain = 'other.example'
    assert.partialDeepStrictEqual({ ...changedGoogleConnection(fields, dead), domain }, { ...dead, domain })
  })
}

for (const [what, fields] of [
  ['an access token', { extdir_access_token: 'access-2' }],
  ['a refresh token', { extdir_refresh_token: 'refresh-2' }],
  ['a service account', account],
] as const) {
  test(`a directory no longer needs authorization after setting ${what}`, () => {
    assert.equal(changedGoogleConnection(fields, dead).authorizationNeeded, undefined)
  })
}

test('a service account with a new subject no longer needs authorization', () => {
  const before = {
    ...changedGoogleConnection(account, undefined),
    authorizationNeeded: 'The subject is no administrator.',
  }
  const after = changedGoogleConnection({ extdir_subject: 'other@acme.example' }, before)
  assert.equal(after.authorizationNeeded, undefined)
  assert.deepEqual(after.serviceAccount, { ...before.serviceAccount, subject: 'other@acme.example' })
})

test('a new key of a service account keeps its subject', () => {
  const before = changedGoogleConnection(account, undefined)
  const after = changedGoogleConnection({ extdir_service_account: { ...keyFile, private_key_id: 'key-2' } }, before)
  assert.deepEqual(after.serviceAccount, { ...before.serviceAccount, privateKeyId: 'key-2' })
})

test('the subject of a key file is used unless extdir_subject is set', () => {
  const fields = { extdir_service_account: { ...keyFile, subject: 'in@acme.example' } }
  assert.equal(changedGoogleConnection(fields, undefined).serviceAccount?.subject, 'in@acme.example')
  const both = changedGoogleConnection({ ...fields, extdir_subject: 'beside@acme.example' }, undefined)
  assert.equal(both.serviceAccount?.subject, 'beside@acme.example')
})

test('only the account and the key of a key file are stored', () => {
  assert.deepEqual(Object.keys(changedGoogleConnection(account, undefined).serviceAccount ?? {}), [
    'clientEmail',
    'privateKey',
    'privateKeyId',
    'subject',
  ])
})

test('setting a token removes the expiry and scopes of the old one', () => {
  const { accessTokenExpiresAt, scope } = changedGoogleConnection({ extdir_access_token: 'access-2' }, dead)
  assert.deepEqual([accessTokenExpiresAt, scope], [undefined, undefined])
})

test('an access token kept beside a new refresh token counts as expired, as it may belong to another account', () => {
  const { accessToken, accessTokenExpiresAt } = changedGoogleConnection({ extdir_refresh_token: 'refresh-2' }, dead)
  assert.deepEqual([accessToken, accessTokenExpiresAt], ['access-1', 0])
})
