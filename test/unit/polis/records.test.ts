import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Decision } from '../../../src/polis/import/decisions.ts'
import { differingFields, importedDirectory, newDirectory } from '../../../src/polis/import/directory.ts'
import { importedEvent } from '../../../src/polis/import/event.ts'
import { importedGroup } from '../../../src/polis/import/group.ts'
import { storedForm } from '../../../src/polis/import/resource.ts'
import { importedSetupLink } from '../../../src/polis/import/setup-link.ts'
import type { PolisDirectory, PolisUser } from '../../../src/polis/import/source.ts'
import { importedUser } from '../../../src/polis/import/user.ts'
import { fromJsonText } from '../../../src/scim/json-text.ts'
import { digestSetupToken } from '../../../src/setup/token.ts'

const core = 'urn:ietf:params:scim:schemas:core:2.0:User'
const ann: PolisUser = {
  ...{ id: 'b1e6b7c2-0d8a-4f6e-8f7b-0a4f2a9f3c55', email: 'ann@acme.example', first_name: 'Ann', last_name: 'Lee' },
  ...{ active: true, raw: {}, createdAt: 1000 },
}

/** The stored resource of a user, with what is left out. */
function userOf(raw: Record<string, unknown>, given: Partial<PolisUser> = {}, type = 'okta-scim-v2' as const) {
  const user = importedUser({ ...ann, raw, ...given }, type)
  const { schemas: _, id: __, ...stored } = fromJsonText(storedForm(user, undefined, 5).raw)
  return { stored, dropped: user.dropped, refused: user.refused, isActiveChanged: user.isActiveChanged }
}

const usual = { userName: 'ann', active: true }
const none = { dropped: [], refused: [], isActiveChanged: false }

for (const { what, raw, given, becomes } of [
  {
    what: 'a usual body',
    raw: { schemas: [core], id: ann.id, userName: 'ann', active: true, name: { givenName: 'Ann' } },
    becomes: { ...none, stored: { ...usual, name: { givenName: 'Ann' } } },
  },
  {
    what: 'what SCIM calls unassigned',
    raw: { userName: 'ann', groups: [], title: '', emails: [], nickName: null, name: { middleName: '' }, active: true },
    becomes: { ...none, dropped: ['groups', 'title', 'emails', 'nickName', 'name'], stored: usual },
  },
  {
    what: 'passwords, meta and groups',
    raw: { userName: 'ann', password: 'secret', meta: { version: '1' }, groups: [{ value: 'g' }], active: true },
    becomes: { ...none, dropped: ['password', 'meta', 'groups'], stored: usual },
  },
  {
    what: 'texts and numbers in place of other types',
    raw: { userName: 'ann', active: 'False', title: 7, emails: ['a@b.c'], roles: 'viewer' },
    given: { active: false },
    becomes: {
      ...none,
      stored: {
        userName: 'ann',
        active: false,
        title: '7',
        emails: [{ value: 'a@b.c' }],
        roles: [{ value: 'viewer' }],
      },
    },
  },
  {
    what: 'dotted names',
    raw: { userName: 'ann', 'name.familyName': 'Lee', active: true },
    becomes: { ...none, stored: { ...usual, name: { familyName: 'Lee' } } },
  },
  {
    what: 'no userName',
    raw: { active: true, emails: [{ value: 'ann@acme.example', primary: true }] },
    becomes: {
      ...none,
      stored: { userName: 'ann@acme.example', active: true, emails: [{ value: 'ann@acme.example', primary: true }] },
    },
  },
  {
    what: 'an active that only the record has',
    raw: { userName: 'ann' },
    given: { active: false },
    becomes: { ...none, stored: { userName: 'ann', active: false } },
  },
  {
    what: 'an active that the record contradicts',
    raw: { userName: 'ann', active: false },
    becomes: { ...none, isActiveChanged: true, stored: { userName: 'ann', active: false } },
  },
  {
    what: 'a value of a type that cannot be read',
    raw: { userName: 'ann', active: true, name: 7, title: 'Boss' },
    becomes: { ...none, refused: ['name'], stored: { ...usual, title: 'Boss' } },
  },
  {
    what: 'a value that is too long for an index',
    raw: { userName: 'ann', active: true, externalId: 'x'.repeat(600), title: 'Boss' },
    becomes: { ...none, refused: ['externalId'], stored: { ...usual, title: 'Boss' } },
  },
  {
    what: 'more than a resource may have',
    raw: { userName: 'ann', active: true, title: 'Boss', big: 'x'.repeat(200_000), bigger: 'x'.repeat(200_001) },
    becomes: { ...none, refused: ['bigger'], stored: { ...usual, title: 'Boss', big: 'x'.repeat(200_000) } },
  },
  {
    what: 'a userName that cannot be stored',
    raw: { userName: 'x'.repeat(600), active: true },
    becomes: { ...none, refused: ['userName'], stored: { userName: 'ann@acme.example', active: true } },
  },
]) {
  test(`a user with ${what} is imported as provisioning would store it`, () => {
    assert.deepEqual(userOf(raw, given), becomes)
  })
}

