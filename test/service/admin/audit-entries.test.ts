import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AuditEntryView, NamedEntryView } from '../../../src/admin/audit/entry-view.ts'
import type { AdoptionView } from '../../../src/adoption/adoptions.ts'
import type { AccountLinkView } from '../../../src/directory/account-links.ts'
import type { auditActions } from '../../../src/directory/audit.ts'
import type { DirectoryView } from '../../../src/directory/directory-view.ts'
import type { OAuthClientView } from '../../../src/oauth/oauth-client.ts'
import type { SetupLinkView } from '../../../src/setup/setup-link.ts'
import type { FakeGoogle } from '../../../tools/fake-google/server.ts'
import type { Answer } from '../../support/client.ts'
import { authorizationPath, cookieOf } from '../../support/client.ts'
import { statusOf, statusWhen } from '../../support/delivery.ts'
import { eventually } from '../../support/eventually.ts'
import { connectDirectory, startPulledService, sync, syncWell } from '../../support/extdir.ts'
import { startOAuthServer } from '../../support/oauth-server.ts'
import type { TestService } from '../../support/service.ts'
import { forEachEngine, forSuite, openTestDatabase, startTestService, testApiKey } from '../../support/service.ts'
import type { TestAdmin } from './support/admin.ts'
import { adminSettings, claims, events, login, makeKey, newAddress, rootToken, tryLogin } from './support/admin.ts'

/** An admin, a new API key and new directories: one with an endpoint, one of type extdir. */
interface Stage {
  readonly service: TestService
  readonly google: FakeGoogle
  readonly admin: TestAdmin
  readonly key: Awaited<ReturnType<typeof makeKey>>
  readonly directory: DirectoryView
  readonly pulled: DirectoryView
  /** Calls the directory-sync API as the admin. */
  api(method: string, path: string, body?: unknown): Promise<Answer>
}

/** A call that changes something, and its expected audit entry. */
interface Call {
  readonly does: string
  readonly call: (stage: Stage) => Promise<Answer>
  /** Whether the call needs its own admin. */
  readonly endsLogin?: true
  /** The directory if omitted. */
  readonly target?: (answer: Answer, stage: Stage) => AuditEntryView['target']
  readonly changes?: (answer: Answer, stage: Stage) => unknown
}

const endpoint = {
  webhook_url: 'http://127.0.0.1:9/in?token=query-secret-1',
  webhook_secret: 'whsec_c2VjcmV0LW9uZQ==',
}
const otherEndpoint = { webhook_url: 'http://127.0.0.1:9/other', webhook_secret: 'whsec_c2VjcmV0LXR3bw==' }
const secretsUsed = [rootToken, testApiKey, 'query-secret-1', endpoint.webhook_secret, otherEndpoint.webhook_secret]

const ofDirectory = ({ id, tenant, product }: DirectoryView) => ({ kind: 'directory', id, tenant, product }) as const
const ofService = () => ({ kind: 'service', id: null, tenant: null, product: null }) as const
const ofToken = (id: string) => ({ kind: 'admin-token', id, tenant: null, product: null }) as const
const set = { from: null, to: '(set)' }
const changed = { from: '(set)', to: '(changed)' }
const gone = { from: '(set)', to: null }

const memberForAll = { mapping: { roles: { default: ['member'] } } }

/** The audited fields of a setup link that has none of them. */
const unset = { from: null, to: null }
const unsetLink = {
  name: unset,
  directory_id: unset,
  webhook_url: unset,
  webhook_headers: unset,
  allowed_domains: unset,
  outside_domains: unset,
  scim_profile: unset,
  adoption: unset,
  types: unset,
  roles: unset,
  ...{ extdir_groups: unset, return_url: unset, extdir_org_units: unset },
}

function linkTarget(data: unknown) {
  const { setupID, tenant, product } = data as SetupLinkView
  return { kind: 'setup-link', id: setupID, tenant, product } as const
}

function linkExpiry(data: unknown) {
  return { expires_at: { from: null, to: new Date((data as SetupLinkView).validTill).toISOString() } }
}

function changesOfClient(data: unknown, change: (value: string | null) => object) {
  const { client_id, type, name, expires_at } = data as OAuthClientView
  return { client_id: change(client_id), type: change(type), name: change(name), expires_at: change(expires_at) }
}

