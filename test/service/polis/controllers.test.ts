import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { controllers } from '../../../src/polis/index.ts'
import { startFakeGoogle } from '../../../tools/fake-google/server.ts'
import { poll } from '../../support/eventually.ts'
import { forEachEngine, openTestDatabase } from '../../support/service.ts'
import type { PublishedAnswers } from './same-calls.ts'
import { answersOf, libraryOptions, publishedAnswersFile } from './same-calls.ts'

/** The differences that docs/moving-from-polis.md explains. */
const known = [
  // Roles are objects over SCIM and in `raw` (RFC 7643 §4.1.2); users and events have them as texts beside.
  /(data|raw|Resources\.0)\.roles\.0: \{"value":"viewer"\} instead of "viewer"$/,
  // A field of the record, which Polis loses with the first PUT.
  /^users\..*\.directoryId: /,
  // RFC 7644 §3.5.2, §3.6
  /^(PATCH|DELETE) a (group|user)\.(status: 204 instead of 200|data: undefined instead of .*)$/,
  /\.data\.detail: /,
]

/** What a value of Polis has and one of ours does not, each by its path. Ours may have more. */
function missingIn(ours: unknown, polis: unknown, path: string): string[] {
  if (typeof polis !== 'object' || polis === null) {
    const isFree = typeof polis === 'string' && /id$|secret|path|endpoint|url|created_at|location|ID$/i.test(path)
    const isTime = typeof polis === 'number' && path.endsWith('validTill')
    if (isFree || isTime ? typeof ours === typeof polis : ours === polis) return []
    return [`${path}: ${JSON.stringify(ours)} instead of ${JSON.stringify(polis)}`]
  }
  if (Array.isArray(polis)) {
    if (!Array.isArray(ours) || ours.length !== polis.length)
      return [`${path}: ${JSON.stringify(ours)} instead of ${JSON.stringify(polis)}`]
    return polis.flatMap((item, index) => missingIn(ours[index], item, `${path}.${index}`))
  }
  if (typeof ours !== 'object' || ours === null)
    return [`${path}: ${JSON.stringify(ours)} instead of ${JSON.stringify(polis)}`]
  return Object.entries(polis).flatMap(([name, value]) =>
    value === undefined ? [] : missingIn(Reflect.get(ours, name), value, `${path}.${name}`),
  )
}

const { answers: polis }: PublishedAnswers = JSON.parse(await readFile(publishedAnswersFile, 'utf8'))

forEachEngine((engine) => {
  test('the controllers answer what the published library answers', async () => {
    await using database = await openTestDatabase(engine)
    const { DATABASE_URL: databaseUrl = '', ENCRYPTION_KEY: encryptionKey } = database.env
    const db = { engine: 'sql', type: engine, url: databaseUrl, encryptionKey }
    const rollcall = await controllers({ ...libraryOptions, db, rollcall: { removalLimit: { percent: 100 } } })
    try {
      const ours = await answersOf(rollcall)
      const missing = Object.entries(polis).flatMap(([name, answer]) => missingIn(ours[name], answer, name))
      assert.deepEqual(
        missing.filter((one) => !known.some((pattern) => pattern.test(one))),
        [],
      )
    } finally {
      await rollcall.close()
    }
  })
})

