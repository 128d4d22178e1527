import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DirectoryView } from '../../../src/directory/directory-view.ts'
import { startFakeEntra } from '../../../tools/fake-entra/issuer.ts'
import type { Answer } from '../../support/client.ts'
import { forEachEngine, forSuite, serviceForSuite } from '../../support/service.ts'
import type { TokenBody } from '../oauth/support/clients.ts'
import { createClient, presentAssertion, requestToken, scimWith, tokenOf } from '../oauth/support/clients.ts'
import type { SchemaAnswer } from './support/mapped-attributes.ts'
import { attributeNames, readPath, withValues } from './support/mapped-attributes.ts'

/*
 * The tests that Microsoft's validation for the Entra gallery sends to a SCIM endpoint itself, with the requests that it
 * sends. docs/entra-gallery.md lists them.
 */

const core = 'urn:ietf:params:scim:schemas:core:2.0'
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

/** The attributes that Entra maps by default and that may be empty, with a value of each. */
const optionalAttributes: Readonly<Record<string, string>> = {
  displayName: 'Lee Osei',
  nickName: 'Lee',
  title: 'Buyer',
  userType: 'Employee',
  preferredLanguage: 'de-DE',
  locale: 'de-DE',
  timezone: 'Europe/Berlin',
  profileUrl: 'https://example.com/lee',
  'name.formatted': 'Lee Osei',
  'name.givenName': 'Lee',
  'name.familyName': 'Osei',
  'emails[type eq "work"].value': 'lee.osei@example.com',
  'phoneNumbers[type eq "work"].value': '555-0110',
  'phoneNumbers[type eq "mobile"].value': '555-0111',
  'phoneNumbers[type eq "fax"].value': '555-0112',
  'addresses[type eq "work"].formatted': 'Kai 1, Bonn',
  'addresses[type eq "work"].streetAddress': 'Kai 1',
  'addresses[type eq "work"].locality': 'Bonn',
  'addresses[type eq "work"].region': 'NRW',
  'addresses[type eq "work"].postalCode': '53111',
  'addresses[type eq "work"].country': 'DE',
  [`${enterprise}:employeeNumber`]: '2010',
  [`${enterprise}:department`]: 'Procurement',
  [`${enterprise}:costCenter`]: 'C1',
  [`${enterprise}:organization`]: 'Org',
  [`${enterprise}:division`]: 'D',
}

const patchOf = (...operations: readonly object[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations: operations,
})

