import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { DirectoryView } from '../../../src/directory/directory-view.ts'
import { anyCharacters } from '../../support/any-characters.ts'
import type { Answer } from '../../support/client.ts'
import { assertApiError, assertScimError } from '../../support/errors.ts'
import { cases } from '../../support/extent.ts'
import { assertPage } from '../../support/page.ts'
import type { TestService } from '../../support/service.ts'
import { forEachEngine, startTestService, testApiKey } from '../../support/service.ts'

interface Route {
  readonly method: string
  /** The path with its parameters in braces, as in the API's description. */
  readonly path: string
}

/** Names that have a meaning somewhere, and some that should have none. */
const names = [
  ...['userName', 'displayName', 'externalId', 'name', 'givenName', 'emails', 'value', 'type', 'primary', 'active'],
  ...['members', 'groups', 'manager', 'roles', 'title', 'password', 'id', 'meta', 'schemas', '$ref', 'display'],
  ...['Operations', 'op', 'path', 'filter', 'attributes', 'excludedAttributes', 'startIndex', 'count', 'sortBy'],
  ...['tenant', 'product', 'webhook_url', 'webhook_secret', 'deactivated', 'grace_seconds', 'directoryId'],
  ...['pageOffset', 'pageLimit', 'pageToken', 'emails[type eq "work"].value', 'name.givenName', 'constructor'],
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
  'urn:ietf:params:scim:schemas:core:2.0:User:userName',
]
const texts = ['', 'add', 'remove', 'replace', 'True', 'userName eq "a"', 'members[value eq "a"]', 'okta-scim-v2', '\0']

const anyName = fc.oneof(fc.constantFrom(...names), anyCharacters())
const anyText = fc.oneof(fc.constantFrom(...names, ...texts), anyCharacters())
const { anyJson } = fc.letrec<{ anyJson: unknown }>((tie) => ({
  anyJson: fc.oneof(
    { maxDepth: 5, depthSize: 'small' },
    fc.oneof(anyText, fc.boolean(), fc.constant(null), fc.double(), fc.integer(), fc.maxSafeInteger()),
    fc.array(tie('anyJson'), { maxLength: 4 }),
    fc.dictionary(anyName, tie('anyJson'), { maxKeys: 5 }),
    fc.dictionary(anyName, tie('anyJson'), { maxKeys: 5 }),
  ),
}))
const paths = [
  ...['title', 'active', 'name.givenName', 'emails', 'emails[type eq "work"].value', 'members', 'displayName'],
  ...['members[value eq "a"]', 'members[display sw "a"]', 'urn:example:2.0:User:colour', 'addresses[primary eq true]'],
]
const anyOperation = fc.record(
  {
    op: fc.constantFrom('add', 'replace', 'remove', 'Add'),
    path: fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...paths) }, anyText),
    value: fc.oneof(anyText, anyJson),
  },
  { requiredKeys: ['op'] },
)
const anyResource = fc
  .tuple(fc.record({ userName: anyText, displayName: anyText }), fc.dictionary(anyName, anyJson, { maxKeys: 2 }))
  .map(([named, others]) => ({ ...named, ...others }))