/** Creates a user called ann unless there is one, and links it to an account, or ends its link. */
const linkAnn =
  (account_id: string | null): Call['call'] =>
  async ({ service, api, directory }) => {
    await service.scim(directory, 'POST', '/Users', { userName: 'ann' })
    const [user] = (await api('GET', `/users?directoryId=${directory.id}`)).body.data as unknown as { id: string }[]
    return api('PUT', `/${directory.id}/users/${user?.id}/account`, { account_id })
  }

function ofLinkedUser({ body }: Answer, { directory: { tenant, product } }: Stage) {
  return { kind: 'user', id: (body.data as unknown as AccountLinkView).user_id, tenant, product } as const
}

/** By action; an action without a row is not tested. */
const calls: Record<(typeof auditActions)[number], Call | undefined> = {
  // see the tests of the erasure of a person
  'person.exported': undefined,
  'person.erased': undefined,
  'admin.login': {
    does: 'logging in',
    call: ({ service, admin: { address, user } }) =>
      tryLogin(service, { address, body: claims({ email: user.email }) }),
    target: ({ body }) => ofToken((body as unknown as TestAdmin).adminToken.id),
  },
  // has no admin; see the tests of the login
  'admin.login_failed': undefined,
  'admin.logout': {
    does: 'logging out',
    endsLogin: true,
    call: async ({ admin }) => admin.admin('POST', '/user/_logout'),
    target: (_, { admin }) => ofToken(admin.adminToken.id),
  },
  'admin.updated': {
    does: 'changing the time zone',
    call: ({ admin }) => admin.admin('PUT', '/user/me', { timezone: 'Asia/Tokyo' }),
    target: (_, { admin }) => ({ kind: 'admin-user', id: admin.user.id, tenant: null, product: null }),
    changes: (_, { admin }) => ({ timezone: { from: admin.user.timezone, to: 'Asia/Tokyo' } }),
  },
  'admin_token.disabled': {
    does: 'disabling a token',
    endsLogin: true,
    call: ({ admin }) => admin.admin('DELETE', `/token/${admin.adminToken.id}`),
    target: (_, { admin }) => ofToken(admin.adminToken.id),
  },
  // see the tests of the console's sessions
  'console.signed_in': undefined,
  'console.signed_out': undefined,
  'api_key.created': {
    does: 'making a key',
    call: ({ admin }) => admin.admin('POST', '/apikey', { name: 'for the CRM', scope: { product: 'crm' } }),
    target: ({ body }) => ({ kind: 'api-key', id: body.data.id, tenant: null, product: 'crm' }),
    changes: ({ body }) => ({
      name: { from: null, to: 'for the CRM' },
      prefix: { from: null, to: (body.data as unknown as { prefix: string }).prefix },
      scope: { from: null, to: { tenant: null, product: 'crm', readOnly: false } },
      expires_at: { from: null, to: null },
    }),
  },
  'api_key.deleted': {
    does: 'deleting a key',
    call: ({ admin, key }) => admin.admin('DELETE', `/apikey/${key.id}`),
    target: (_, { key }) => ({ kind: 'api-key', id: key.id, tenant: 'acme', product: null }),
    changes: (_, { key: { name, prefix, scope } }) => ({
      name: { from: name, to: null },
      prefix: { from: prefix, to: null },
      scope: { from: scope, to: null },
      expires_at: { from: null, to: null },
    }),
  },
  'setup_link.created': {
    does: 'creating a setup link',
    call: ({ api }) => api('POST', '/setuplinks', { tenant: 'initech', product: 'hr', types: ['okta-scim-v2'] }),
    target: ({ body }) => linkTarget(body.data),
    changes: ({ body }) => ({ ...unsetLink, types: { from: null, to: ['okta-scim-v2'] }, ...linkExpiry(body.data) }),
  },
  'setup_link.deleted': {
    does: 'revoking a setup link',
    call: async ({ api }) => {
      const { body } = await api('POST', '/setuplinks', { tenant: 'hooli', product: 'hr' })
      return { ...(await api('DELETE', '/setuplinks?tenant=hooli&product=hr')), body }
    },
    target: ({ body }) => linkTarget(body.data),
    changes: ({ body }) => {
      const { expires_at } = linkExpiry(body.data)
      return { ...unsetLink, expires_at: { from: expires_at.to, to: null } }
    },
  },
  'user.linked': {
    does: 'linking a user to an account',
    call: linkAnn('acct-1'),
    target: ofLinkedUser,
  },
  'user.unlinked': {
    does: 'ending the link of a user',
    call: async (stage) => {
      await linkAnn('acct-1')(stage)
      return linkAnn(null)(stage)
    },
    target: ofLinkedUser,
  },
  'adoption.applied': {
    does: 'applying a plan of accounts',
    async call({ service, api, directory }) {
      await service.scim(directory, 'POST', '/Users', { userName: 'lea' })
      await api('POST', `/${directory.id}/adoption`, [{ account_id: 'acct-2', user_name: 'lea' }])
      const { version } = (await api('GET', `/${directory.id}/adoption`)).body.data as unknown as AdoptionView
      return api('POST', `/${directory.id}/adoption/apply`, { version })
    },
    target: (_, { directory }) => ofDirectory(directory),
    changes: () => ({ links: { from: null, to: 1 } }),
  },
  'mapping.changed': {
    does: 'changing a mapping',
    call: ({ api, directory }) => api('PUT', `/${directory.id}/mapping`, memberForAll),
    changes: () => ({ mapping_version: { from: null, to: 1 } }),
  },
  'mapping.removed': {
    does: 'removing a mapping',
    async call({ api, directory }) {
      await api('PUT', `/${directory.id}/mapping`, memberForAll)
      return api('DELETE', `/${directory.id}/mapping`)
    },
    changes: () => ({ mapping_version: { from: 1, to: null } }),
  },
  'oauth_client.created': {
    does: 'creating an OAuth client',
    call: ({ api, directory }) => api('POST', `/${directory.id}/oauth-clients`, { type: 'secret', name: 'Entra ID' }),
    changes: ({ body }) => changesOfClient(body.data, (value) => ({ from: null, to: value })),
  },
  'oauth_client.deleted': {
    does: 'deleting an OAuth client',
    call: async ({ api, directory }) => {
      const { body } = await api('POST', `/${directory.id}/oauth-clients`, { type: 'secret', name: 'Entra ID' })
      const { client_id } = body.data as unknown as OAuthClientView
      return { ...(await api('DELETE', `/${directory.id}/oauth-clients/${client_id}`)), body }
    },
    changes: ({ body }) => changesOfClient(body.data, (value) => ({ from: value, to: null })),
  },
  'directory.created': {
    does: 'creating a directory',
    call: ({ api }) => api('POST', '', { tenant: 'globex', product: 'hr', ...endpoint }),
    target: ({ body }) => ({ kind: 'directory', id: body.data.id, tenant: 'globex', product: 'hr' }),
    changes: () => ({
      name: { from: null, to: 'scim-globex-hr' },
      tenant: { from: null, to: 'globex' },
      product: { from: null, to: 'hr' },
      type: { from: null, to: 'generic-scim-v2' },
      webhook_url: { from: null, to: 'http://127.0.0.1:9/in' },
      log_webhook_events: { from: null, to: false },
      log_scim_requests: { from: null, to: false },
      unique_group_names: { from: null, to: false },
      scim_auth: { from: null, to: 'any' },
      scim_profile: { from: null, to: 'tolerant' },
      adoption: { from: null, to: 'off' },
      deactivated: { from: null, to: false },
      scim_secret: set,
      webhook_url_query: set,
      webhook_secret: set,
    }),
  },
  'directory.updated': {
    does: 'changing a directory',
    call: ({ api, directory }) => api('PATCH', `/${directory.id}`, { ...otherEndpoint, log_webhook_events: true }),
    changes: () => ({
      webhook_url: { from: 'http://127.0.0.1:9/in', to: 'http://127.0.0.1:9/other' },
      webhook_url_query: gone,
      webhook_secret: changed,
      log_webhook_events: { from: false, to: true },
    }),
  },
  'directory.deleted': {
    does: 'deleting a directory',
    call: ({ api, directory }) => api('DELETE', `/${directory.id}`),
    changes: (_, { directory }) => ({
      name: { from: directory.name, to: null },
      tenant: { from: 'acme', to: null },
      product: { from: 'crm', to: null },
      type: { from: 'generic-scim-v2', to: null },
      webhook_url: { from: 'http://127.0.0.1:9/in', to: null },
      log_webhook_events: { from: false, to: null },
      log_scim_requests: { from: false, to: null },
      unique_group_names: { from: false, to: null },
      scim_auth: { from: 'any', to: null },
      scim_profile: { from: 'tolerant', to: null },
      adoption: { from: 'off', to: null },
      deactivated: { from: false, to: null },
      scim_secret: gone,
      webhook_url_query: gone,
      webhook_secret: gone,
    }),
  },
  'directory.secret_rotated': {
    does: 'a new SCIM secret',
    call: ({ api, directory }) => api('POST', `/${directory.id}/rotate-secret`, { grace_seconds: 60 }),
    changes: () => ({ scim_secret: changed, previous_scim_secret: set }),
  },
  'directory.webhook_secret_rotated': {
    does: 'a new webhook secret',
    call: ({ api, directory }) => api('POST', `/${directory.id}/rotate-webhook-secret`),
    changes: () => ({ webhook_secret: changed }),
  },
  // done by an administrator, not an admin; see below
  'directory.connected': undefined,
  'directory.connection_requested': undefined,
  'directory.connection_approved': undefined,
  // done by a command: see test/service/import/
  'directory.imported': undefined,
  'directory.resync_started': {
    does: 'a resync',
    call: ({ api, directory }) => api('POST', `/${directory.id}/resync`),
  },
  'directory.hold_released': {
    does: 'releasing a hold',
    call: async (stage) => {
      await heldDirectory(stage)
      return stage.api('POST', `/${stage.directory.id}/hold/release`)
    },
    changes: () => ({ reasons: { from: ['users'], to: [] } }),
  },
  'directory.hold_discarded': {
    does: 'discarding a hold',
    call: async (stage) => {
      await heldDirectory(stage)
      return stage.api('POST', `/${stage.directory.id}/hold/discard`)
    },
    changes: () => ({ reasons: { from: ['users'], to: [] } }),
  },
  'directory.sync_started': {
    does: 'a sync run',
    call: ({ api, pulled }) => api('POST', `/${pulled.id}/sync?wait=true`),
    target: (_, { pulled }) => ofDirectory(pulled),
  },
  'directory.sync_approved': {
    does: 'approving a held run',
    call: async (stage) => {
      const { id } = await heldRun(stage)
      return stage.api('POST', `/${stage.pulled.id}/sync-runs/${id}/approve?wait=true`)
    },
    target: (_, { pulled }) => ofDirectory(pulled),
  },
  'delivery.paused': { does: 'a pause', call: ({ api, directory }) => api('POST', `/${directory.id}/pause`) },
  'delivery.resumed': {
    does: 'a resume',
    call: async ({ api, directory }) => {
      await api('POST', `/${directory.id}/pause`)
      return api('POST', `/${directory.id}/resume`)
    },
  },
  'delivery.replayed': {
    does: 'a replay',
    call: async ({ service, api, directory }) => {
      await service.scim(directory, 'POST', '/Users', { userName: 'ann' })
      return api('POST', `/${directory.id}/replay`, { from_sequence: 1 })
    },
  },
  'delivery.skipped': {
    does: 'skipping an event',
    call: async ({ service, api, directory }) => {
      await service.scim(directory, 'POST', '/Users', { userName: 'ann' })
      await statusWhen(service, directory.id, ({ failures }) => failures > 0)
      return api('POST', `/${directory.id}/events/1/skip`, { reason: 'a test' })
    },
    changes: () => ({ skipped: { from: null, to: 1 }, reason: { from: null, to: 'a test' } }),
  },
  'delivery_log.deleted': {
    does: 'deleting the delivery log',
    call: async ({ service, api, directory }) => {
      await api('PATCH', `/${directory.id}`, { log_webhook_events: true })
      await service.scim(directory, 'POST', '/Users', { userName: 'ann' })
      const log = `/events?directoryId=${directory.id}`
      await eventually('an attempt', async () => (await api('GET', log)).body.data.length > 0)
      return api('DELETE', log)
    },
  },
  // Made by a command on the machine of the service: test/guarantees/faults/backup.test.ts.
  'database.backed_up': undefined,
  'encryption_key.rotated': {
    does: 'a new encryption key',
    call: ({ admin }) => admin.admin('POST', '/rotate-keys'),
    target: ofService,
    changes: ({ body }) => ({ resealed: { from: null, to: (body.data as unknown as { resealed: number }).resealed } }),
  },
  'audit.exported': { does: 'an export', call: ({ admin }) => admin.admin('GET', '/event/export'), target: ofService },
}

