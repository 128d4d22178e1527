import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Directory } from '../../../src/directory/directory.ts'
import { directoryChanges } from '../../../src/directory/directory-changes.ts'

const plain: Directory = {
  id: 'directory-1',
  name: 'Acme',
  tenant: 'acme',
  product: 'crm',
  directoryType: 'okta-scim-v2',
  scimSecret: 'SECRET-scim',
  previousScimSecret: undefined,
  endpoint: { url: 'https://example.com/hook?token=SECRET-query', secret: 'SECRET-hook', previousSecret: undefined },
  google: undefined,
  logWebhookEvents: false,
  logScimRequests: false,
  uniqueGroupNames: false,
  deactivated: false,
  createdAt: 1,
  revision: 1,
}

const serviceAccount = {
  clientEmail: 'sync@project.iam.gserviceaccount.com',
  privateKey: 'SECRET-key',
  privateKeyId: 'key-1',
  subject: 'SECRET-admin@example.com',
}
const pulled: Directory = {
  ...plain,
  directoryType: 'extdir',
  endpoint: undefined,
  google: { domain: 'example.com', accessToken: 'SECRET-access', refreshToken: 'SECRET-refresh', serviceAccount },
}
const endpoint = { url: 'https://example.com/hook', secret: 'SECRET-hook', previousSecret: undefined }

for (const { what, before, after, changes } of [
  { what: 'nothing', before: plain, after: { ...plain, revision: 2 }, changes: {} },
  {
    what: 'the name',
    before: plain,
    after: { ...plain, name: 'Acme Ltd' },
    changes: { name: { from: 'Acme', to: 'Acme Ltd' } },
  },
  {
    what: 'a header of the endpoint, and the value of another',
    before: { ...plain, endpoint: { ...endpoint, headers: { 'X-Key': 'SECRET-1' } } },
    after: { ...plain, endpoint: { ...endpoint, headers: { 'X-Key': 'SECRET-2', 'X-Other': 'SECRET-3' } } },
    changes: {
      webhook_headers: { from: 'X-Key', to: 'X-Key, X-Other' },
      webhook_header_values: { from: '(set)', to: '(changed)' },
    },
  },
  {
    what: 'the flags',
    before: plain,
    after: { ...plain, deactivated: true, logWebhookEvents: true },
    changes: { log_webhook_events: { from: false, to: true }, deactivated: { from: false, to: true } },
  },
  {
    what: 'the SCIM secret, with a grace period',
    before: plain,
    after: { ...plain, scimSecret: 'SECRET-new', previousScimSecret: { secret: 'SECRET-scim', expiresAt: 5 } },
    changes: {
      scim_secret: { from: '(set)', to: '(changed)' },
      previous_scim_secret: { from: null, to: '(set)' },
    },
  },
  {
    what: 'the endpoint, which goes',
    before: plain,
    after: { ...plain, endpoint: undefined },
    changes: {
      webhook_url: { from: 'https://example.com/hook', to: null },
      webhook_url_query: { from: '(set)', to: null },
      webhook_secret: { from: '(set)', to: null },
    },
  },
  {
    what: 'the query of the endpoint',
    before: plain,
    after: { ...plain, endpoint: { ...endpoint, url: 'https://example.com/hook?token=SECRET-other' } },
    changes: { webhook_url_query: { from: '(set)', to: '(changed)' } },
  },
  {
    what: 'how a directory is pulled from',
    before: pulled,
    after: {
      ...pulled,
      google: {
        ...{ domain: undefined, accessToken: undefined, refreshToken: 'SECRET-other' },
        serviceAccount: { ...serviceAccount, subject: 'SECRET-other@example.com' },
      },
    },
    changes: {
      extdir_domain: { from: 'example.com', to: null },
      extdir_access_token: { from: '(set)', to: null },
      extdir_refresh_token: { from: '(set)', to: '(changed)' },
      extdir_subject: { from: '(set)', to: '(changed)' },
    },
  },
] satisfies { what: string; before: Directory; after: Directory; changes: object }[]) {
  test(`detects that ${what} changed`, () => assert.deepEqual(directoryChanges(before, after), changes))
}

test('the changes of a new directory have every field that is set', () => {
  assert.deepEqual(directoryChanges(undefined, { ...plain, endpoint }), {
    name: { from: null, to: 'Acme' },
    tenant: { from: null, to: 'acme' },
    product: { from: null, to: 'crm' },
    type: { from: null, to: 'okta-scim-v2' },
    webhook_url: { from: null, to: 'https://example.com/hook' },
    log_webhook_events: { from: null, to: false },
    log_scim_requests: { from: null, to: false },
    unique_group_names: { from: null, to: false },
    scim_auth: { from: null, to: 'any' },
    scim_profile: { from: null, to: 'tolerant' },
    adoption: { from: null, to: 'off' },
    deactivated: { from: null, to: false },
    scim_secret: { from: null, to: '(set)' },
    webhook_secret: { from: null, to: '(set)' },
  })
})

test('the changes of a deleted directory have every field that was set', () => {
  const changes = directoryChanges(pulled, undefined)
  assert(Object.values(changes).every(({ to }) => to === null))
  assert.deepEqual(changes['extdir_service_account_email']?.from, 'sync@project.iam.gserviceaccount.com')
})

test('changes never contain a secret or a person', () => {
  const others = [undefined, plain, pulled, { ...plain, extdir: pulled.google }]
  const all = others.flatMap((before) => others.map((after) => JSON.stringify(directoryChanges(before, after))))
  assert(all.every((text) => !text.includes('SECRET')))
})

test('texts are limited in length and fit in a line', () => {
  const { name } = directoryChanges(plain, { ...plain, name: `a\nb${'x'.repeat(10_000)}` })
  assert.match(String(name?.to), /^a\ufffdbx{496}…$/)
})