const anyBody = fc.oneof(
  { weight: 1, arbitrary: fc.string() },
  { weight: 2, arbitrary: anyJson.map((body) => JSON.stringify(body)) },
  { weight: 3, arbitrary: anyResource.map((body) => JSON.stringify(body)) },
  {
    weight: 3,
    arbitrary: fc.array(anyOperation, { maxLength: 3 }).map((Operations) => JSON.stringify({ Operations })),
  },
)
const anyPart = fc.tuple(anyName, fc.oneof(anyText, fc.integer().map(String)))
const encode = (text: string) => encodeURIComponent(text.toWellFormed())
const anyQuery = fc.oneof(
  fc.array(anyPart, { maxLength: 5 }).map((parts) => parts.map((part) => part.map(encode).join('=')).join('&')),
  fc.stringMatching(/^[!-"$-~]{0,40}$/),
)
/** Values used as the id of a resource in a path; `undefined` means an existing one. */
const anyId = fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, anyCharacters({ minLength: 1, maxLength: 40 }))

/** A service with two directories: one to provision, and one that requests to the API may change and delete. */
async function openSubject(engine: Parameters<typeof startTestService>[0]) {
  const service = await startTestService(engine, { DSYNC_EXTDIR_CLIENT_ID: 'a', DSYNC_EXTDIR_CLIENT_SECRET: 'b' })
  const [directory, other] = [await service.createDirectory(), await service.createDirectory({ tenant: 'other' })]
  const user = await service.scim(directory, 'POST', '/Users', { userName: 'subject' })
  const group = await service.scim(directory, 'POST', '/Groups', { displayName: 'subjects' })
  return { service, directory, other, ids: { users: user.body.id, groups: group.body.id } }
}

async function routesOf(service: TestService): Promise<Route[]> {
  const { text } = await service.request('GET', '/openapi.json')
  const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, unknown>> }
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path })),
  )
}

interface Sent {
  readonly id: string | undefined
  readonly query: string
  readonly body: string
}

type Subject = Awaited<ReturnType<typeof openSubject>>

async function send(
  { service, directory, other, ids }: Subject,
  { method, path }: Route,
  { id, query, body }: Sent,
): Promise<Answer> {
  const known =
    method === 'DELETE' ? 'nobody' : /groups/i.test(path) ? ids.groups : /users/i.test(path) ? ids.users : other.id
  const address = path.replace('{directoryId}', directory.id).replace('{id}', id === undefined ? known : encode(id))
  const authorization = path.startsWith('/api/scim') ? `Bearer ${directory.scim.secret}` : `Api-Key ${testApiKey}`
  const options = { headers: { authorization }, ...(method === 'GET' ? {} : { body }) }
  const scope = query.length % 2 === 0 ? `directoryId=${directory.id}&` : ''
  return service.request(method, `${address}?${scope}${query}`, options)
}

function assertRightForm(response: Answer, path: string): void {
  if (response.status < 400 || !path.startsWith('/api/')) return
  if (path === '/api/scim/oauth/token') assertTokenError(response)
  else if (path.startsWith('/api/scim/oauth')) assertPage(response, response.status, /<h1>/)
  else if (path.startsWith('/api/scim')) assertScimError(response, response.status, response.body.scimType)
  else assertApiError(response, response.status)
}

/** RFC 6749 §5.2 */
function assertTokenError({ body, text }: Answer): void {
  const { error, error_description: description } = body as { error?: unknown; error_description?: unknown }
  assert.deepEqual([typeof error, typeof description], ['string', 'string'], text)
}

forEachEngine((engine) => {
  test('no input to any route causes a server error, and every error has its documented form', async () => {
    const subject = await openSubject(engine)
    await using service = subject.service
    const routes = await routesOf(service)
    assert(routes.length > 20)
    const anyRequest = fc.record({ id: anyId, query: anyQuery, body: anyBody })
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyRequest, { minLength: routes.length, maxLength: routes.length }),
        async (requests) => {
          await Promise.all(
            requests.map(async (request, index) => {
              const route = routes[index]
              assert(route !== undefined)
              const response = await send(subject, route, request)
              assert(
                response.status < 500,
                `${route.method} ${route.path} answered ${response.status} ${response.text}: ${JSON.stringify(request)}`,
              )
              assertRightForm(response, route.path)
            }),
          )
        },
      ),
      { numRuns: cases(15, 5), endOnFailure: true },
    )
    await assertStillWorks(service, subject.directory)
  })
})

async function assertStillWorks(service: TestService, directory: DirectoryView): Promise<void> {
  const { status, text } = await service.scim(directory, 'POST', '/Users', { userName: `the last one` })
  assert([201, 409].includes(status), text)
}
