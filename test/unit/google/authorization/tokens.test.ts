import assert from 'node:assert/strict'
import { test } from 'node:test'
import { directoryView } from '../../../../src/directory/directory-view.ts'
import { GoogleFailure } from '../../../../src/google/client/failure.ts'
import { testCaller } from '../../../support/audited.ts'
import { keyFile } from '../../../support/key-file.ts'
import type { Pulled } from './support/pulled.ts'
import { openPulled } from './support/pulled.ts'
import { allScopes, someTokens, startedAt } from './support/scripted-oauth.ts'

const hourMs = 3_600_000
const fiveMinutesMs = 300_000
const revoked = new GoogleFailure('needs-authorization', 'Google has revoked the access.')
const needsAuthorization = { name: 'GoogleFailure', kind: 'needs-authorization' }

/** A directory with tokens that are good for an hour. */
async function connected({ create, authorization }: Pulled): Promise<string> {
  const { id: directoryId } = await create()
  const tokens = {
    accessToken: 'access-1',
    refreshToken: 'refresh-1',
    expiryDate: startedAt + hourMs,
    scope: allScopes,
  }
  await authorization.setToken({ directoryId, ...tokens }, testCaller)
  return directoryId
}

/** Responds to a refresh like Google: without a refresh token. */
function answerRefreshed({ oauth }: Pulled, accessToken = 'access-2', refreshToken?: string): void {
  const { refresh_token: _, ...tokens } = someTokens({ access_token: accessToken, expiry_date: startedAt + 2 * hourMs })
  oauth.answer = () => (refreshToken === undefined ? tokens : { ...tokens, refresh_token: refreshToken })
}

async function withAccount({ create }: Pulled): Promise<string> {
  const { id } = await create({ extdir_service_account: keyFile, extdir_subject: 'admin@acme.example' })
  return id
}

async function answerOf({ directories }: Pulled, directoryId: string) {
  const response = directoryView(await directories.get(directoryId), '', null)
  return { status: response.extdir_authorization_status, error: response.extdir_authorization_error }
}

test('a stored token is used until five minutes before its expiry', async () => {
  await using pulled = await openPulled()
  const directoryId = await connected(pulled)
  pulled.wait(hourMs - fiveMinutesMs - 1)
  assert.equal(await pulled.keeper.tokensOf(directoryId).token(), 'access-1')
  assert.deepEqual(pulled.oauth.asked, [])
})

test('a token is renewed five minutes before its expiry, and stored', async () => {
  await using pulled = await openPulled()
  const directoryId = await connected(pulled)
  answerRefreshed(pulled)
  pulled.wait(hourMs - fiveMinutesMs)
  assert.equal(await pulled.keeper.tokensOf(directoryId).token(), 'access-2')
  assert.equal(await pulled.keeper.tokensOf(directoryId).token(), 'access-2')
  assert.deepEqual(pulled.oauth.asked, [['refresh', 'refresh-1']])
  assert.deepEqual(await pulled.stored(directoryId), {
    accessToken: 'access-2',
    refreshToken: 'refresh-1',
    accessTokenExpiresAt: startedAt + 2 * hourMs,
    scope: allScopes,
  })
})

test('a rotated refresh token replaces the old one', async () => {
  await using pulled = await openPulled()
  const directoryId = await connected(pulled)
  answerRefreshed(pulled, 'access-2', 'refresh-2')
  await pulled.keeper.tokensOf(directoryId).renewed('access-1')
  assert.equal((await pulled.stored(directoryId)).refreshToken, 'refresh-2')
})

test('a token without a known expiry is used until it is rejected', async () => {
  await using pulled = await openPulled()
  const { id } = await pulled.create({ extdir_access_token: 'access-1', extdir_refresh_token: 'refresh-1' })
  answerRefreshed(pulled)
  pulled.wait(24 * hourMs)
  const tokens = pulled.keeper.tokensOf(id)
  assert.equal(await tokens.token(), 'access-1')
  assert.equal(await tokens.renewed('access-1'), 'access-2')
})

