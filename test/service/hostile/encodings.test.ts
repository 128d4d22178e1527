import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Answer } from '../../support/client.ts'
import { apiPrefix } from '../../support/client.ts'
import { assertApiError, assertScimError } from '../../support/errors.ts'
import { forEachEngine, forSuite, startTestService, testApiKey } from '../../support/service.ts'
import { adminSettings, logIn, rootToken } from './support/admin.ts'

/** The bytes of a text in which each `ö` is a single byte, as in Latin-1. */
const latin1 = (text: string) => Buffer.from(text, 'latin1')
const json = (value: unknown) => JSON.stringify(value)
const apiKey = { authorization: `Api-Key ${testApiKey}` }
const jsonType = { 'content-type': 'application/json' }

/** The route families that take JSON; `{…}` in their paths is replaced, and the credentials are added. */
const jsonRoutes = [
  ['POST', '{scim}/Users', { userName: 'jörg' }],
  ['POST', '{scim}/Groups', { displayName: 'Köche' }],
  ['PUT', '{scim}/Users/{user}', { userName: 'jörg' }],
  ['PATCH', '{scim}/Users/{user}', { Operations: [{ op: 'add', path: 'nickName', value: 'Jörg' }] }],
  ['PATCH', '{scim}/Groups/{group}', { Operations: [{ op: 'replace', path: 'displayName', value: 'Köche' }] }],
  ['POST', '{scim}/Users/.search', { filter: 'userName eq "jörg"' }],
  ['POST', '{scim}/Bulk', { Operations: [{ method: 'POST', path: '/Users', data: { userName: 'jörg' } }] }],
  ['POST', '{scim}/Users', { userName: 'jörg', nickName: 'x'.repeat(100_000) }],
  ['POST', '{api}', { tenant: 'köln', product: 'crm' }],
  ['PATCH', '{api}/{id}', { name: 'Köln' }],
  ['PUT', '{api}/{id}/mapping', { mapping: { roles: { köche: [] } } }],
  ['POST', '{api}/{id}/mapping/preview', { mapping: { roles: { köche: [] } } }],
  ['POST', '{api}/setuplinks', { tenant: 'acme', product: 'crm', name: 'Köln' }],
  ['POST', '{api}/privacy/export', { tenant: 'acme', product: 'crm', subject: 'jörg' }],
  ['POST', '{api}/privacy/erase', { tenant: 'acme', product: 'crm', subject: 'jörg' }],
  ['POST', '/api/v1/dsync', { tenant: 'köln', product: 'crm' }],
  ['POST', '/api/v1/setup/directory', { type: 'okta-scim-v2', name: 'jörg' }],
  ['POST', '/auditlog/admin/v1/user/_login', { claims: { upstreamToken: rootToken, email: 'jörg@example.com' } }],
  ['POST', '/console/session', { name: 'jörg' }],
] as const

