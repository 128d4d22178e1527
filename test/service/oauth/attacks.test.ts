import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { CryptoKey } from 'jose'
import { exportSPKI, importJWK } from 'jose'
import type { Explanation } from '../../../src/diagnostics/explain/explanation.ts'
import type { HealthView } from '../../../src/diagnostics/health/view.ts'
import type { Answer } from '../../support/client.ts'
import { assertApiError, assertScimError } from '../../support/errors.ts'
import type { IssuerKey, TestIssuer } from '../../support/issuer.ts'
import { audience, claimsAt, federated, newIssuerKey, startIssuer, subject } from '../../support/issuer.ts'
import { forEachEngine, serviceForSuite, startTestService } from '../../support/service.ts'
import type { TokenBody } from './support/clients.ts'
import {
  createClient,
  lastProblem,
  presentAssertion,
  requestToken,
  scimWith,
  tokenOf,
  tokenPath,
} from './support/clients.ts'

let issuer: TestIssuer
let stranger: TestIssuer
let elliptic: IssuerKey
before(async () => {
  ;[issuer, stranger, elliptic] = await Promise.all([startIssuer(), startIssuer(), newIssuerKey('key-ec', 'ES256')])
})
after(() => Promise.all([issuer.close(), stranger.close()]))

const seconds = () => Math.floor(Date.now() / 1_000)
const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** An unsigned JWT, or one whose signature is computed from its content. */
function forged(header: object, signature: (content: string) => string = () => ''): string {
  const content = `${encoded(header)}.${encoded(claimsAt(Date.now(), issuer.issuer))}`
  return `${content}.${signature(content)}`
}

/** The public key as an attacker would use it as a secret: in PEM. */
async function signedWithPublicKey(): Promise<string> {
  const [key] = issuer.keys
  assert(key !== undefined)
  const pem = await exportSPKI((await importJWK(key.jwk, 'RS256', { extractable: true })) as CryptoKey)
  return forged({ alg: 'HS256', kid: key.kid }, (content) =>
    createHmac('sha256', pem).update(content).digest('base64url'),
  )
}

/** Each assertion, and the problem that health names. */
const attacks: Record<string, { readonly sign: () => Promise<string> | string; readonly problem: RegExp }> = {
  'is not signed': {
    sign: () => forged({ alg: 'none', kid: 'key-1' }),
    problem: /algorithm is `none`, but it must be one of RS256, PS256, ES256/,
  },
  'is signed with the public key as a secret': { sign: signedWithPublicKey, problem: /algorithm is `HS256`/ },
  'has no kid': { sign: () => forged({ alg: 'RS256' }, () => 'AAAA'), problem: /no kid/ },
  'is of the issuer of another tenant': {
    sign: () => stranger.sign(),
    problem: /issuer is `http:.*`, this client expects `http:/,
  },
  'claims the issuer, but is signed with the key of another one that has the same kid': {
    sign: () => stranger.sign({ iss: issuer.issuer }),
    problem: /signature is wrong/,
  },
  'is for another audience': {
    sign: () => issuer.sign({ aud: 'api://x' }),
    problem: /^the assertion's audience is `api:\/\/x`, this client expects `api:\/\/6f1f2a3c-/,
  },
  'is of another application': {
    sign: () => issuer.sign({ sub: 'another' }),
    problem: /subject is `another`, this client expects/,
  },
  'has expired': { sign: () => issuer.sign({ exp: seconds() - 61 }), problem: /has expired, at 20/ },
  'never expires': { sign: () => issuer.sign({ exp: undefined }), problem: /has no exp/ },
  'is not valid yet': { sign: () => issuer.sign({ nbf: seconds() + 70 }), problem: /not valid before 20/ },
  'was issued in the future': { sign: () => issuer.sign({ iat: seconds() + 70 }), problem: /not valid before 20/ },
  'is valid for more than a day': {
    sign: () => issuer.sign({ exp: seconds() + 90_000 }),
    problem: /more than 24 hours/,
  },
  'is signed with a key that the issuer does not publish': {
    sign: () => issuer.sign({}, elliptic),
    problem: /the issuer has no key `key-ec`/,
  },
  'is no JWT': { sign: () => 'eyJ9.e30', problem: /not a signed JWT/ },
}

function assertTokenError({ status, headers, body, text }: Answer<TokenBody>, expected: number, error: string): void {
  assert.equal(status, expected, text)
  assert.deepEqual(Object.keys(body), ['error', 'error_description'])
  assert.equal(body.error, error, text)
  assert.match(body.error_description ?? '', /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/)
  assert.equal(headers['cache-control'], 'no-store')
  if (status === 401) assert.equal(headers['www-authenticate'], 'Basic realm="SCIM"')
}