test('a refresh token without an access token is enough', async () => {
  await using pulled = await openPulled()
  const { id } = await pulled.create({ extdir_refresh_token: 'refresh-1' })
  answerRefreshed(pulled)
  assert.equal(await pulled.keeper.tokensOf(id).token(), 'access-2')
})

test('a rejected token that was renewed in the meantime is not renewed again', async () => {
  await using pulled = await openPulled()
  const directoryId = await connected(pulled)
  assert.equal(await pulled.keeper.tokensOf(directoryId).renewed('access-0'), 'access-1')
  assert.deepEqual(pulled.oauth.asked, [])
})

test('concurrent callers share one renewal per directory', async () => {
  await using pulled = await openPulled()
  const directoryId = await connected(pulled)
  answerRefreshed(pulled)
  pulled.wait(hourMs)
  const callers = Array.from({ length: 20 }, (_, at) => {
    const tokens = pulled.keeper.tokensOf(directoryId)
    return at % 2 === 0 ? tokens.token() : tokens.renewed('access-1')
  })
  assert.deepEqual(new Set(await Promise.all(callers)), new Set(['access-2']))
  assert.equal(pulled.oauth.asked.length, 1)
})

test('a failed renewal fails for all waiting callers, and the next call tries again', async () => {
  await using pulled = await openPulled()
  const directoryId = await connected(pulled)
  const tokens = pulled.keeper.tokensOf(directoryId)
  pulled.oauth.answer = () => new GoogleFailure('unavailable', 'Google is silent.')
  const outcomes = await Promise.allSettled([tokens.renewed('access-1'), tokens.renewed('access-1')])
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.equal(pulled.oauth.asked.length, 1)
  answerRefreshed(pulled)
  assert.equal(await tokens.renewed('access-1'), 'access-2')
  assert.deepEqual(await answerOf(pulled, directoryId), { status: 'authorized', error: null })
})

test('different directories are renewed concurrently', async () => {
  await using pulled = await openPulled()
  const [one, other] = [await connected(pulled), await connected(pulled)]
  const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<Error>()]
  pulled.oauth.answer = () => {
    asked.resolve()
    return answered.promise
  }
  const waiting = pulled.keeper.tokensOf(one).renewed('access-1')
  await asked.promise
  answerRefreshed(pulled)
  assert.equal(await pulled.keeper.tokensOf(other).renewed('access-1'), 'access-2')
  answered.resolve(revoked)
  await assert.rejects(waiting, revoked)
})

test('a consent given during a renewal takes precedence', async () => {
  await using pulled = await openPulled()
  const directoryId = await connected(pulled)
  pulled.oauth.answer = async () => {
    await pulled.authorization.setToken({ directoryId, accessToken: 'consented', refreshToken: 'renewed' }, testCaller)
    return someTokens({ access_token: 'outdated' })
  }
  assert.equal(await pulled.keeper.tokensOf(directoryId).renewed('access-1'), 'consented')
  const { accessToken, refreshToken } = await pulled.stored(directoryId)
  assert.deepEqual([accessToken, refreshToken], ['consented', 'renewed'])
})

test('a consent given while Google rejects the old grant takes precedence', async () => {
  await using pulled = await openPulled()
  const directoryId = await connected(pulled)
  pulled.oauth.answer = async () => {
    await pulled.authorization.setToken({ directoryId, accessToken: 'consented', refreshToken: 'renewed' }, testCaller)
    return revoked
  }
  assert.equal(await pulled.keeper.tokensOf(directoryId).renewed('access-1'), 'consented')
  assert.deepEqual(await answerOf(pulled, directoryId), { status: 'authorized', error: null })
})