forEachEngine((engine) => {
  const opened = forSuite(async () => {
    const service = await startTestService(engine, adminSettings)
    const directory = await service.createDirectory()
    const user = await service.scim(directory, 'POST', '/Users', { userName: 'ann' })
    const group = await service.scim(directory, 'POST', '/Groups', { displayName: 'Cooks' })
    const link = await service.api('POST', '/setuplinks', { tenant: 'portal', product: 'crm', name: 'Portal' })
    const { bearer } = await logIn(service)
    const setupToken = String(Object(link.body.data)['url']).replace(/.*\//, '')
    const scim = `/api/scim/v2.0/${directory.id}`
    const places = { '{scim}': scim, '{api}': apiPrefix, '{id}': directory.id }
    const pathOf = (pattern: string) =>
      Object.entries({ ...places, '{user}': user.body.id, '{group}': group.body.id }).reduce(
        (path, [name, value]) => path.replace(name, value),
        pattern,
      )
    function credentialFor(path: string): Record<string, string> {
      if (path.includes('/scim/')) return { authorization: `Bearer ${directory.scim.secret}` }
      if (path.includes('/_login')) return { authorization: `token=${rootToken}` }
      if (path.includes('/auditlog/')) return { authorization: bearer }
      if (path.includes('/v1/setup')) return { authorization: `Setup ${setupToken}` }
      return path.includes('/console/') ? { origin: service.origin } : apiKey
    }
    return {
      service,
      directory,
      scim,
      send(method: string, pattern: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
        const path = pathOf(pattern)
        return service.request(method, path, { headers: { ...credentialFor(path), ...headers }, body })
      },
      [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
    }
  })

  function assertRefused(answer: Answer, path: string, status: number, pattern: RegExp): void {
    if (path.includes('{scim}')) assertScimError(answer, status, status === 400 ? 'invalidSyntax' : undefined)
    else assertApiError(answer, status)
    assert.match(answer.text, pattern)
  }

  for (const [method, path, fields] of jsonRoutes) {
    const size = json(fields).length > 65_536 ? ' with a large body' : ''
    test(`${method} ${path}${size} rejects a body that is not UTF-8: ${Object.keys(fields).join(', ')}`, async () => {
      const answer = await opened().send(method, path, latin1(json(fields)), jsonType)
      assertRefused(answer, path, 400, /The body is not UTF-8/)
    })

    test(`${method} ${path}${size} rejects compressed bodies and other charsets: ${Object.keys(fields)}`, async () => {
      const { send } = opened()
      const zipped = await send(method, path, gzipSync(json(fields)), { ...jsonType, 'content-encoding': 'gzip' })
      assertRefused(zipped, path, 415, /send it uncompressed/)
      assert.equal(zipped.headers['accept-encoding'], 'identity')
      for (const charset of ['iso-8859-1', '"UTF-16"', 'windows-1252']) {
        const type = { 'content-type': `application/json; charset=${charset}` }
        assertRefused(await send(method, path, latin1(json(fields)), type), path, 415, /send the body as UTF-8/)
      }
    })
  }

  for (const [what, bytes] of [
    ['an overlong slash', [0xc0, 0xaf]],
    ['half of a surrogate pair', [0xed, 0xa0, 0x80]],
    ['a character beyond Unicode', [0xf4, 0x90, 0x80, 0x80]],
    ['a sequence that is cut', [0xe6, 0x9d]],
    ['a byte without a first one', [0x80]],
  ] as const) {
    test(`a name that contains ${what} is rejected`, async () => {
      const body = Buffer.concat([Buffer.from('{"userName":"a'), Buffer.from(bytes), Buffer.from('"}')])
      assertRefused(await opened().send('POST', '{scim}/Users', body, jsonType), '{scim}', 400, /not UTF-8/)
    })
  }

  test('nothing of a rejected body is stored, and U+FFFD that was sent is', async () => {
    const { service, directory, send } = opened()
    await send('POST', '{scim}/Users', latin1(json({ userName: 'stored-jörg' })), jsonType)
    const none = await service.scim(directory, 'GET', '/Users?filter=userName%20sw%20%22stored-%22')
    assert.equal(none.body.totalResults, 0)
    const { status, body } = await send('POST', '{scim}/Users', { userName: 'replaced-\ufffd' })
    assert.deepEqual([status, body.userName], [201, 'replaced-\ufffd'])
  })

  for (const charset of ['utf-8', 'UTF8', '"utf-8"', 'us-ascii']) {
    test(`the charset ${charset} and the encoding identity are accepted`, async () => {
      const headers = { 'content-type': `application/scim+json; charset=${charset}`, 'content-encoding': 'identity' }
      const userName = `björn-${charset}`
      const { status, body } = await opened().send('POST', '{scim}/Users', json({ userName }), headers)
      assert.deepEqual([status, body.userName], [201, userName])
    })
  }

  for (const [path, status] of [
    ['{scim}/Users/j%F6rg', 400],
    ['{scim}/Users?filter=userName%20eq%20%22j%F6rg%22', 400],
    ['{scim}/Users?attributes=%ED%A0%80', 400],
    ['{scim}/Schemas?filter=%C3', 400],
    ['{api}/users?tenant=k%F6ln&product=crm', 400],
    ['{api}/users/j%F6rg?tenant=acme&product=crm', 400],
    ['{api}?tenant=%FF', 400],
    ['/api/v1/setup?x=%F6', 400],
    ['/console/session?x=%F6', 400],
    ['/auditlog/admin/v1/event?x=%F6', 400],
    ['{api}/nowhere/at/all?x=%F6', 404],
  ] as const) {
    test(`GET ${path} is ${status}`, async () => {
      const answer = await opened().send('GET', path)
      if (path.includes('{scim}')) assertScimError(answer, status, 'invalidSyntax')
      else assertApiError(answer, status)
    })
  }

  test('an unauthorized caller learns nothing of the query', async () => {
    const { service, scim } = opened()
    assertScimError(await service.request('GET', `${scim}/Users?filter=%F6`), 401)
    assertApiError(await service.request('GET', `${apiPrefix}?tenant=%F6`), 401)
  })

  for (const [what, body, headers] of [
    ['of Latin-1', latin1('grant_type=client_credentials&client_id=jörg'), {}],
    ['with percent-encoded Latin-1', Buffer.from('grant_type=client_credentials&client_id=j%F6rg'), {}],
    ['of another charset', Buffer.from('client_id=a'), { charset: '; charset=iso-8859-1' }],
    ['that is compressed', gzipSync('client_id=a'), { 'content-encoding': 'gzip' }],
  ] as const) {
    test(`the token endpoint rejects a form ${what}`, async () => {
      const { charset = '', ...more } = headers as Record<string, string>
      const type = { 'content-type': `application/x-www-form-urlencoded${charset}` }
      const answer = await opened().service.request('POST', '/api/scim/oauth/token', {
        headers: { ...type, ...more },
        body,
      })
      assert.equal(answer.status, 400, answer.text)
      const { error, error_description } = JSON.parse(answer.text)
      assert.equal(error, 'invalid_request')
      assert.match(error_description, /UTF-8|uncompressed/)
    })
  }
})
