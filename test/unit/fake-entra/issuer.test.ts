import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { startFakeEntra } from '../../../tools/fake-entra/issuer.ts'

test('an assertion has the claims of Entra ID, and verifies with the keys that the discovery document names', async () => {
  await using entra = await startFakeEntra({ tenantId: 'tenant', appId: 'app', clock: () => 1_772_175_916_500 })
  const document = (await (await fetch(`${entra.issuer}/.well-known/openid-configuration`)).json()) as {
    issuer: string
    jwks_uri: string
  }
  assert.deepEqual([document.issuer, document.jwks_uri], [entra.issuer, entra.jwksUrl])
  const { payload } = await jwtVerify(await entra.assertion(), createRemoteJWKSet(new URL(entra.jwksUrl)), {
    currentDate: new Date(1_772_175_916_000),
  })
  const { issuer, subject } = entra
  assert.deepEqual(payload, {
    ...{ aud: 'api://app', iss: issuer, sub: subject, oid: subject, tid: 'tenant' },
    ...{ appid: 'app', appidacr: '2', idp: issuer, ver: '2.0' },
    ...{ iat: 1_772_175_916, nbf: 1_772_175_916, exp: 1_772_179_816 },
  })
  assert.equal(entra.audience, 'api://app/.default')
})

test('a changed claim and a key that is not published make assertions that must be refused', async () => {
  await using entra = await startFakeEntra()
  const keys = createRemoteJWKSet(new URL(entra.jwksUrl))
  await assert.rejects(jwtVerify(await entra.assertion({ claims: { exp: 1 } }), keys), { code: 'ERR_JWT_EXPIRED' })
  await assert.rejects(jwtVerify(await entra.assertion({ unpublished: true }), keys), {
    code: 'ERR_JWKS_NO_MATCHING_KEY',
  })
})

test('the next key is published before it signs, and the present one until another follows', async () => {
  await using entra = await startFakeEntra()
  const published = async () => {
    const { keys } = (await (await fetch(entra.jwksUrl)).json()) as { keys: { kid: string }[] }
    return keys.map(({ kid }) => kid)
  }
  const signing = async () => decodeProtectedHeader(await entra.assertion()).kid
  const [first, second] = await published()
  assert.equal(await signing(), first)
  await entra.rotateKeys()
  assert.equal(await signing(), second)
  assert.equal((await published())[0], second)
})

test('while it is down, it answers with 503', async () => {
  await using entra = await startFakeEntra()
  entra.isDown = true
  assert.equal((await fetch(entra.jwksUrl)).status, 503)
  assert.equal(entra.requests.keys, 1)
})