/** Removes a user of the directory, which its limit does not allow. */
async function heldDirectory({ service, api, directory }: Stage): Promise<void> {
  await api('PATCH', `/${directory.id}`, { removal_limit: { percent: 0, minimum: 0 } })
  const { body } = await service.scim(directory, 'POST', '/Users', { userName: 'removed' })
  await service.scim(directory, 'DELETE', `/Users/${body.id}`)
}

/** Removes all users from Google's responses, which is more than a run may delete without approval. */
async function heldRun({ service, google, pulled }: Stage) {
  for (let n = 0; n < 25; n += 1) {
    google.addUser({ primaryEmail: `user-${n}@example.com`, givenName: 'A', familyName: 'User' })
  }
  await syncWell(service, pulled)
  google.onRequest = ({ endpoint: asked }) => (asked === 'users.list' ? { kind: 'empty-list' } : undefined)
  try {
    return await sync(service, pulled)
  } finally {
    google.onRequest = () => undefined
  }
}

/** The audit entries of one request. */
async function entriesOf(reader: TestAdmin, { headers }: Answer): Promise<NamedEntryView[]> {
  const found = await events(reader, { pageLimit: '1000' })
  return found.filter(({ request_id }) => request_id === headers['x-request-id'])
}

forEachEngine((engine) => {
  const opened = forSuite(async () => {
    const { service, google, ...rest } = await startPulledService(engine, adminSettings)
    return { service, google, reader: await login(service, 'reader@example.com'), ...rest }
  })

  async function stageOf(admin: TestAdmin = opened().reader): Promise<Stage> {
    const { service, google } = opened()
    return {
      ...{ service, google, admin },
      key: await makeKey(admin, 'short-lived', { tenant: 'acme' }),
      directory: await service.createDirectory(endpoint),
      pulled: await connectDirectory(service, google),
      api: (method, path, body) =>
        service.api(method, path, body, { authorization: admin.header, 'x-forwarded-for': admin.address }),
    }
  }

  for (const [action, row] of Object.entries(calls)) {
    if (row === undefined) continue
    const { does, call, target, changes, endsLogin } = row
    test(`${does} is audited as ${action}`, async () => {
      const stage = await stageOf(endsLogin ? await login(opened().service) : undefined)
      const { admin, directory } = stage
      const response = await call(stage)
      assert(response.status < 300, response.text)
      const [entry, ...others] = await entriesOf(opened().reader, response)
      assert.deepEqual(others, [])
      const { actor, address, target: named, changes: foundChanges } = entry ?? {}
      const { name: _name, is_deleted: _isDeleted, ...found } = named ?? {}
      assert.deepEqual(
        { action: entry?.action, actor, address, target: found, changes: foundChanges },
        {
          action,
          actor: { kind: 'admin', id: admin.user.id, name: admin.user.email },
          address: admin.address,
          target: target?.(response, stage) ?? ofDirectory(directory),
          changes: changes?.(response, stage) ?? null,
        },
      )
    })
  }

  test('the delivery that somebody paused says who', async () => {
    const stage = await stageOf()
    const { admin, api, directory } = stage
    await api('POST', `/${directory.id}/pause`)
    const { paused } = await statusOf(stage.service, directory.id)
    assert.deepEqual([paused?.reason, paused?.by], ['operator', admin.user.email])
  })

  test('rejected requests are not audited', async () => {
    const { admin, api, directory } = await stageOf()
    for (const response of [
      await api('POST', '', { tenant: 'a:b', product: 'crm' }),
      await api('PATCH', `/${directory.id}`, { webhook_url: 'ftp://hooks.example' }),
      await api('DELETE', '/nobody'),
      await admin.admin('POST', '/apikey', { name: '' }),
      await admin.admin('DELETE', '/apikey/nobody'),
      await admin.admin('DELETE', '/token/nobody'),
      await admin.admin('PUT', '/user/me', { timezone: 'Mars' }),
    ]) {
      assert(response.status === 400 || response.status === 404, response.text)
      assert.deepEqual(await entriesOf(opened().reader, response), [])
    }
  })

  test('the entry of a managed key has its id and name', async () => {
    const { service, reader } = opened()
    const { key, id, name } = await makeKey(reader, 'the key of the CRM')
    const address = newAddress()
    const headers = { authorization: `Api-Key ${key}`, 'x-forwarded-for': address }
    const response = await service.api('POST', '', { tenant: 'acme', product: 'crm' }, headers)
    const [entry] = await entriesOf(reader, response)
    assert.deepEqual([entry?.actor, entry?.address], [{ kind: 'api-key', id, name }, address])
  })

  test('the entry of a configured key has an id of its own, which does not depend on its position', async () => {
    const [first, second] = ['first-configured-key-of-a-test', 'second-configured-key-of-a-test']
    const created = async (on: TestService, key: string) => {
      const headers = { authorization: `Api-Key ${key}` }
      const answer = await on.api('POST', '', { tenant: 'acme', product: 'crm' }, headers)
      const [entry] = await entriesOf(await login(on), answer)
      return entry?.actor
    }
    await using database = await openTestDatabase(engine)
    const before = await startTestService(database, { ...adminSettings, API_KEYS: `${first},${second}` })
    const actors = [await created(before, first), await created(before, second)]
    await before.close()
    assert.deepEqual(
      actors.map((actor) => [actor?.kind, actor?.name]),
      [
        ['api-key', 'API_KEYS 1'],
        ['api-key', 'API_KEYS 2'],
      ],
    )
    assert.notEqual(actors[0]?.id, actors[1]?.id)
    await using after = await startTestService(database, { ...adminSettings, API_KEYS: second })
    assert.deepEqual(await created(after, second), { ...actors[1], name: 'API_KEYS 1' })
  })

  test('the audit trail contains no secret', async () => {
    const { reader } = opened()
    const stage = await stageOf()
    for (const row of [calls['directory.updated'], calls['directory.secret_rotated'], calls['api_key.deleted']]) {
      await row?.call(stage)
    }
    const { scim, webhook, extdir_access_token, extdir_refresh_token } = { ...stage.pulled, ...stage.directory }
    const { token, adminToken } = stage.admin
    const secrets = [
      ...secretsUsed,
      ...[scim.secret, webhook.secret, extdir_access_token ?? '', extdir_refresh_token ?? ''],
      ...[token, adminToken.token, adminToken.tokenBcrypt, stage.key.key],
    ]
    const { text } = await reader.admin('GET', '/event/export')
    assert(text.includes(stage.directory.id) && secrets.every((secret) => secret.length > 10))
    for (const secret of secrets) assert(!text.includes(secret), `${secret.slice(0, 12)} is there`)
  })

  test('connecting a directory is audited with a caller of its own kind', async () => {
    await using google = await startOAuthServer()
    await using service = await startTestService(engine, { ...google.settings, ...adminSettings })
    const directory = await service.createDirectory({ type: 'extdir' })
    const begun = await service.request('GET', authorizationPath(directory))
    const state = new URL(String(begun.headers['location'])).searchParams.get('state') ?? ''
    const address = newAddress()
    const query = new URLSearchParams({ state, code: 'a-code' })
    const response = await service.request('GET', `/api/scim/oauth/callback?${query}`, {
      headers: { 'x-forwarded-for': address, ...cookieOf(begun) },
    })
    assert.equal(response.status, 200, response.text)
    const entries = await entriesOf(await login(service), response)
    assert.deepEqual(entries.map(({ action }) => action).sort(), ['directory.connected', 'directory.sync_started'])
    const entry = entries.find(({ action }) => action === 'directory.connected')
    assert.deepEqual(
      [entry?.action, entry?.actor, entry?.address, entry?.target, entry?.changes],
      [
        'directory.connected',
        { kind: 'setup', id: null, name: null },
        address,
        { ...ofDirectory(directory), name: directory.name, is_deleted: false },
        { extdir_workspace: { from: null, to: 'C0acme' }, extdir_access_token: set, extdir_refresh_token: set },
      ],
    )
  })
})