forEachEngine((engine) => {
  const service = serviceForSuite(engine, { TRUST_PROXY: '127.0.0.1' })

  for (const [what, { sign, problem }] of Object.entries(attacks)) {
    test(`an assertion that ${what} is refused, and health says why`, async () => {
      const directory = await service().createDirectory()
      const { client_id } = await createClient(service(), directory, federated(issuer))
      const refused = await presentAssertion(service(), await sign(), { client_id })
      assertTokenError(refused, 401, 'invalid_client')
      assert(!refused.text.includes(audience) && !refused.text.includes(subject), 'it reveals nothing of the client')
      assert.match((await lastProblem(service(), directory)) ?? '', problem)
    })
  }

  test('explain and the reason in health say what is wrong with the assertions of a directory', async () => {
    const directory = await service().createDirectory()
    const { client_id } = await createClient(service(), directory, federated(issuer))
    const sign = () => issuer.sign({ aud: 'api://x' })
    for (let n = 0; n < 5; n += 1) await presentAssertion(service(), await sign(), { client_id })
    const { body: explained } = await service().api('GET', `/explain?directoryId=${directory.id}&subject=ann`)
    const { verdict, sentence, for_customer } = explained.data as unknown as Explanation
    assert.equal(verdict, 'unauthorized')
    for (const text of [sentence, for_customer])
      assert.match(text, /the assertion's audience is `api:\/\/x`, this client/)
    const { body: health } = await service().api('GET', `/${directory.id}/health`)
    const { state, reasons } = health.data as unknown as HealthView
    assert.deepEqual([state, reasons[0]?.code], ['failing', 'unauthorized'])
    assert.match(reasons[0]?.message ?? '', /The last 5 requests could not be authenticated: the assertion's audience/)
    await tokenOf(service(), await createClient(service(), directory)).then((token) =>
      scimWith(service(), directory, token),
    )
    const { body: repaired } = await service().api('GET', `/${directory.id}/health`)
    assert.equal((repaired.data as unknown as HealthView).state, 'healthy')
  })

  test('the text of a forged assertion cannot break out of the sentence that shows it', async () => {
    const directory = await service().createDirectory()
    const { client_id } = await createClient(service(), directory, federated(issuer))
    await presentAssertion(service(), await issuer.sign({ aud: `a\n\u202e${'b'.repeat(5_000)}` }), { client_id })
    const problem = (await lastProblem(service(), directory)) ?? ''
    assert(problem.length < 500 && !/[\n\u202e]/.test(problem), problem)
  })

  test('a client of one directory opens no other', async () => {
    const [mine, theirs] = [await service().createDirectory(), await service().createDirectory({ tenant: 'globex' })]
    const client = await createClient(service(), mine)
    const token = await tokenOf(service(), client)
    assertScimError(await scimWith(service(), theirs, token), 401)
    const other = await createClient(service(), theirs, federated(issuer))
    assert.equal(
      (await presentAssertion(service(), await issuer.sign(), { client_id: client.client_id })).body.error,
      'invalid_client',
    )
    const secretOfMine = { client_id: other.client_id, client_secret: client.client_secret ?? '' }
    assertTokenError(await requestToken(service(), secretOfMine), 401, 'invalid_client')
    const path = `/${theirs.id}/oauth-clients/${client.client_id}`
    assertApiError(await service().api('DELETE', path), 404)
    assert.equal((await scimWith(service(), mine, token)).status, 200)
  })

  test('a token that was altered is refused, and the challenge says that it is invalid', async () => {
    const directory = await service().createDirectory()
    const token = await tokenOf(service(), await createClient(service(), directory))
    const [key = '', client = '', expiry = '', mac = ''] = token.split('.')
    const later = `${key}.${client}.${Number(expiry) + 1}.${mac}`
    const unknownKey = `rct_AAAAAAAA.${client}.${expiry}.${mac}`
    for (const altered of [later, unknownKey, `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`, `${token}A`]) {
      const refused = await scimWith(service(), directory, altered)
      assertScimError(refused, 401)
      assert.match(
        String(refused.headers['www-authenticate']),
        /^Bearer realm="SCIM", error="invalid_token", error_desc/,
      )
    }
    const none = await service().request('GET', directory.scim.path)
    assert.equal(none.headers['www-authenticate'], 'Bearer realm="SCIM"')
  })

  test('a token in the URL is not accepted', async () => {
    const directory = await service().createDirectory()
    const token = await tokenOf(service(), await createClient(service(), directory))
    assertScimError(await service().request('GET', `${directory.scim.path}/Users?access_token=${token}`), 401)
  })

  test('a token ends while its directory is deactivated, and with the directory', async () => {
    const directory = await service().createDirectory()
    const { client_id, client_secret = '' } = await createClient(service(), directory)
    const token = await tokenOf(service(), await createClient(service(), directory))
    await service().api('PATCH', `/${directory.id}`, { deactivated: true })
    assertScimError(await scimWith(service(), directory, token), 403)
    assertTokenError(await requestToken(service(), { client_id, client_secret }), 400, 'unauthorized_client')
    await service().api('PATCH', `/${directory.id}`, { deactivated: false })
    assert.equal((await scimWith(service(), directory, token)).status, 200)
    await service().api('DELETE', `/${directory.id}`)
    assertScimError(await scimWith(service(), directory, token), 404)
    assertTokenError(await requestToken(service(), { client_id, client_secret }), 401, 'invalid_client')
  })

  test('a request that is not one form with each parameter once is refused', async () => {
    const { client_id, client_secret = '' } = await createClient(service(), await service().createDirectory())
    const form = `grant_type=client_credentials&client_id=${client_id}&client_secret=${client_secret}`
    const send = (body: string, type = 'application/x-www-form-urlencoded', query = '', headers = {}) =>
      service().request('POST', tokenPath + query, { body, headers: { 'content-type': type, ...headers } }) as Promise<
        Answer<unknown>
      > as Promise<Answer<TokenBody>>
    assert.equal((await send(form)).status, 200)
    const basic = { authorization: `Basic ${btoa(`${client_id}:${client_secret}`)}` }
    for (const refused of [
      send(`${form}&client_id=${client_id}`),
      send(`${form}&scope=scim&scope=scim`),
      send(JSON.stringify({ grant_type: 'client_credentials', client_id, client_secret }), 'application/json'),
      send(form, 'text/plain'),
      send(form, 'multipart/form-data; boundary=x'),
      send('grant_type=client_credentials', undefined, `?client_id=${client_id}&client_secret=${client_secret}`),
      send(form, undefined, '?scope=scim'),
      send(form, undefined, '', basic),
      send(`grant_type=client_credentials&client_id=x`, undefined, '', basic),
      send(''),
      send(`client_id=${client_id}&client_secret=${client_secret}`),
      send(`${form}&client_assertion=x`),
    ]) {
      assertTokenError(await refused, 400, 'invalid_request')
    }
    assertTokenError(await send(form.replace('client_credentials', 'password')), 400, 'unsupported_grant_type')
    assert.equal((await send(`${form}&a=${'x'.repeat(40_000)}`)).status, 413)
    assert.equal((await service().request('GET', `${tokenPath}?${form}`)).status, 405)
  })

  test('after many failures they are refused with 429, and the right secret is still accepted', async () => {
    const directory = await service().createDirectory()
    const { client_id, client_secret = '' } = await createClient(service(), directory)
    const wrong = { client_id, client_secret: `rcs_${'A'.repeat(43)}` }
    const fail = () => requestToken(service(), wrong)
    const answers = await Promise.all(Array.from({ length: 60 }, fail))
    const limited = answers.filter(({ status }) => status === 429)
    assert(limited.length > 0, 'a client may fail 30 times a minute')
    assert.match(String(limited[0]?.headers['retry-after']), /^\d+$/)
    assert.equal((await requestToken(service(), { client_id, client_secret })).status, 200)
    assert.match((await lastProblem(service(), directory)) ?? '', /secret of the OAuth client `.*` is wrong/)
  })
})

test('keys are not to be fetched from a private address, nor over http', async (t) => {
  await using service = await startTestService('sqlite', { EXTERNAL_URL: 'https://rollcall.example' })
  const directory = await service.createDirectory()
  for (const [field, url] of [
    ['jwks_url', 'https://10.0.0.1/keys'],
    ['jwks_url', 'https://169.254.169.254/keys'],
    ['jwks_url', 'https://localhost/keys'],
    ['jwks_url', 'http://login.example/keys'],
    ['jwks_url', 'https://user:password@login.example/keys'],
    ['issuer', 'https://192.168.1.1'],
    ['issuer', 'file:///etc/passwd'],
  ]) {
    await t.test(`${field} ${url}`, async () => {
      const fields = {
        ...{ type: 'federated', issuer: 'https://login.example', subject, audience },
        [field ?? '']: url,
      }
      const refused = await service.api('POST', `/${directory.id}/oauth-clients`, fields)
      assertApiError(refused, 400)
      assert.equal(refused.body.error.problems?.[0]?.field, field)
    })
  }
})