forEachEngine((engine) => {
  const service = serviceForSuite(engine)
  const entra = forSuite(startFakeEntra)

  /** A new directory, and a function that sends requests to it with its secret. */
  async function connect() {
    const directory = await service().createDirectory()
    return (method: string, path: string, body?: unknown) => scim(directory, method, path, body)
  }
  async function scim(directory: DirectoryView, method: string, path: string, body?: unknown) {
    const answer = await service().scim(directory, method, path, body)
    assert(answer.status >= 200 && answer.status < 300, `${method} ${path}: ${answer.text}`)
    return answer
  }

  test('schema discoverability: /Schemas has every attribute that Entra maps', async () => {
    const send = await connect()
    const { Resources } = (await send('GET', '/Schemas')).body
    const names = new Set(attributeNames(Resources as unknown as SchemaAnswer[]))
    const mapped = ['userName', 'active', `${enterprise}:manager`, ...Object.keys(optionalAttributes)]
    const missing = [...mapped, 'members'].filter((name) => !names.has(name.toLowerCase()))
    assert.deepEqual(missing, [])
  })

  for (const [what, value] of [
    ['empty text', ''],
    ['null', null],
  ] as const) {
    test(`null and empty updates: a PATCH of each optional attribute with ${what} empties it`, async () => {
      const send = await connect()
      const user = withValues(
        { userName: 'lee.osei@example.com', active: true, externalId: '4d0c' },
        optionalAttributes,
      )
      const { id } = (await send('POST', '/Users', user)).body
      const created = (await send('GET', `/Users/${id}`)).body
      for (const [path, sent] of Object.entries(optionalAttributes)) assert.equal(readPath(created, path), sent, path)
      const operations = Object.keys(optionalAttributes).map((path) => ({ op: 'replace', path, value }))
      await send('PATCH', `/Users/${id}`, patchOf(...operations))
      await send('PATCH', `/Users/${id}`, patchOf(...operations))
      const emptied = (await send('GET', `/Users/${id}`)).body
      const left = Object.keys(optionalAttributes).filter((path) => readPath(emptied, path) !== undefined)
      assert.deepEqual(left, [])
      assert.equal(emptied.userName, 'lee.osei@example.com')
    })
  }

  test('user create: the response has an id and the userName that was sent', async () => {
    const send = await connect()
    const user = { schemas: [`${core}:User`, enterprise], userName: 'Lee.Osei@example.com', externalId: '4d0c' }
    const { status, body } = await send('POST', '/Users', withValues({ ...user, active: true }, optionalAttributes))
    assert.equal(status, 201)
    assert.equal(body.userName, 'Lee.Osei@example.com')
    assert.match(body.id, /./)
  })

  test('user update: a PATCH of every single-valued attribute is read back as it was sent', async () => {
    const send = await connect()
    const { id } = (await send('POST', '/Users', { userName: 'lee@example.com' })).body
    const single = Object.entries(optionalAttributes).filter(([path]) => !path.includes('['))
    const changes: Record<string, unknown> = {
      ...Object.fromEntries(single),
      externalId: '6f1e',
      // What a customer adds to the attribute list has types of its own.
      'urn:ietf:params:scim:schemas:extension:example:2.0:User:level': 7,
      'urn:ietf:params:scim:schemas:extension:example:2.0:User:remote': true,
      'urn:ietf:params:scim:schemas:extension:example:2.0:User:hiredAt': '2026-06-09T08:00:00Z',
    }
    const operations = Object.entries(changes).map(([path, value]) => ({ op: 'replace', path, value }))
    await send('PATCH', `/Users/${id}`, patchOf(...operations))
    const changed = (await send('GET', `/Users/${id}`)).body
    for (const [path, sent] of Object.entries(changes)) assert.equal(readPath(changed, path), sent, path)
  })

  test('group create: the response has an id and the displayName that was sent', async () => {
    const send = await connect()
    const { status, body } = await send('POST', '/Groups', { schemas: [`${core}:Group`], displayName: 'Buyers' })
    assert.equal(status, 201)
    assert.equal(body.displayName, 'Buyers')
    assert.match(body.id, /./)
  })

  test('group update: a PATCH of displayName and externalId is read back as it was sent', async () => {
    const send = await connect()
    const { id } = (await send('POST', '/Groups', { schemas: [`${core}:Group`], displayName: 'Buyers' })).body
    const changes = { displayName: 'Procurement', externalId: '9a1d' }
    const operations = Object.entries(changes).map(([path, value]) => ({ op: 'replace', path, value }))
    await send('PATCH', `/Groups/${id}`, patchOf(...operations))
    const changed = (await send('GET', `/Groups/${id}`)).body
    for (const [path, sent] of Object.entries(changes)) assert.equal(readPath(changed, path), sent, path)
  })

  for (const [what, path, body] of [
    ['user', '/Users', (name: string) => ({ userName: `${name}@example.com` })],
    ['group', '/Groups', (name: string) => ({ schemas: [`${core}:Group`], displayName: name })],
  ] as const) {
    test(`${what} pagination: pages of five begin where they should, and have everything once`, async () => {
      const send = await connect()
      const names = Array.from({ length: 11 }, (_, index) => `member-${index}`)
      for (const name of names) await send('POST', path, body(name))
      const ids = new Set<string>()
      for (const page of [0, 1, 2]) {
        const { startIndex, totalResults, Resources } = (
          await send('GET', `${path}?startIndex=${page * 5 + 1}&count=5`)
        ).body
        assert.deepEqual([startIndex, totalResults], [page * 5 + 1, 11])
        assert.equal(Resources.length, page === 2 ? 1 : 5)
        for (const { id } of Resources) ids.add(id)
      }
      assert.equal(ids.size, 11)
    })
  }

  test('manager: set by Add, changed by Replace, removed by Replace with an empty value', async () => {
    const send = await connect()
    const [user = '', first = '', second = ''] = await Promise.all(
      ['lee', 'ada', 'bob'].map(async (name) => {
        const { id } = (await send('POST', '/Users', { userName: `${name}@example.com` })).body
        return id
      }),
    )
    const path = `${enterprise}:manager`
    for (const [op, value, expected] of [
      ['Add', first, first],
      ['Replace', second, second],
      ['Replace', '', undefined],
    ] as const) {
      await send('PATCH', `/Users/${user}`, patchOf({ op, path, value }))
      assert.equal(readPath((await send('GET', `/Users/${user}`)).body, `${path}.value`), expected, `${op} ${value}`)
    }
  })

  /** Asserts that a token lives as long as Microsoft requires, and that SCIM accepts it. */
  async function checkToken(directory: DirectoryView, { status, body, text }: Answer<TokenBody>): Promise<void> {
    assert.equal(status, 200, text)
    assert.equal(body.token_type, 'Bearer')
    assert(body.expires_in >= 3_600 && body.expires_in <= 21_600, text)
    assert.equal((await scimWith(service(), directory, body.access_token)).status, 200)
  }

  test('credentials: a client with a secret gets an access token of one to six hours, which works', async () => {
    const directory = await service().createDirectory()
    const { client_id, client_secret = '' } = await createClient(service(), directory)
    const authorization = `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`
    await checkToken(directory, await requestToken(service(), { scope: 'scim' }, { authorization }))
    await checkToken(directory, await requestToken(service(), { client_id, client_secret }))
  })

  test('a client secret is valid for one to three years', async () => {
    const { id } = await service().createDirectory()
    const days = async (fields: object) => {
      const { status, body } = await service().api('POST', `/${id}/oauth-clients`, { type: 'secret', ...fields })
      if (status !== 201) return status
      const { created_at, expires_at } = body.data as unknown as { created_at: string; expires_at: string }
      return (Date.parse(expires_at) - Date.parse(created_at)) / 86_400_000
    }
    const lifetimes = [365, 1_095, 364, 1_096].map((expires_in_days) => days({ expires_in_days }))
    assert.deepEqual(await Promise.all(lifetimes), [365, 1_095, 400, 400])
    assert.equal(await days({}), 730)
  })

  test('rotation: two secrets work at the same time, and a deleted one no longer does', async () => {
    const directory = await service().createDirectory()
    const [first, second] = [await createClient(service(), directory), await createClient(service(), directory)]
    const tokens = [await tokenOf(service(), first), await tokenOf(service(), second)]
    const statuses = () =>
      Promise.all(tokens.map(async (token) => (await scimWith(service(), directory, token)).status))
    assert.deepEqual(await statuses(), [200, 200])
    await service().api('DELETE', `/${directory.id}/oauth-clients/${first.client_id}`)
    assert.deepEqual(await statuses(), [401, 200])
    const { client_id, client_secret = '' } = first
    assert.equal((await requestToken(service(), { client_id, client_secret })).status, 401)
    await tokenOf(service(), second)
  })

  test('no long-lived tokens: with scim_auth oauth the secret of the directory is refused', async () => {
    const directory = await service().createDirectory()
    const token = await tokenOf(service(), await createClient(service(), directory))
    assert.equal((await service().api('PATCH', `/${directory.id}`, { scim_auth: 'oauth' })).status, 200)
    assert.equal((await service().scim(directory, 'GET', '/Users')).status, 401)
    assert.equal((await scimWith(service(), directory, token)).status, 200)
  })

  /** A directory with a client that trusts the Entra tenant, and sign-ins as Entra ID sends them. */
  async function federate() {
    const directory = await service().createDirectory()
    const { issuer, jwksUrl: jwks_url, subject, audience } = entra()
    const fields = { type: 'federated', issuer, jwks_url, subject, audience }
    const { client_id } = await createClient(service(), directory, fields)
    const signIn = async () => presentAssertion(service(), await entra().assertion(), { client_id, scope: 'scim' })
    return { directory, signIn }
  }

  test('federated identity: an assertion of Entra ID is exchanged for an access token, which works', async () => {
    const { directory, signIn } = await federate()
    await checkToken(directory, await signIn())
  })

  test('federated identity: the keys of Entra ID change in the middle of a sync', async () => {
    const { directory, signIn } = await federate()
    const create = async (token: string, userName: string) => {
      const { status, text } = await scimWith(service(), directory, token, 'POST', '/Users', { userName })
      assert.equal(status, 201, text)
    }
    const { access_token: before } = (await signIn()).body
    await create(before, 'lee@example.com')
    await entra().rotateKeys()
    await create(before, 'ada@example.com')
    await create((await signIn()).body.access_token, 'bob@example.com')
  })

  test('federated identity: Entra ID cannot be reached while its keys are known', async () => {
    const { directory, signIn } = await federate()
    await checkToken(directory, await signIn())
    entra().isDown = true
    await checkToken(directory, await signIn())
    entra().isDown = false
  })
})