test('the controllers refuse what Rollcall does not offer, and say what to do instead', async () => {
  const handled: string[] = []
  const jackson = await controllers({
    ...libraryOptions,
    ...{ db: { engine: 'mem' }, setupLinkExpiryDays: 7 },
    dsync: { callback: async ({ event }) => void handled.push(event) },
  })
  const { directories, users, groups, google, requests, webhookLogs, events, sync } = jackson.directorySyncController
  for (const [method, call] of Object.entries({
    'users.create': () => users.create(),
    'groups.addUserToGroup': () => groups.addUserToGroup(),
    'webhookLogs.log': () => webhookLogs.log(),
    'events.batch.push': () => events.batch.push(),
    'google.createOAuth2Client': async () => google.createOAuth2Client(assert.fail as never),
    connectionAPIController: async () => Reflect.get(jackson, 'connectionAPIController'),
  })) {
    await assert.rejects(call, { name: 'PolisError', statusCode: 501, message: new RegExp(`not offer ${method}: .+`) })
  }
  const { data: directory } = await directories.create({ tenant: 'acme', product: 'crm' })
  assert.ok(directory)
  const request = { directoryId: directory.id, apiSecret: directory.scim.secret, resourceType: 'users', query: {} }
  const created = await requests.handle({
    ...request,
    method: 'POST',
    resourceId: undefined,
    body: '{"userName":"a@b.example"}',
  })
  assert.equal(created.status, 201)
  await poll(
    async () => handled,
    (all) => all.includes('user.created'),
    () => 'the callback',
  )
  await events.batch.process()
  await sync()
  const link = await jackson.setupLinkController.create({
    tenant: 'acme',
    product: 'crm',
    service: 'dsync',
    webhook_url: 'https://a.example',
    webhook_secret: 's',
  })
  assert.ok(link.validTill > Date.now() + 6 * 86_400_000)
  await jackson.close()
})

test('the callback of an unchanged product connects Google: it reads the directory from the state', async () => {
  await using workspace = await startFakeGoogle({ redirectUris: ['https://app.example.com/google/done'] })
  workspace.addUser({ primaryEmail: 'ann@example.com', givenName: 'Ann', familyName: 'Lee' })
  const { clientId, clientSecret, authUrl, tokenUrl, apiUrl } = workspace
  const paths = { authorizePath: '/google/begin', callbackPath: '/google/done' }
  const jackson = await controllers({
    ...{ ...libraryOptions, db: { engine: 'mem' } },
    dsync: { providers: { google: { clientId, clientSecret, cronInterval: 0, ...paths } } },
    rollcall: { extdir: { clientId, clientSecret, authUrl, tokenUrl, apiUrl, cronInterval: 0 } },
  })
  const { directories, google, users, sync } = jackson.directorySyncController
  const created = await directories.create({ tenant: 'acme', product: 'crm', type: 'google' })
  assert.equal(created.data?.google_authorization_url, 'https://app.example.com/google/begin')
  const begun = await google.generateAuthorizationUrl({ directoryId: created.data?.id ?? '' })
  const consented = await fetch(begun.data?.authorizationUrl ?? '', { redirect: 'manual' })
  const callback = new URL(consented.headers.get('location') ?? '')
  assert.equal(callback.origin + callback.pathname, 'https://app.example.com/google/done')

  // As the callback of Polis' own application does it.
  const { directoryId } = JSON.parse(callback.searchParams.get('state') ?? '')
  const tokens = await google.getAccessToken({ directoryId, code: callback.searchParams.get('code') ?? '' })
  const { access_token: accessToken, refresh_token: refreshToken } = tokens.data ?? assert.fail(tokens.error?.message)
  const connected = await google.setToken({ directoryId, accessToken, refreshToken })
  assert.equal(connected.data?.id, created.data?.id)
  await sync()
  const found = await users.setTenantAndProduct('acme', 'crm').getAll()
  assert.deepEqual(
    found.data?.map(({ email }) => email),
    ['ann@example.com'],
  )
  await jackson.close()
  await assert.rejects(
    controllers({
      ...{ ...libraryOptions, db: { engine: 'mem' } },
      dsync: { providers: { google: { clientId, clientSecret, callbackPath: 'google/done' } } },
    }),
    { name: 'PolisError', message: /google\.callbackPath must begin with a slash/ },
  )
})

test('the controllers say which database they cannot use', async () => {
  await assert.rejects(controllers({ ...libraryOptions, db: { engine: 'mongo' } }), {
    message: /does not store in mongo/,
  })
})
