import assert from 'node:assert/strict'
import type { SAMLJackson } from '../../../src/polis/index.ts'

export const libraryOptions = {
  ...{ externalUrl: 'https://app.example.com', samlPath: '/saml', scimPath: '/api/scim/v2.0' },
  logger: { info: () => {}, warn: () => {}, error: () => {} },
}

const unknownId = '00000000-0000-4000-8000-000000000000'
const core = 'urn:ietf:params:scim:schemas:core:2.0'

/** The answers of one implementation to the same calls, by the call. */
export type Answers = Readonly<Record<string, unknown>>

/** The recorded answers of Polis' library, which `test/service/import/recorded/write.ts` writes. */
export interface PublishedAnswers {
  /** Its name and version. */
  readonly library: string
  readonly answers: Answers
}

export const publishedAnswersFile = new URL('published-answers.json', import.meta.url)

/** The calls of a product, which compile against both implementations. */
export type Jackson = Pick<SAMLJackson, 'directorySyncController' | 'setupLinkController' | 'close'>

/** Makes the same calls on an implementation. */
export async function answersOf({
  directorySyncController: dsync,
  setupLinkController: links,
}: Jackson): Promise<Answers> {
  const { directories, users, groups, webhookLogs, requests } = dsync
  const answers: Record<string, unknown> = {}
  const events: unknown[] = []
  async function keep<T>(name: string, call: Promise<T>): Promise<T> {
    const answer = await call.catch(
      (error: Error & { statusCode?: number }) => ({ message: error.message, statusCode: error.statusCode }) as T,
    )
    answers[name] = answer
    return answer
  }
  const scope = ['acme', 'crm'] as const
  const made = await keep(
    'create',
    directories.create({
      tenant: 'acme',
      product: 'crm',
      type: 'okta-scim-v2',
      name: 'Acme',
      webhook_url: 'https://app.example.com/hook',
      webhook_secret: 'secret',
    }),
  )
  const { id, scim } = made.data ?? assert.fail('no directory was created')
  await keep(
    'create for Entra',
    directories.create({
      tenant: 'acme',
      product: 'crm',
      type: 'azure-scim-v2',
      webhook_url: 'https://app.example.com/hook',
    }),
  )
  await keep(
    'create for Google',
    directories.create({ tenant: 'acme', product: 'other', type: 'google', google_access_token: 'a' }),
  )
  await keep('create without a product', directories.create({ tenant: 'acme', product: '' }))
  await keep('create of a type', directories.create({ tenant: 'acme', product: 'crm', type: 'ldap' as 'google' }))
  await keep('create with a colon', directories.create({ tenant: 'a:b', product: 'crm' }))
  await keep('get', directories.get(id))
  await keep('get nothing', directories.get(''))
  await keep('get unknown', directories.get(unknownId))
  await keep('update', directories.update(id, { name: 'Acme 2', log_webhook_events: true, webhook_secret: 'other' }))
  await keep('getByTenantAndProduct', directories.getByTenantAndProduct(...scope))
  await keep('getByTenantAndProduct of nobody', directories.getByTenantAndProduct('', ''))
  await keep('getAll', directories.getAll({ pageLimit: 2 }))
  await keep('filterBy a product', directories.filterBy({ product: 'crm', pageOffset: 1, pageLimit: 1 }))
  await keep('filterBy a provider', directories.filterBy({ provider: 'google' }))
  await keep('filterBy nothing', directories.filterBy({}))
  await keep('getCount', directories.getCount({ name: 'product', value: 'crm' }) as Promise<number>)

  await keep('webhookLogs.getAll', webhookLogs.setTenantAndProduct(...scope).getAll({ directoryId: id }))

  const handle = (method: string, resourceType: string, resourceId?: string, body?: object, query = {}) =>
    requests.handle(
      { method, body, directoryId: id, resourceType, resourceId, apiSecret: scim.secret, query },
      async (event) => void events.push(event),
    )
  const person = (name: string) => ({
    schemas: [`${core}:User`],
    userName: `${name}@acme.example`,
    name: { givenName: name, familyName: 'B' },
    emails: [{ primary: true, value: `${name}@acme.example` }],
    active: true,
    roles: ['viewer'],
  })
  const ada = await keep('POST a user', handle('POST', 'Users', undefined, person('ada')))
  const bob = await keep('POST another', handle('POST', 'users', undefined, person('bob')))
  await keep('POST the same', handle('POST', 'Users', undefined, person('bob')))
  await keep(
    'a wrong secret',
    requests.handle({
      method: 'GET',
      body: undefined,
      directoryId: id,
      resourceType: 'users',
      resourceId: undefined,
      apiSecret: 'wrong',
      query: {},
    }),
  )
  await keep('GET a user', handle('GET', 'Users', ada.data.id))
  await keep(
    'GET users',
    handle('GET', 'Users', undefined, undefined, { count: 1, startIndex: 1, filter: 'userName eq "ada@acme.example"' }),
  )
  const team = await keep(
    'POST a group',
    handle('POST', 'Groups', undefined, { schemas: [`${core}:Group`], displayName: 'Team' }),
  )
  const add = { schemas: [], Operations: [{ op: 'add', path: 'members', value: [{ value: ada.data.id }] }] }
  await keep('PATCH a group', handle('PATCH', 'Groups', team.data.id, add))
  await keep(
    'PATCH a user',
    handle('PATCH', 'Users', bob.data.id, { schemas: [], Operations: [{ op: 'replace', value: { active: false } }] }),
  )

  await keep('users.getAll', users.setTenantAndProduct(...scope).getAll({ directoryId: id, pageLimit: 10 }))
  await keep('users.getAll of a page', users.setTenantAndProduct(...scope).getAll({ pageOffset: 1, pageLimit: 1 }))
  await keep('users.get', users.setTenantAndProduct(...scope).get(ada.data.id))
  await keep('users.get unknown', users.setTenantAndProduct(...scope).get(unknownId))
  await keep('users.search', users.setTenantAndProduct(...scope).search('ada@acme.example', id))
  users.setTenantAndProduct('acme', 'other')
  await keep('users of another product', users.getAll())
  await keep('groups.getAll', groups.setTenantAndProduct(...scope).getAll({ directoryId: id }))
  await keep('groups.get', groups.setTenantAndProduct(...scope).get(team.data.id))
  await keep('groups.get unknown', groups.setTenantAndProduct(...scope).get(unknownId))
  await keep('groups.search', groups.setTenantAndProduct(...scope).search('Team', id))
  await keep('getGroupMembers', groups.setTenantAndProduct(...scope).getGroupMembers({ groupId: team.data.id }))
  await keep('getGroupMembers of none', groups.setTenantAndProduct(...scope).getGroupMembers({ groupId: unknownId }))
  await keep('isUserInGroup', groups.setTenantAndProduct(...scope).isUserInGroup(team.data.id, ada.data.id))
  await keep('isUserInGroup, another', groups.setTenantAndProduct(...scope).isUserInGroup(team.data.id, bob.data.id))
  await keep('DELETE a group', handle('DELETE', 'Groups', team.data.id))
  await keep('DELETE a user', handle('DELETE', 'Users', bob.data.id))
  answers['events'] = events

  const link = {
    tenant: 'acme',
    product: 'crm',
    service: 'dsync',
    webhook_url: 'https://app.example.com/hook',
    webhook_secret: 'secret',
  } as const
  const created = await keep('links.create', links.create(link))
  await keep(
    'links.create again',
    links.create(link).then(({ url }) => url === created.url),
  )
  await keep('links.create without a secret', links.create({ ...link, webhook_secret: '' }))
  await keep('links.create with regenerate', links.create({ ...link, regenerate: true, expiryDays: 7, name: 'Acme' }))
  const current = await keep('links.filterBy', links.filterBy({ service: 'dsync', product: 'crm' }))
  await keep('links.getByToken', links.getByToken(String(current.data[0]?.url.slice(-48))))
  await keep('links.getByToken of none', links.getByToken('0'.repeat(48)))
  await keep('links.get', links.get(String(current.data[0]?.setupID)))
  await keep('links.isExpired', Promise.resolve(links.isExpired(created)))
  await keep('links.remove', links.remove({ service: 'dsync', tenant: 'acme', product: 'crm' }))
  await keep('links.filterBy after', links.filterBy({ service: 'dsync', tenant: 'acme', product: 'crm' }))
  await keep('delete', directories.delete(id))
  await keep('delete again', directories.delete(id))
  return answers
}
