import assert from 'node:assert/strict'
import type { KeyObject } from 'node:crypto'
import { createHmac, createSecretKey, generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { SignJWT } from 'jose'
import { newSecret } from '../../../src/directory/secret.ts'
import { adminPrefix } from '../../../src/http/admin/routes.ts'
import type { Answer } from '../../support/client.ts'
import { apiPrefix } from '../../support/client.ts'
import type { Engine } from '../../support/service.ts'
import { forEachEngine, forSuite, openTestDatabase, startTestService } from '../../support/service.ts'
import { admin, adminSettings, logIn } from './support/admin.ts'
import { plantSecret } from './support/service-secret.ts'

const secret = newSecret()
const rightKey = createSecretKey(secret, 'base64url')
const wrongKey = createSecretKey(newSecret(), 'base64url')
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const pem = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }).toString()
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A service with a signing key known to the test, and two admins. */
async function openWorld(engine: Engine) {
  const database = await openTestDatabase(engine)
  await plantSecret(database, 'admin-jwt', secret)
  const service = await startTestService(database, adminSettings)
  const [ada, eve] = [await logIn(service), await logIn(service, 'eve@example.com')]
  return {
    ...{ service, ada, eve },
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}
type World = Awaited<ReturnType<typeof openWorld>>

const doors = [`${adminPrefix}/user/me`, `${adminPrefix}/event`, `${apiPrefix}/providers`]

async function knock({ service }: World, authorization: string): Promise<Answer[]> {
  return Promise.all(doors.map((path) => service.request('GET', path, { headers: { authorization } })))
}

async function statusesOf(world: World, authorization: string): Promise<number[]> {
  return (await knock(world, authorization)).map(({ status }) => status)
}

const [accepted, refused] = [doors.map(() => 200), doors.map(() => 401)]
const seconds = () => Math.floor(Date.now() / 1000)

function claimsOf({ answer: { user, adminToken } }: World['ada']) {
  const now = seconds()
  const subject = { sub: user.id, jti: adminToken.id }
  return { iss: 'rollcall', aud: 'rollcall-admin', ...subject, iat: now, exp: now + 3600 }
}

interface Forgery {
  readonly header?: object
  readonly claims?: object
  readonly key?: Parameters<SignJWT['sign']>[0]
}

function forged({ ada }: World, { header = {}, claims = {}, key = rightKey }: Forgery = {}): Promise<string> {
  return new SignJWT({ ...claimsOf(ada), ...claims })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT', ...header })
    .sign(key)
}

const partsOf = ({ ada }: World) => ada.answer.token.split('.') as [string, string, string]

/** Forged JWTs, some made with the right key, each with one fault. */
const forgeries: Readonly<Record<string, (world: World) => string | Promise<string>>> = {
  'alg none without a signature': (world) => `${encoded({ alg: 'none', typ: 'JWT' })}.${partsOf(world)[1]}.`,
  'alg none with a signature': (world) =>
    `${encoded({ alg: 'none', typ: 'JWT' })}.${partsOf(world)[1]}.${partsOf(world)[2]}`,
  'alg None': (world) => `${encoded({ alg: 'None', typ: 'JWT' })}.${partsOf(world)[1]}.${partsOf(world)[2]}`,
  'no alg': (world) => `${encoded({ typ: 'JWT' })}.${partsOf(world)[1]}.${partsOf(world)[2]}`,
  'a list of algs': (world) => `${encoded({ alg: ['HS256'], typ: 'JWT' })}.${partsOf(world)[1]}.${partsOf(world)[2]}`,
  'another key': (world) => forged(world, { key: wrongKey }),
  'an empty key': ({ ada }) => {
    const signed = `${encoded({ alg: 'HS256', typ: 'JWT' })}.${encoded(claimsOf(ada))}`
    return `${signed}.${createHmac('sha256', '').update(signed).digest('base64url')}`
  },
  'the text of the key as the key': (world) => forged(world, { key: Buffer.from(secret) }),
  RS256: (world) => forged(world, { header: { alg: 'RS256' }, key: rsa.privateKey }),
  ES256: (world) => forged(world, { header: { alg: 'ES256' }, key: ec.privateKey }),
  'HS256 with an RSA public key as the secret': (world) => forged(world, { key: Buffer.from(pem(rsa.publicKey)) }),
  'HS256 with an EC public key as the secret': (world) => forged(world, { key: Buffer.from(pem(ec.publicKey)) }),
  'RS256 in the header over an HMAC': (world) =>
    `${encoded({ alg: 'RS256', typ: 'JWT' })}.${partsOf(world)[1]}.${partsOf(world)[2]}`,
  'HS512 with the right key': (world) => forged(world, { header: { alg: 'HS512' }, key: Buffer.alloc(64, 1) }),
  'its key in its header': (world) =>
    forged(world, { header: { jwk: wrongKey.export({ format: 'jwk' }) }, key: wrongKey }),
  'an address of its key': (world) => forged(world, { header: { jku: 'http://127.0.0.1/' }, key: wrongKey }),
  'a key id that is a path': (world) => forged(world, { header: { kid: '../../../dev/null' }, key: wrongKey }),
  'an unknown critical header': (world) =>
    `${encoded({ alg: 'HS256', typ: 'JWT', crit: ['x'], x: 1 })}.${partsOf(world)[1]}.${partsOf(world)[2]}`,
  'an end that is past': (world) => forged(world, { claims: { exp: seconds() - 1 } }),
  'no end': (world) => forged(world, { claims: { exp: undefined } }),
  'an end that is text': (world) => forged(world, { claims: { exp: '9999999999' } }),
  'a beginning to come': (world) => forged(world, { claims: { nbf: seconds() + 600 } }),
  'another issuer': (world) => forged(world, { claims: { iss: 'rollcall2' } }),
  'no issuer': (world) => forged(world, { claims: { iss: undefined } }),
  'another audience': (world) => forged(world, { claims: { aud: 'rollcall' } }),
  'no audience': (world) => forged(world, { claims: { aud: undefined } }),
  'another typ': (world) => forged(world, { header: { typ: 'at+jwt' } }),
  'no typ': (world) => forged(world, { header: { typ: undefined } }),
  'no user': (world) => forged(world, { claims: { sub: undefined } }),
  'no admin token': (world) => forged(world, { claims: { jti: undefined } }),
  'an unknown admin token': (world) => forged(world, { claims: { jti: '01890000-0000-7000-8000-000000000000' } }),
  'the admin token of somebody else': (world) => forged(world, { claims: { jti: world.eve.answer.adminToken.id } }),
  'the user of somebody else': (world) => forged(world, { claims: { sub: world.eve.answer.user.id } }),
  'an admin token that is a list': (world) => forged(world, { claims: { jti: [world.ada.answer.adminToken.id] } }),
  'an admin token that is SQL': (world) => forged(world, { claims: { jti: "' or '1'='1" } }),
  'an admin token with a NUL': (world) => forged(world, { claims: { jti: `${world.ada.answer.adminToken.id}\0` } }),
  'an admin token with half a character': (world) => forged(world, { claims: { jti: '\ud800' } }),
  'no signature': (world) => partsOf(world).slice(0, 2).join('.'),
  'an empty signature': (world) => `${partsOf(world).slice(0, 2).join('.')}.`,
  'half a signature': (world) => world.ada.answer.token.slice(0, -20),
  'half a payload': (world) =>
    partsOf(world)
      .map((part, n) => (n === 1 ? part.slice(0, 20) : part))
      .join('.'),
  'other claims': (world) =>
    `${partsOf(world)[0]}.${encoded({ ...claimsOf(world.ada), exp: seconds() + 99_999 })}.${partsOf(world)[2]}`,
  'the payload twice': (world) =>
    [partsOf(world)[0], partsOf(world)[1], partsOf(world)[1], partsOf(world)[2]].join('.'),
  'five parts': () => 'a.b.c.d.e',
  'nothing in its parts': () => '..',
  'no JSON': () => 'e30.e30.e30',
  'padded parts': (world) =>
    partsOf(world)
      .map((part) => `${part}==`)
      .join('.'),
  'more than 4 KB': (world) => forged(world, { claims: { padding: 'x'.repeat(4096) } }),
}

forEachEngine((engine) => {
  const world = forSuite(() => openWorld(engine))

  test('the JWT that each forgery varies in one thing is valid', async () => {
    assert.deepEqual(await statusesOf(world(), `Bearer ${await forged(world())}`), accepted)
    assert.deepEqual(await statusesOf(world(), world().ada.bearer), accepted)
  })

  for (const [what, forge] of Object.entries(forgeries)) {
    test(`a JWT with ${what} is rejected`, async () => {
      const responses = await knock(world(), `Bearer ${await forge(world())}`)
      assert.deepEqual(
        responses.map(({ status }) => status),
        refused,
      )
      const messages = new Set(responses.map(({ body }) => body.error.message))
      assert(![...messages].some((message) => /jwt|signature|expired|claim|alg/i.test(message)), 'it does not say why')
    })
  }

  test('a JWT is not accepted as an API key, a SCIM secret or for a login', async () => {
    const { service, ada } = world()
    const { scim } = await service.createDirectory()
    const jwt = ada.answer.token
    for (const authorization of [`Api-Key ${jwt}`, `token=${jwt}`, jwt, `JWT ${jwt}`, `Bearer  ${jwt}`]) {
      assert.deepEqual(await statusesOf(world(), authorization), refused, authorization.slice(0, 8))
    }
    assert.equal((await service.scim({ scim: { ...scim, secret: jwt } }, 'GET', '/Users')).status, 401)
    const body = { claims: { upstreamToken: jwt, email: 'ada@example.com' } }
    assert.equal((await admin(service, `token=${jwt}`, 'POST', '/user/_login', body)).status, 401)
  })

  test('after a logout all credentials of the login are rejected', async () => {
    const { service } = world()
    const mallory = await logIn(service, 'mallory@example.com')
    const forgedBefore = await forged({ ...world(), ada: mallory })
    const all = [mallory.bearer, mallory.threePart, `Bearer ${forgedBefore}`]
    for (const header of all) assert.deepEqual(await statusesOf(world(), header), accepted)
    assert.equal((await admin(service, mallory.bearer, 'POST', '/user/_logout')).status, 200)
    for (const header of all) assert.deepEqual(await statusesOf(world(), header), refused)
    const again = await logIn(service, 'mallory@example.com')
    assert.deepEqual(await statusesOf(world(), again.bearer), accepted)
    for (const header of all) assert.deepEqual(await statusesOf(world(), header), refused)
  })

  test('a token in use that another admin disables is rejected immediately', async () => {
    const { service, ada } = world()
    const mallory = await logIn(service, 'mallory@example.com')
    let isDisabled = false
    const lateStatuses: number[] = []
    const user = async (header: string) => {
      for (let late = 0; late < 5; late += isDisabled ? 1 : 0) {
        const sentAfter = isDisabled
        const statuses = await statusesOf(world(), header)
        if (sentAfter) lateStatuses.push(...statuses)
      }
    }
    const users = [mallory.bearer, mallory.threePart].map(user)
    assert.deepEqual(await statusesOf(world(), mallory.threePart), accepted)
    const { status } = await admin(service, ada.bearer, 'DELETE', `/token/${mallory.answer.adminToken.id}`)
    isDisabled = true
    assert.equal(status, 200)
    await Promise.all(users)
    assert(lateStatuses.length > 0 && lateStatuses.every((late) => late === 401), lateStatuses.join())
  })
})
