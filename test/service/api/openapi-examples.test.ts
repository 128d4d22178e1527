import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { exampleId } from '../../../src/http/directory-sync/schemas.ts'
import type { NewOAuthClient } from '../../../src/oauth/clients.ts'
import { descriptionFile, exampleProblems } from '../../support/described-answers.ts'
import type { TestService } from '../../support/service.ts'
import { forSuite, startTestService, testApiKey } from '../../support/service.ts'
import { adminSettings, login, rootToken } from '../admin/support/admin.ts'

interface Operation {
  readonly operationId: string
  readonly security: readonly Readonly<Record<string, unknown>>[]
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly example?: unknown }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example: unknown }>> }
}

const { paths } = JSON.parse(await readFile(descriptionFile, 'utf8')) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

/** Operations on resources that do not exist, or already exist, and the status that they return instead. */
const others: Readonly<Record<string, number>> = {
  applyAdoption: 409,
  approveConnection: 400,
  approveSyncRun: 400,
  authorizeGoogleWorkspace: 501,
  completeGoogleAuthorization: 501,
  createAuthorizationUrl: 501,
  createSetupAuthorizationUrl: 404,
  createSetupOAuthClient: 400,
  deleteApiKey: 404,
  deleteSetupOAuthClient: 410,
  disableAdminToken: 404,
  getDelivery: 404,
  getSyncRun: 400,
  getTrace: 404,
  listHeldDeletions: 400,
  listSyncRuns: 400,
  // the directory of the link has no groups
  previewSetupGroupRole: 404,
  replaceScimUser: 409,
  replaceSetupGroupRole: 404,
  skipEvent: 409,
  startSync: 400,
}

const order = ['post', 'get', 'patch', 'put', 'delete']
const operations = Object.entries(paths)
  .flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })))
  .sort((a, b) => order.indexOf(a.method) - order.indexOf(b.method))
/** Operations that remove data which the others use, and therefore run last. */
const isLast = ({ operationId }: Operation) => ['logOut', 'deleteDirectory'].includes(operationId)

/** The actual values of the ids in the examples. */
const ids = new Map([['<ADMIN_ROOT_TOKEN>', rootToken]])
const credentials = new Map<string, string>()

/** A service with the data that the examples name. */
async function openExample(): Promise<TestService> {
  const service = await startTestService('sqlite', adminSettings)
  const webhook = { webhook_url: 'http://127.0.0.1:9/', webhook_secret: 'secret' }
  const directory = await service.createDirectory(webhook)
  const { body: user } = await service.scim(directory, 'POST', '/Users', { userName: 'example' })
  const members = [{ value: user.id }]
  const { body: group } = await service.scim(directory, 'POST', '/Groups', { displayName: 'Example', members })
  const link = await service.api('POST', '/setuplinks', { tenant: 'acme', product: 'crm', roles: ['admin', 'billing'] })
  const admin = await login(service)
  ids.set(exampleId('d101'), directory.id).set(exampleId('a001'), user.id).set(exampleId('b001'), group.id)
  credentials.set('apiKey', `Api-Key ${testApiKey}`).set('scimSecret', `Bearer ${directory.scim.secret}`)
  const made = await service.api('POST', `/${directory.id}/oauth-clients`, { type: 'secret' })
  const { client_id, client_secret = '' } = made.body.data as unknown as NewOAuthClient
  ids.set(exampleId('c001'), client_id)
  credentials.set('oauthClient', `Basic ${btoa(`${client_id}:${client_secret}`)}`)
  credentials.set('rootToken', `token=${rootToken}`).set('adminToken', admin.header)
  const { url } = link.body.data as unknown as { readonly url: string }
  credentials.set('setupToken', `Setup ${url.split('/').at(-1)}`)
  return service
}

const service = forSuite(openExample)

const withIds = (text: string) => [...ids].reduce((now, [example, id]) => now.replaceAll(example, id), text)

/** The path and query of an operation's example. */
function addressOf({ path, parameters = [] }: (typeof operations)[number]): string {
  const resource = /\/(users|groups)\/\{id\}/i.exec(path)?.[1]?.toLowerCase()
  const id = { users: exampleId('a001'), groups: exampleId('b001') }[resource ?? '']
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const { example } = parameters.find((one) => one.name === name && one.in === 'path') ?? {}
    const known = { id, userId: exampleId('a001'), groupId: exampleId('b001') }[name]
    return String(known ?? example ?? 'unknown')
  })
  const query = new URLSearchParams()
  for (const one of parameters)
    if (one.in === 'query' && one.example !== undefined) query.set(one.name, String(one.example))
  return withIds(query.size === 0 ? filled : `${filled}?${query}`)
}

for (const operation of [...operations.filter((one) => !isLast(one)), ...operations.filter(isLast)]) {
  const { method, operationId, security, requestBody } = operation
  test(`the response to the example of ${operationId} conforms to its description`, async () => {
    const [mediaType, media] = Object.entries(requestBody?.content ?? {})[0] ?? []
    const authorization = credentials.get(Object.keys(security[0] ?? {})[0] ?? '')
    const headers = { ...(authorization && { authorization }), ...(mediaType && { 'content-type': mediaType }) }
    const isForm = mediaType === 'application/x-www-form-urlencoded'
    const example = isForm ? String(new URLSearchParams(media?.example as never)) : JSON.stringify(media?.example)
    const body = media === undefined ? undefined : withIds(example)
    // The client compares the answer with its description.
    const { status, text } = await service().request(method.toUpperCase(), addressOf(operation), { headers, body })
    const expected = others[operationId]
    assert(expected === undefined ? status < 400 : status === expected, `${status} ${text}`)
  })
}

test('every example conforms to its schema', () => assert.deepEqual(exampleProblems(), []))