test('a user that a sync from Google has made is imported as our sync would make it', () => {
  const raw = {
    ...{
      id: '1001',
      primaryEmail: 'ann@acme.example',
      name: { givenName: 'Ann', familyName: 'Lee', fullName: 'Ann Lee' },
    },
    ...{
      suspended: false,
      isAdmin: true,
      orgUnitPath: '/',
      etag: 'x',
      emails: [{ address: 'ann@acme.example', primary: true }],
    },
  }
  const user = importedUser({ ...ann, id: '1001', raw }, 'extdir')
  const { raw: text, userName, externalId, id } = storedForm(user, undefined, 5)
  assert.deepEqual([id, userName, externalId, user.isActiveChanged], ['1001', 'ann@acme.example', '1001', false])
  const extension = fromJsonText(text)['urn:rollcall:params:scim:schemas:extension:google:2.0:User']
  assert.deepEqual(extension, { orgUnitPath: '/', isAdmin: true, suspended: false, archived: false })
})

test('whatever Polis has kept of a user or group, it can be imported', () => {
  const names = fc.constantFrom(
    'userName',
    'emails',
    'name',
    'active',
    'displayName',
    'externalId',
    'id',
    'members',
    'x',
    'urn:a:b',
  )
  const raws = fc.dictionary(fc.oneof(names, fc.string()), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 8 })
  fc.assert(
    fc.property(raws, fc.string(), (raw, email) => {
      const user = storedForm(importedUser({ ...ann, email, raw }, 'generic-scim-v2'), undefined, 5)
      assert.notEqual(user.userName, '')
      assert.equal(fromJsonText(user.raw)['id'], ann.id)
      const group = importedGroup({ id: 'g', name: email, raw, createdAt: 1 }, 'generic-scim-v2')
      assert.notEqual(storedForm(group, undefined, 5).name, '')
    }),
    { numRuns: 200 },
  )
})

test('a user that is imported again keeps its time and gets the next version', () => {
  const user = importedUser({ ...ann, raw: { userName: 'ann' }, createdAt: undefined }, 'okta-scim-v2')
  const first = storedForm(user, undefined, 5)
  const again = storedForm(user, first, 9)
  assert.deepEqual([first.version, first.createdAt, again.version, again.createdAt, again.updatedAt], [1, 5, 2, 5, 9])
  assert.equal(again.raw, first.raw)
})

const directory: PolisDirectory = {
  ...{ id: '7c1d5f0e-52b7-4a0c-9e0b-2f6f3b1f9a10', name: 'People', tenant: 'northwind', product: 'helpdesk' },
  ...{ type: 'okta-scim-v2', log_webhook_events: true, deactivated: false },
  webhook: { endpoint: 'https://helpdesk.example/hooks/dir', secret: 'wh-example' },
  scim: { path: '/api/scim/v2.0/7c1d5f0e-52b7-4a0c-9e0b-2f6f3b1f9a10', secret: 'Zk3vN8mQ1xT7rB5yC2dLpw' },
}

function decidedOf(given: Partial<PolisDirectory>) {
  const decisions: Decision[] = []
  const imported = importedDirectory({ ...directory, ...given }, (decision) => decisions.push(decision))
  return { imported, kinds: decisions.map(({ kind }) => kind) }
}