test('changes of other fields during a renewal are kept', async () => {
  await using pulled = await openPulled()
  const directoryId = await connected(pulled)
  pulled.oauth.answer = async () => {
    await pulled.directories.update(directoryId, { name: 'Renamed', extdir_domain: 'acme.example' }, testCaller)
    return someTokens({ access_token: 'access-2' })
  }
  assert.equal(await pulled.keeper.tokensOf(directoryId).renewed('access-1'), 'access-2')
  const { name, google: extdir } = await pulled.directories.get(directoryId)
  assert.deepEqual([name, extdir?.domain, extdir?.accessToken], ['Renamed', 'acme.example', 'access-2'])
})

test('when two processes renew concurrently, the one with the rotated refresh token uses the tokens of the other', async () => {
  await using pulled = await openPulled()
  const directoryId = await connected(pulled)
  const other = pulled.another().keeper
  pulled.oauth.answer = async () => {
    answerRefreshed(pulled, 'access-2', 'refresh-2')
    await other.tokensOf(directoryId).renewed('access-1')
    return revoked
  }
  assert.equal(await pulled.keeper.tokensOf(directoryId).renewed('access-1'), 'access-2')
  assert.deepEqual(await answerOf(pulled, directoryId), { status: 'authorized', error: null })
})

test('a directory with revoked tokens needs authorization, and no more requests are sent', async () => {
  await using pulled = await openPulled()
  const directoryId = await connected(pulled)
  pulled.oauth.answer = () => revoked
  const tokens = pulled.keeper.tokensOf(directoryId)
  await assert.rejects(tokens.renewed('access-1'), revoked)
  for (const again of [
    tokens.token(),
    tokens.renewed('access-1'),
    pulled.another().keeper.tokensOf(directoryId).token(),
  ]) {
    await assert.rejects(again, { ...needsAuthorization, message: revoked.message })
  }
  assert.equal(pulled.oauth.asked.length, 1)
  assert.deepEqual(await answerOf(pulled, directoryId), { status: 'needs_authorization', error: revoked.message })
})

for (const [how, setAnew] of [
  [
    'a consent',
    ({ authorization }, directoryId) => {
      return authorization.setToken({ directoryId, accessToken: 'access-3', refreshToken: 'refresh-3' }, testCaller)
    },
  ],
  [
    'a PATCH',
    ({ directories }, directoryId) => {
      return directories.update(
        directoryId,
        { extdir_access_token: 'access-3', extdir_refresh_token: 'refresh-3' },
        testCaller,
      )
    },
  ],
] as const satisfies readonly (readonly [string, (pulled: Pulled, directoryId: string) => Promise<unknown>])[]) {
  test(`a directory with revoked tokens works again after ${how}`, async () => {
    await using pulled = await openPulled()
    const directoryId = await connected(pulled)
    pulled.oauth.answer = () => revoked
    const tokens = pulled.keeper.tokensOf(directoryId)
    await assert.rejects(tokens.renewed('access-1'), revoked)
    await setAnew(pulled, directoryId)
    assert.equal(await tokens.token(), 'access-3')
    assert.deepEqual(await answerOf(pulled, directoryId), { status: 'authorized', error: null })
  })
}

for (const kind of ['unavailable', 'configuration', 'refused'] as const) {
  test(`a failure that no administrator can fix (${kind}) does not require authorization`, async () => {
    await using pulled = await openPulled()
    const directoryId = await connected(pulled)
    pulled.oauth.answer = () => new GoogleFailure(kind, 'Something else.')
    await assert.rejects(pulled.keeper.tokensOf(directoryId).renewed('access-1'), { kind })
    assert.deepEqual(await answerOf(pulled, directoryId), { status: 'authorized', error: null })
  })
}

test('an access token without a refresh token is used until it expires, and then needs authorization', async () => {
  await using pulled = await openPulled()
  const { id } = await pulled.create({ extdir_access_token: 'access-1' })
  await pulled.directories.changeGoogleConnection(id, (before) => ({
    ...before,
    accessTokenExpiresAt: startedAt + hourMs,
  }))
  const tokens = pulled.keeper.tokensOf(id)
  pulled.wait(hourMs - 1)
  assert.equal(await tokens.token(), 'access-1')
  pulled.wait(1)
  await assert.rejects(tokens.token(), needsAuthorization)
  assert.equal((await answerOf(pulled, id)).status, 'needs_authorization')
  assert.deepEqual(pulled.oauth.asked, [])
})

