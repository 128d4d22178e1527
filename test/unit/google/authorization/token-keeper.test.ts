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

/** Answers a refresh as Google does: without a refresh token. */
function answerRefreshed({ oauth }: Pulled, accessToken = 'access-2', refreshToken?: string): void {
  const { refresh_token: _, ...tokens } = someTokens({ access_token: accessToken, expiry_date: startedAt + 2 * hourMs })
  oauth.answer = () => (refreshToken === undefined ? tokens : { ...tokens, refresh_token: refreshToken })
}

async function withAccount({ create }: Pulled): Promise<string> {
  const { id } = await create({ extdir_service_account: keyFile, extdir_subject: 'admin@acme.example' })
  return id
}

async function answerOf({ directories }: Pulled, directoryId: string) {
  const answer = directoryView(await directories.get(directoryId), '')
  return { status: answer.extdir_authorization_status, error: answer.extdir_authorization_error }
}

test('a token is taken as it is stored until five minutes before its end', async () => {
  await using pulled = await openPulled()
  const directoryId = await connected(pulled)
  pulled.wait(hourMs - fiveMinutesMs - 1)
  assert.equal(await pulled.keeper.tokensOf(directoryId).token(), 'access-1')
  assert.deepEqual(pulled.oauth.asked, [])
})

test('a token is renewed five minutes before its end, and stored again', async () => {
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

test('a refresh token that was rotated takes the place of the old one', async () => {
  await using pulled = await openPulled()
  const directoryId = await connected(pulled)
  answerRefreshed(pulled, 'access-2', 'refresh-2')
  await pulled.keeper.tokensOf(directoryId).renewed('access-1')
  assert.equal((await pulled.stored(directoryId)).refreshToken, 'refresh-2')
})

test('a token whose end nobody knows is taken until it is refused', async () => {
  await using pulled = await openPulled()
  const { id } = await pulled.create({ extdir_access_token: 'access-1', extdir_refresh_token: 'refresh-1' })
  answerRefreshed(pulled)
  pulled.wait(24 * hourMs)
  const tokens = pulled.keeper.tokensOf(id)
  assert.equal(await tokens.token(), 'access-1')
  assert.equal(await tokens.renewed('access-1'), 'access-2')
})

test('a refresh token alone is enough', async () => {
  await using pulled = await openPulled()
  const { id } = await pulled.create({ extdir_refresh_token: 'refresh-1' })
  answerRefreshed(pulled)
  assert.equal(await pulled.keeper.tokensOf(id).token(), 'access-2')
})

test('a token that was refused and has been renewed since is not renewed again', async () => {
  await using pulled = await openPulled()
  const directoryId = await connected(pulled)
  assert.equal(await pulled.keeper.tokensOf(directoryId).renewed('access-0'), 'access-1')
  assert.deepEqual(pulled.oauth.asked, [])
})

test('a directory has one renewal at a time, which all wait for', async () => {
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

test('a renewal that fails fails for all who wait, and the next one tries anew', async () => {
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

test('directories are renewed side by side', async () => {
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

test('a consent that was given while a token was renewed wins', async () => {
  await using pulled = await openPulled()
  const directoryId = await connected(pulled)
  pulled.oauth.answer = async () => {
    await pulled.authorization.setToken({ directoryId, accessToken: 'consented', refreshToken: 'anew' }, testCaller)
    return someTokens({ access_token: 'outdated' })
  }
  assert.equal(await pulled.keeper.tokensOf(directoryId).renewed('access-1'), 'consented')
  const { accessToken, refreshToken } = await pulled.stored(directoryId)
  assert.deepEqual([accessToken, refreshToken], ['consented', 'anew'])
})

test('a consent that was given while a token was refused for good wins', async () => {
  await using pulled = await openPulled()
  const directoryId = await connected(pulled)
  pulled.oauth.answer = async () => {
    await pulled.authorization.setToken({ directoryId, accessToken: 'consented', refreshToken: 'anew' }, testCaller)
    return revoked
  }
  assert.equal(await pulled.keeper.tokensOf(directoryId).renewed('access-1'), 'consented')
  assert.deepEqual(await answerOf(pulled, directoryId), { status: 'authorized', error: null })
})

test('a change of other fields while a token is renewed is kept', async () => {
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

test('of two processes that renew at once, the one whose refresh token was rotated away takes what the other got', async () => {
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

test('a directory whose tokens are dead needs authorization, and Google is asked no more', async () => {
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
  test(`a directory whose tokens were dead is pulled again after ${how}`, async () => {
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
  test(`a failure that no administrator can mend (${kind}) asks for none`, async () => {
    await using pulled = await openPulled()
    const directoryId = await connected(pulled)
    pulled.oauth.answer = () => new GoogleFailure(kind, 'Something else.')
    await assert.rejects(pulled.keeper.tokensOf(directoryId).renewed('access-1'), { kind })
    assert.deepEqual(await answerOf(pulled, directoryId), { status: 'authorized', error: null })
  })
}

test('an access token without a refresh token is taken to its end, and needs authorization then', async () => {
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

test('an access token without a refresh token that is refused needs authorization', async () => {
  await using pulled = await openPulled()
  const { id } = await pulled.create({ extdir_access_token: 'access-1' })
  await assert.rejects(pulled.keeper.tokensOf(id).renewed('access-1'), needsAuthorization)
  assert.equal((await answerOf(pulled, id)).status, 'needs_authorization')
})

test('a directory that was never connected is not said to need it anew', async () => {
  await using pulled = await openPulled()
  const { id } = await pulled.create()
  await assert.rejects(pulled.keeper.tokensOf(id).token(), needsAuthorization)
  assert.deepEqual(await answerOf(pulled, id), { status: 'none', error: null })
})

test('a service account gets its tokens as the administrator that it acts as', async () => {
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

test('the token of a service account is in memory until five minutes before its end, and is never stored', async () => {
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

test('the token of a service account is got anew when it is refused', async () => {
  await using pulled = await openPulled()
  const tokens = pulled.keeper.tokensOf(await withAccount(pulled))
  await tokens.token()
  pulled.oauth.answer = () => someTokens({ access_token: 'access-2' })
  assert.equal(await tokens.renewed('access-1'), 'access-2')
})

test('a service account that acts as somebody else gets another token', async () => {
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
  test(`a service account that Google refuses needs authorization until ${what} is set anew`, async () => {
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

test('there are no tokens for a directory that is deleted', async () => {
  await using pulled = await openPulled()
  const directoryId = await connected(pulled)
  await pulled.directories.delete(directoryId, testCaller)
  await assert.rejects(pulled.keeper.tokensOf(directoryId).token(), { code: 'directory-not-found' })
})