test('a directory keeps everything that providers and products know of it', () => {
  const { imported, kinds } = decidedOf({})
  assert.deepEqual(kinds, [])
  assert.partialDeepStrictEqual(imported, {
    ...{ id: directory.id, name: 'People', tenant: 'northwind', product: 'helpdesk', directoryType: 'okta-scim-v2' },
    ...{ scimSecret: 'Zk3vN8mQ1xT7rB5yC2dLpw', logWebhookEvents: true, deactivated: false, google: undefined },
    endpoint: { url: 'https://helpdesk.example/hooks/dir', secret: 'wh-example' },
  })
})

for (const { what, given, kinds, becomes } of [
  { what: 'a tenant with a colon', given: { tenant: 'a:b' }, kinds: ['directory-refused'], becomes: undefined },
  { what: 'a product with a colon', given: { product: 'a:b' }, kinds: ['directory-refused'], becomes: undefined },
  { what: 'an id with a slash', given: { id: 'a/b' }, kinds: ['directory-refused'], becomes: undefined },
  {
    what: 'a type that is unknown',
    given: { type: 'workday' },
    kinds: ['type-unknown'],
    becomes: { directoryType: 'generic-scim-v2' },
  },
  { what: 'no name', given: { name: '' }, kinds: ['record-adjusted'], becomes: { name: 'scim-northwind-helpdesk' } },
  {
    what: 'no secret',
    given: { scim: { path: '', secret: '' } },
    kinds: ['secret-made'],
    becomes: { scimSecret: undefined },
  },
  {
    what: 'no endpoint',
    given: { webhook: { endpoint: '', secret: '' } },
    kinds: [],
    becomes: { endpoint: undefined },
  },
  {
    what: 'an endpoint without a secret',
    given: { webhook: { endpoint: 'https://a.example/', secret: '' } },
    kinds: ['endpoint-refused'],
    becomes: { endpoint: undefined },
  },
  {
    what: 'an endpoint that is no URL',
    given: { webhook: { endpoint: 'nowhere', secret: 'x' } },
    kinds: ['endpoint-refused'],
    becomes: { endpoint: undefined },
  },
  {
    what: 'Google',
    given: {
      ...{ type: 'google', scim: { path: '', secret: '' } },
      ...{ google_domain: 'Acme.example', google_access_token: 'at', google_refresh_token: 'rt' },
    },
    kinds: [],
    becomes: {
      ...{ directoryType: 'extdir', scimSecret: undefined },
      google: { domain: 'acme.example', accessToken: 'at', refreshToken: 'rt' },
    },
  },
]) {
  test(`a directory with ${what} is imported as the report says`, () => {
    const decided = decidedOf(given)
    assert.deepEqual(decided.kinds, kinds)
    if (becomes === undefined) assert.equal(decided.imported, undefined)
    else assert.deepEqual({ ...decided.imported, ...becomes }, decided.imported)
  })
}

test('every field of a directory that was changed is found', () => {
  const { imported } = decidedOf({ type: 'google', google_access_token: 'at', google_refresh_token: 'rt' })
  assert.ok(imported)
  const scim = { ...imported, scimSecret: 'Zk3vN8mQ1xT7rB5yC2dLpw' }
  const stored = { ...newDirectory(scim, () => '', 1), deactivated: false }
  assert.deepEqual(differingFields(scim, stored), [])
  const { endpoint, google } = stored
  assert.ok(endpoint && google)
  for (const [field, changed] of [
    ['name', { name: 'x' }],
    ['directoryType', { directoryType: 'generic-scim-v2' }],
    ['logWebhookEvents', { logWebhookEvents: false }],
    ['deactivated', { deactivated: true }],
    ['scim.secret', { scimSecret: 'Zk3vN8mQ1xT7rB5yC2dLpx' }],
    ['webhook.endpoint', { endpoint: { ...endpoint, url: 'https://helpdesk.example/hooks/dis' } }],
    ['webhook.secret', { endpoint: { ...endpoint, secret: 'wh-examplf' } }],
    ['google.domain', { google: { ...google, domain: 'x' } }],
    ['google.accessToken', { google: { ...google, accessToken: 'x' } }],
    ['google.refreshToken', { google: { ...google, refreshToken: 'x' } }],
  ] as const) {
    assert.deepEqual(differingFields(scim, { ...stored, ...changed }), [field])
  }
})