test('a rejected access token without a refresh token needs authorization', async () => {
  await using pulled = await openPulled()
  const { id } = await pulled.create({ extdir_access_token: 'access-1' })
  await assert.rejects(pulled.keeper.tokensOf(id).renewed('access-1'), needsAuthorization)
  assert.equal((await answerOf(pulled, id)).status, 'needs_authorization')
})

test('a directory that was never connected is not asked to authorize again', async () => {
  await using pulled = await openPulled()
  const { id } = await pulled.create()
  await assert.rejects(pulled.keeper.tokensOf(id).token(), needsAuthorization)
  assert.deepEqual(await answerOf(pulled, id), { status: 'none', error: null })
})

test('a service account gets tokens as the administrator it impersonates', async () => {
  await using pulled = await openPulled()
  const directoryId = await withAccount(pulled)
  assert.equal(await pulled.keeper.tokensOf(directoryId).token(), 'access-1')
  assert.deepEqual(pulled.oauth.asked, [
    [
      'impersonate',
      {
        clientEmail: keyFile.client_email,
        privateKey: keyFile.private_key,
        privateKeyId: keyFile.private_key_id,
        subject: 'admin@acme.example',
      },
    ],
  ])
})

test('the token of a service account is kept in memory until five minutes before its expiry, and never stored', async () => {
  await using pulled = await openPulled()
  const directoryId = await withAccount(pulled)
  const tokens = pulled.keeper.tokensOf(directoryId)
  const before = await pulled.directories.get(directoryId)
  await tokens.token()
  pulled.wait(hourMs - fiveMinutesMs - 1)
  await tokens.token()
  assert.equal(pulled.oauth.asked.length, 1)
  pulled.wait(1)
  await tokens.token()
  assert.equal(pulled.oauth.asked.length, 2)
  assert.deepEqual(await pulled.directories.get(directoryId), before)
})

test('a rejected token of a service account is replaced', async () => {
  await using pulled = await openPulled()
  const tokens = pulled.keeper.tokensOf(await withAccount(pulled))
  await tokens.token()
  pulled.oauth.answer = () => someTokens({ access_token: 'access-2' })
  assert.equal(await tokens.renewed('access-1'), 'access-2')
})

test('a service account with another subject gets another token', async () => {
  await using pulled = await openPulled()
  const directoryId = await withAccount(pulled)
  const tokens = pulled.keeper.tokensOf(directoryId)
  await tokens.token()
  await pulled.directories.update(directoryId, { extdir_subject: 'other@acme.example' }, testCaller)
  pulled.oauth.answer = () => someTokens({ access_token: 'access-2' })
  assert.equal(await tokens.token(), 'access-2')
})

for (const [what, change] of [
  ['its key file', { extdir_service_account: keyFile }],
  ['its subject', { extdir_subject: 'other@acme.example' }],
] as const) {
  test(`a rejected service account needs authorization until ${what} is set again`, async () => {
    await using pulled = await openPulled()
    const directoryId = await withAccount(pulled)
    const tokens = pulled.keeper.tokensOf(directoryId)
    pulled.oauth.answer = () => revoked
    await assert.rejects(tokens.token(), revoked)
    await assert.rejects(tokens.token(), needsAuthorization)
    assert.equal(pulled.oauth.asked.length, 1)
    pulled.oauth.answer = someTokens
    await pulled.directories.update(directoryId, change, testCaller)
    assert.equal(await tokens.token(), 'access-1')
  })
}

test('a deleted directory has no tokens', async () => {
  await using pulled = await openPulled()
  const directoryId = await connected(pulled)
  await pulled.directories.delete(directoryId, testCaller)
  await assert.rejects(pulled.keeper.tokensOf(directoryId).token(), { code: 'directory-not-found' })
})
