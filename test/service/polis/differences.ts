import { directoryTypes } from '../../../src/directory/provider.ts'
import type { Answer } from '../../support/client.ts'
import { poll } from '../../support/eventually.ts'
import type { TestService } from '../../support/service.ts'
import { testApiKey } from '../../support/service.ts'
import type { Handler } from './handler.ts'
import { handlerSecret } from './handler.ts'

/** A difference between Polis and Rollcall that a product, or its identity provider, may see. */
export interface Difference {
  /** The first cell of its row in docs/moving-from-polis.md. */
  readonly title: string
  /** Does the same on a service with and without `POLIS_COMPAT`, each time for a new tenant. */
  readonly show: (polis: Steps) => Promise<unknown>
  /** What is shown with `POLIS_COMPAT`. */
  readonly on: unknown
  /** What is shown without it; undefined: the same. */
  readonly off?: unknown
}

export interface Sent {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: the rows read whatever an answer has
  readonly body: any
}

/** The steps that rows are made of. */
export type Steps = ReturnType<typeof stepsOn>

let tenants = 0

export function stepsOn(service: TestService, { url, events }: Handler) {
  tenants += 1
  const tenant = `tenant-${tenants}`
  const scope = `tenant=${tenant}&product=crm`
  const endpoint = { webhook_url: url, webhook_secret: handlerSecret }

  async function call(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Sent> {
    // The answers of Polis are not those of openapi.json, with which the client of the tests compares them.
    const response = await fetch(`${service.origin}${path.startsWith('/api/') ? path : `/api/v1/dsync${path}`}`, {
      method,
      headers: {
        authorization: `Api-Key ${testApiKey}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    return { status: response.status, body: await response.json() }
  }
  async function directory(fields: object = {}): Promise<Sent['body']> {
    return (await call('POST', '', { tenant, product: 'crm', ...fields })).body.data
  }
  const scim = (
    of: { readonly scim: { readonly secret: string }; readonly id: string },
    method: string,
    path: string,
    body?: object,
  ): Promise<Answer> =>
    service.request(method, `/api/scim/v2.0/${of.id}${path}`, {
      body,
      headers: { authorization: `Bearer ${of.scim.secret}`, 'content-type': 'application/scim+json' },
    })
  async function user(of: Parameters<typeof scim>[0], userName: string, fields: object = {}): Promise<Sent> {
    return scim(of, 'POST', '/Users', { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], userName, ...fields })
  }
  async function group(
    of: Parameters<typeof scim>[0],
    displayName: string,
    members: readonly string[] = [],
  ): Promise<Sent> {
    return scim(of, 'POST', '/Groups', {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
      displayName,
      members: members.map((value) => ({ value })),
    })
  }
  return { tenant, scope, endpoint, events, call, directory, scim, user, group }
}

const unknownId = '00000000-0000-4000-8000-000000000000'
const statusOf = ({ status }: Sent) => status
const said = ({ status, body }: Sent) => [status, body.error?.message, 'data' in body]
const times = (count: number) => Array.from({ length: count }, (_, index) => index)

export const differences: readonly Difference[] = [
  {
    title: 'Scheme of `Authorization`',
    show: async ({ call, scope }) =>
      statusOf(await call('GET', `/?${scope}`, undefined, { authorization: `Bearer ${testApiKey}` })),
    on: 200,
    off: 401,
  },
  {
    title: 'Failures',
    show: async ({ call, scope }) =>
      said(await call('GET', `/?${scope}`, undefined, { authorization: 'Api-Key wrong' })).slice(1),
    on: ['Unauthorized', false],
    off: ['Send a valid API key: "Authorization: Api-Key <key>".', true],
  },
  {
    title: 'Messages',
    show: async ({ call, tenant, scope }) => [
      said(await call('POST', '', { tenant })).slice(0, 2),
      said(await call('POST', '', { tenant, product: 'crm', type: 'ldap' })).slice(0, 2),
      said(await call('POST', '', { tenant: 'a:b', product: 'crm' })).slice(0, 2),
      said(await call('GET', '/?tenant=a')).slice(0, 2),
      said(await call('GET', '/product')).slice(0, 2),
      said(await call('GET', `/${unknownId}`)).slice(0, 2),
      said(await call('PATCH', `/${unknownId}`, { name: 'x' })).slice(0, 2),
      said(await call('GET', '/users')).slice(0, 2),
      said(await call('GET', `/users?directoryId=${unknownId}`)).slice(0, 2),
      said(await call('GET', `/users/${unknownId}?${scope}`)).slice(0, 2),
      said(await call('GET', `/groups/${unknownId}?${scope}`)).slice(0, 2),
      said(await call('GET', '/setuplinks')).slice(0, 2),
      said(await call('GET', `/setuplinks?${scope}`)).slice(0, 2),
      said(await call('POST', '/setuplinks', { tenant, product: 'crm' })).slice(0, 2),
      said(await call('PUT', '')).slice(0, 2),
    ],
    on: [
      [400, 'Missing required parameters.'],
      [400, 'Invalid directory type.'],
      [400, 'tenant cannot contain the character :'],
      [400, 'Please provide tenant and product'],
      [400, 'Please provide a product'],
      [404, 'Directory configuration not found.'],
      [404, 'Directory configuration not found.'],
      [400, 'Set tenant and product before using store.'],
      [404, 'Directory not found.'],
      [404, 'User not found'],
      [404, `Group with id ${unknownId} not found.`],
      [400, 'Please provide either id or tenant and product'],
      [404, 'Setup link is not found'],
      [400, 'Must provide webhook_url and webhook_secret'],
      [405, 'Method PUT not allowed.'],
    ],
    off: [
      [400, 'product: text of 1 to 200 characters, without ":" and control characters.'],
      [400, `type: one of ${directoryTypes.join(', ')}.`],
      [400, 'tenant: text of 1 to 200 characters, without ":" and control characters.'],
      [400, 'product: required in the query.'],
      [400, 'product: required in the query.'],
      [404, 'There is no such directory.'],
      [404, 'There is no such directory.'],
      [400, 'Name the directories: send directoryId, tenant and product, or product alone for all its tenants.'],
      [404, 'There is no such directory.'],
      [404, 'There is no such resource in this scope.'],
      [404, 'There is no such resource in this scope.'],
      [400, 'Name the setup link: send id, or tenant and product.'],
      [404, 'There is no such setup link.'],
      [201, undefined],
      [405, 'This URL only supports GET, POST.'],
    ],
  },
  {
    title: 'Unknown fields',
    show: async ({ call, tenant, scope, directory }) => {
      const { id } = await directory()
      return [
        statusOf(await call('POST', '', { tenant, product: 'crm', description: 'x', nothing: { a: 1 } })),
        statusOf(await call('PATCH', `/${id}`, { tenant: 'other', scim: {}, type: 'google', nothing: 1 })),
        statusOf(await call('GET', `/users?${scope}&nothing=1`)),
      ]
    },
    on: [201, 200, 200],
    off: [400, 400, 400],
  },
  {
    title: 'Form-encoded bodies',
    show: async ({ call, tenant }) =>
      statusOf(
        await call('POST', '', `tenant=${tenant}&product=crm`, { 'content-type': 'application/x-www-form-urlencoded' }),
      ),
    on: 201,
    off: 415,
  },
  {
    title: 'Booleans',
    show: async ({ call, directory }) => {
      const { id } = await directory()
      const values = []
      for (const value of ['false', 'yes', 0, null]) {
        const { status, body } = await call('PATCH', `/${id}`, { log_webhook_events: value })
        values.push(status === 200 ? body.data.log_webhook_events : status)
      }
      return values
    },
    on: [false, true, true, true],
    off: [false, 400, 400, 400],
  },
  {
    title: '`type` and fields of Google',
    show: async ({ call, tenant }) => {
      const made = await call('POST', '', {
        tenant,
        product: 'crm',
        type: 'google',
        google_access_token: 'a',
        google_refresh_token: 'r',
      })
      if (made.status !== 201) return made.status
      const older = await call('POST', '', { tenant, product: 'crm', type: 'google-api', google_domain: 'example.com' })
      const { type, scim, google_access_token, google_refresh_token, google_authorization_url, extdir_domain } =
        made.body.data
      const changed = await call('PATCH', `/${made.body.data.id}`, { google_access_token: 'b' })
      return {
        ...{ type, scim, google_access_token, google_refresh_token, extdir_domain },
        isUrl: /oauth\/authorize/.test(google_authorization_url),
        older: [older.body.data.type, older.body.data.google_domain],
        changed: changed.body.data.google_access_token,
      }
    },
    on: {
      ...{ type: 'google', scim: { path: '', secret: '' }, google_access_token: 'a', google_refresh_token: 'r' },
      ...{ extdir_domain: undefined, isUrl: true, older: ['google', 'example.com'], changed: 'b' },
    },
    off: 400,
  },
  {
    title: 'SCIM URL of Entra ID',
    show: async ({ directory }) => {
      const { scim, id } = await directory({ type: 'azure-scim-v2' })
      return [scim.path.replace(id, ''), scim.endpoint.endsWith(scim.path)]
    },
    on: ['/api/scim/v2.0//?aadOptscim062020', true],
    off: ['/api/scim/v2.0/', true],
  },
  {
    title: '`webhook_url` without a secret',
    show: async ({ directory, endpoint: { webhook_url } }) => {
      const { webhook } = await directory({ webhook_url })
      return [webhook.endpoint === webhook_url, webhook.secret === '']
    },
    on: [false, true],
    off: [true, false],
  },
  {
    title: '`webhook` as an object in a PATCH',
    show: async ({ call, directory, endpoint: { webhook_url, webhook_secret } }) => {
      const { id } = await directory()
      const { status, body } = await call('PATCH', `/${id}`, {
        webhook: { endpoint: webhook_url, secret: webhook_secret },
      })
      return status === 200 ? body.data.webhook.secret === webhook_secret : status
    },
    on: true,
    off: 400,
  },
  {
    title: 'A PATCH of nothing',
    show: async ({ call, directory }) => statusOf(await call('PATCH', `/${(await directory()).id}`, {})),
    on: 200,
    off: 400,
  },
  {
    title: 'Deletion of what is not there',
    show: async ({ call }) => {
      const [directory, link] = [await call('DELETE', `/${unknownId}`), await call('DELETE', '/setuplinks?id=none')]
      return [directory.status, directory.body.data, link.status, (await call('DELETE', '/setuplinks')).status]
    },
    on: [200, {}, 200, 200],
    off: [404, null, 404, 400],
  },
  {
    title: 'Successful answers',
    show: async ({ call, directory, user, group, scope }) => {
      const made = await directory()
      const [{ body: one }, { body: other }] = [await user(made, 'a@b.example'), await group(made, 'Team')]
      const keys = async (path: string) =>
        Object.keys((await call('GET', path)).body)
          .sort()
          .join()
      return [
        await keys(`/${made.id}`),
        await keys(`/users?${scope}`),
        await keys(`/users/${one.id}?${scope}`),
        await keys(`/groups/${other.id}?${scope}`),
        await keys(`/groups/${other.id}/members?${scope}`),
      ]
    },
    on: ['data', 'data,error', 'data', 'data', 'data'],
    off: ['data,error', 'data,error', 'data,error', 'data,error', 'data'],
  },
  {
    title: 'Order and length of lists',
    show: async ({ call, directory, user, scope }) => {
      const made = await directory()
      for (const index of times(53)) await user(made, `u${index}@b.example`)
      const names = (answer: Sent) =>
        answer.body.data.map(({ email }: { email: string }) => email.slice(1, email.indexOf('@')))
      const first = await call('GET', `/users?${scope}`)
      const next = await call('GET', `/users?${scope}&pageOffset=50&pageLimit=50`)
      const token = await call('GET', `/users?${scope}&limit=2&pageToken=${first.body.pageToken}`)
      return [names(first).length, names(first)[0], names(next), token.body.data && names(token)]
    },
    on: [50, '52', ['2', '1', '0'], ['2', '1']],
    off: [53, '0', ['50', '51', '52'], null],
  },
  {
    title: 'Lists of directories and setup links',
    show: async ({ call, directory, tenant, endpoint, scope }) => {
      for (const name of ['first', 'second', 'third']) await directory({ name })
      const names = (answer: Sent) => answer.body.data.map(({ name }: { name: string }) => name)
      const all = names(await call('GET', `/?${scope}`))
      const page = names(await call('GET', `/product?product=crm&tenant=${tenant}&pageLimit=2`))
      for (const part of ['a', 'b'])
        await call('POST', '/setuplinks', { tenant: `${tenant}${part}`, product: tenant, name: part, ...endpoint })
      return [all, page, names(await call('GET', `/setuplinks/product?product=${tenant}`))]
    },
    on: [
      ['third', 'second', 'first'],
      ['third', 'second'],
      ['b', 'a'],
    ],
    off: [
      ['first', 'second', 'third'],
      ['first', 'second'],
      ['a', 'b'],
    ],
  },
  {
    title: 'Members of an unknown group',
    show: async ({ call, directory, scope }) => {
      await directory()
      const { status, body } = await call('GET', `/groups/${unknownId}/members?${scope}`)
      return [status, body.data]
    },
    on: [200, []],
    off: [404, null],
  },
  {
    title: '`email` of a user',
    show: async ({ call, directory, user, scope }) => {
      const emails = [
        { value: 'first@b.example', type: 'home' },
        { value: 'second@b.example', type: 'work', primary: true },
      ]
      const { body } = await user(await directory(), 'name', { emails })
      return (await call('GET', `/users/${body.id}?${scope}`)).body.data.email
    },
    on: 'first@b.example',
    off: 'second@b.example',
  },
  {
    title: '`roles` of a user',
    show: async ({ call, directory, user, scope }) => {
      const made = await directory()
      const shown = []
      for (const [index, roles] of [
        ['viewer', 'editor'],
        'viewer,editor',
        [{ value: 'viewer', primary: true }],
      ].entries()) {
        const { status, body } = await user(made, `u${index}@b.example`, { roles })
        shown.push(status, (await call('GET', `/users/${body.id}?${scope}`)).body.data.roles)
      }
      return shown
    },
    on: [201, ['viewer', 'editor'], 201, ['viewer', 'editor'], 201, ['viewer']],
    off: [201, undefined, 201, undefined, 201, undefined],
  },
  {
    title: '`roles` in `raw` and over SCIM, if they are sent as texts',
    show: async ({ call, directory, scim, user, scope }) => {
      const made = await directory()
      const { body } = await user(made, 'a@b.example', { roles: ['viewer', 'editor'] })
      const { data } = (await call('GET', `/users/${body.id}?${scope}`)).body
      const overScim: Sent = await scim(made, 'GET', `/Users/${body.id}`)
      return [data.raw.roles, overScim.body.roles]
    },
    on: [
      [{ value: 'viewer' }, { value: 'editor' }],
      [{ value: 'viewer' }, { value: 'editor' }],
    ],
  },
  {
    title: '`raw` of a group',
    show: async ({ call, directory, user, group, scope }) => {
      const made = await directory()
      const { body: member } = await user(made, 'a@b.example')
      const { body } = await group(made, 'Team', [member.id])
      const { data } = (await call('GET', `/groups/${body.id}?${scope}`)).body
      return [data.raw.members.length, data.members?.length]
    },
    on: [0, undefined],
    off: [1, 1],
  },
  {
    title: '`raw` keeps empty values',
    show: async ({ call, directory, user, scope }) => {
      const { body } = await user(await directory(), 'a@b.example', { groups: [], nickName: '', phoneNumbers: [] })
      const { raw } = (await call('GET', `/users/${body.id}?${scope}`)).body.data
      return ['groups', 'nickName', 'phoneNumbers'].filter((name) => name in raw)
    },
    on: [],
  },
  {
    title: 'Setup links',
    show: async ({ call, tenant, scope, endpoint }) => {
      const sent = { tenant, product: 'crm', ...endpoint, description: 'ignored', expiryDays: 0.5 }
      const made = await call('POST', '/setuplinks', { ...sent, regenerate: 'false' })
      if (made.status !== 201) return made.status
      const again = await call('POST', '/setuplinks', { ...sent, name: 'Another', expiryDays: 9 })
      const read = await call('GET', `/setuplinks?${scope}`)
      const { url, webhook_secret, name } = read.body.data
      const page = await call('GET', `/api/v1/setup`, undefined, { authorization: `Setup ${url.slice(-48)}` })
      return [again.body.data.url === url, made.body.data.url === url, webhook_secret, name, page.status]
    },
    on: [true, true, handlerSecret, undefined, 200],
    off: 400,
  },
  {
    title: 'Jobs',
    show: async ({ call }) => {
      const processed = await call('GET', '/cron/process-events')
      const synced = [await call('POST', '/cron/sync-google'), await call('GET', '/cron/sync-google')]
      return [processed.status, processed.body.message, ...synced.map(({ status, body }) => [status, body.message])]
    },
    on: [200, 'Processing started', [200, 'Sync started'], [200, 'Sync started']],
    off: [405, undefined, [404, undefined], [404, undefined]],
  },
  {
    title: '`/api/health` and `/api/v1/stats`',
    show: async ({ call, directory, tenant }) => {
      await directory()
      const health = await call('GET', '/api/health', undefined, { authorization: '' })
      const stats = await call('GET', '/api/v1/stats')
      const product = await call('POST', '/api/v1/stats/product', { products: ['crm', tenant] })
      const none = await call('POST', '/api/v1/stats/product', {})
      return [
        ...[typeof health.body.version, stats.body.data?.dsync_connections > 0, product.body.data?.sso_connections],
        none.body.error.message,
      ]
    },
    on: ['string', true, 0, 'Missing products'],
    off: ['undefined', false, undefined, 'Unknown URL; see /docs for the API.'],
  },
  {
    title: 'A second group of the same name',
    show: async ({ directory, group }) => {
      const made = await directory()
      await group(made, 'Team')
      return statusOf(await group(made, 'Team'))
    },
    on: 409,
    off: 201,
  },
  {
    title: 'Numbers and texts where SCIM has another type',
    show: async ({ directory, user }) => {
      const made = await directory()
      const { status, body } = await user(made, 'a@b.example', { title: 7, emails: ['c@d.example'] })
      return [status, body.title, body.emails]
    },
    on: [201, '7', [{ value: 'c@d.example' }]],
  },
  {
    title: 'Empty `active`',
    show: async ({ directory, user }) => {
      const { status, body } = await user(await directory(), 'a@b.example', { active: '' })
      return [status, body.active]
    },
    on: [201, true],
  },
  {
    title: 'The prefix `/api/v1/directory-sync`',
    show: async ({ call, tenant }) => {
      const made = await call('POST', '/api/v1/directory-sync', { tenant, product: 'crm', type: 'google' })
      return [made.status, made.body.data?.type]
    },
    on: [201, 'google'],
    off: [400, undefined],
  },
  {
    title: 'The API of the setup pages',
    show: async ({ call }) => statusOf(await call('GET', `/api/setup/${'0'.repeat(48)}/directory-sync`)),
    on: 404,
  },
  {
    title: 'Members that do not exist',
    show: async ({ call, directory, group, scope }) => {
      const { status, body } = await group(await directory(), 'Team', [unknownId])
      return [status, (await call('GET', `/groups/${body.id}/members?${scope}`)).body.data]
    },
    on: [201, []],
  },
  {
    title: 'PATCH of a group, and DELETE',
    show: async ({ directory, group, scim }) => {
      const made = await directory()
      const { body } = await group(made, 'Team')
      const operations = {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
        Operations: [{ op: 'replace', path: 'displayName', value: 'B' }],
      }
      return [
        statusOf(await scim(made, 'PATCH', `/Groups/${body.id}`, operations)),
        statusOf(await scim(made, 'DELETE', `/Groups/${body.id}`)),
      ]
    },
    on: [204, 204],
  },
  {
    title: 'Members of groups over SCIM',
    show: async ({ directory, user, group, scim }) => {
      const made = await directory()
      const { body: member } = await user(made, 'a@b.example')
      const { body } = await group(made, 'Team', [member.id])
      const [plain, included] = [
        await scim(made, 'GET', `/Groups/${body.id}`),
        await scim(made, 'GET', `/Groups/${body.id}?includeMembers=true`),
      ]
      return [plain.body.members?.length, included.body.members?.length]
    },
    on: [1, 1],
  },
  {
    title: 'A deactivated directory',
    show: async ({ call, directory, user }) => {
      const made = await directory()
      await call('PATCH', `/${made.id}`, { deactivated: 'true' })
      return statusOf(await user(made, 'a@b.example'))
    },
    on: 403,
  },
  {
    title: 'Signatures of events',
    show: async ({ directory, endpoint, user, events }) => {
      const made = await directory(endpoint)
      await user(made, 'a@b.example')
      return (await events(made.id, 1))[0]?.isValid
    },
    on: { boxyHq: true, oryPolis: true },
    off: { boxyHq: false, oryPolis: false },
  },
  {
    title: 'Users and groups in events',
    show: async ({ directory, endpoint, user, group, events }) => {
      const made = await directory(endpoint)
      const emails = [{ value: 'first@b.example' }, { value: 'second@b.example', primary: true }]
      const { body } = await user(made, 'name', { emails, roles: ['viewer'] })
      await group(made, 'Team', [body.id])
      const [created, , added] = await events(made.id, 3)
      return [created, added].map((one) => [
        one?.event.data.email,
        one?.event.data.roles,
        one?.event.data.group?.raw.members,
      ])
    },
    on: [
      ['first@b.example', ['viewer'], undefined],
      ['first@b.example', ['viewer'], []],
    ],
    off: [
      ['second@b.example', undefined, undefined],
      ['second@b.example', undefined, undefined],
    ],
  },
  {
    title: 'An unchanged PUT',
    show: async ({ directory, endpoint, user, scim, events }) => {
      const made = await directory(endpoint)
      const { body } = await user(made, 'a@b.example')
      await scim(made, 'PUT', `/Users/${body.id}`, { schemas: body.schemas, userName: 'a@b.example' })
      await scim(made, 'DELETE', `/Users/${body.id}`)
      return (await events(made.id, 2)).map(({ event }) => event.event)
    },
    on: ['user.created', 'user.deleted'],
  },
  {
    title: 'Entries of the event log',
    show: async ({ call, directory, endpoint, user, scope }) => {
      // Nothing listens on this port.
      const made = await directory({ ...endpoint, webhook_url: 'http://127.0.0.1:1/hook' })
      await call('PATCH', `/${made.id}`, { log_webhook_events: true })
      await user(made, 'a@b.example')
      const entries = () => call('GET', `/events?directoryId=${made.id}`)
      const { body } = await poll(
        entries,
        (answer) => answer.body.data.length > 0,
        () => 'an entry of the log',
      )
      const [entry] = body.data
      const one = await call('GET', `/events/${entry.id}?${scope}`)
      const unknown = await call('GET', `/events/${unknownId}?${scope}`)
      const deleted = await call('DELETE', `/events?directoryId=${made.id}`)
      return [
        entry.status_code,
        entry.delivered,
        entry.payload.event,
        one.body.data.id === entry.id,
        [unknown.status, unknown.body.data],
        deleted.body.data,
      ]
    },
    on: [500, false, 'user.created', true, [200, null], null],
    off: [null, false, 'user.created', true, [404, null], {}],
  },
]