const token = '5f0c'.repeat(12)
const link = {
  ...{
    setupID: '2c8f0a1be7d94410a5b1f0c9d2e3a4b5c6d7e8f9',
    tenant: 'northwind',
    product: 'helpdesk',
    service: 'dsync',
  },
  ...{ name: 'People', validTill: 2000, url: `https://sync.example/setup/${token}` },
  ...{ webhook_url: 'https://helpdesk.example/hooks', webhook_secret: 'wh' },
}

for (const { what, given, kind } of [
  { what: 'is valid', given: {}, kind: undefined },
  { what: 'has expired', given: { validTill: 1000 }, kind: 'link-expired' },
  { what: 'is for single sign-on', given: { service: 'sso' }, kind: 'link-refused' },
  { what: 'has no token', given: { url: 'https://sync.example/setup/x' }, kind: 'link-refused' },
  { what: 'has a tenant with a colon', given: { tenant: 'a:b' }, kind: 'link-refused' },
]) {
  test(`a setup link that ${what} is ${kind === undefined ? 'imported with its token' : 'left out'}`, () => {
    const decisions: Decision[] = []
    const key = Buffer.alloc(32, 1).toString('base64url')
    const made = importedSetupLink({ ...link, ...given }, { key, now: 1000, decide: (one) => decisions.push(one) })
    assert.deepEqual(
      decisions.map((one) => one.kind),
      kind === undefined ? [] : [kind],
    )
    assert.equal(made?.tokenDigest, kind === undefined ? digestSetupToken(token, key) : undefined)
    assert.equal(made?.token, kind === undefined ? token : undefined)
    assert.ok(!JSON.stringify(decisions).includes(token), 'no decision contains the token')
  })
}

test('a queued event becomes an event in our form', () => {
  const user = { ...ann, raw: { userName: 'ann', groups: [] } }
  const { createdAt: _, ...data } = user
  const group = {
    id: 'e2a9d4f0-11aa-4c3b-9d52-6f0f6d2c7b31',
    name: 'Leads',
    raw: { displayName: 'Leads', members: [] },
  }
  const base = { tenant: 'northwind', product: 'helpdesk', directory_id: directory.id }
  const queued = (event: string, of: unknown) => ({
    ...{ id: 'e2a9d4f0-11aa-4c3b-9d52-6f0f6d2c7b32', createdAt: 77 },
    payload: { ...base, event, data: of },
  })
  const made = importedEvent(queued('user.updated', data), 'okta-scim-v2', () => 'new')
  assert.partialDeepStrictEqual(made, {
    position: { createdAt: 77, id: 'e2a9d4f0-11aa-4c3b-9d52-6f0f6d2c7b32' },
    event: { id: 'e2a9d4f0-11aa-4c3b-9d52-6f0f6d2c7b32', eventType: 'user.updated', createdAt: 77 },
  })
  const stored = storedForm(importedUser(user, 'okta-scim-v2'), undefined, 77)
  const view = fromJsonText(made?.event.data ?? assert.fail())
  assert.deepEqual(view['raw'], fromJsonText(stored.raw))
  assert.deepEqual(Object.keys(view), ['id', 'account_id', 'first_name', 'last_name', 'email', 'active', 'raw'])
  const member = importedEvent(queued('group.user_added', { ...data, group }), 'okta-scim-v2', () => 'new')
  assert.equal(member?.event.groupId, group.id)
  assert.partialDeepStrictEqual(fromJsonText(member?.event.data ?? assert.fail()), {
    id: ann.id,
    group: { id: group.id },
  })
  for (const wrong of [queued('dsync.created', data), queued('user.created', 'x'), queued('group.user_added', data)]) {
    assert.equal(
      importedEvent(wrong, 'okta-scim-v2', () => 'new'),
      undefined,
    )
  }
})
