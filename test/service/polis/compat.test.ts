import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { connectDirectory, startPulledService, syncWell } from '../../support/extdir.ts'
import { forEachEngine, forSuite, serviceForSuite, startTestService } from '../../support/service.ts'
import { differences, stepsOn } from './differences.ts'
import { handlerSecret, startHandler } from './handler.ts'

forEachEngine((engine) => {
  for (const [mode, settings] of [
    ['on', { POLIS_COMPAT: 'true' }],
    ['off', {}],
  ] as const) {
    describe(`with POLIS_COMPAT ${mode}`, () => {
      const service = serviceForSuite(engine, settings)
      const handler = forSuite(startHandler)
      for (const { title, show, on, off = on } of differences) {
        test(title, async () => assert.deepEqual(await show(stepsOn(service(), handler())), mode === 'on' ? on : off))
      }
    })
  }
})

test('an unchanged handler takes events that are signed under the names of Polis, without POLIS_COMPAT', async () => {
  await using handler = await startHandler()
  await using service = await startTestService('sqlite', {
    DSYNC_WEBHOOK_SIGNATURE_HEADER: 'BoxyHQ-Signature, Ory-Polis-Signature',
  })
  const directory = await service.createDirectory({ webhook_url: handler.url, webhook_secret: handlerSecret })
  await service.scim(directory, 'POST', '/Users', {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    userName: 'a@b.example',
  })
  const [created] = await handler.events(directory.id, 1)
  assert.deepEqual(created?.isValid, { boxyHq: true, oryPolis: true })
})

test('a caller that asks for the answers of Rollcall gets them with POLIS_COMPAT, too', async () => {
  await using service = await startTestService('sqlite', { POLIS_COMPAT: 'true' })
  const accept = { accept: 'application/vnd.rollcall+json, application/json' }
  const made = await service.api('POST', '', { tenant: 'acme', product: 'crm', type: 'extdir' }, accept)
  assert.equal(made.body.data.type, 'extdir')
  const listed = await service.api('GET', '?tenant=acme&product=crm', undefined, accept)
  assert.equal(listed.body.error, null)
})

test('users and groups of Google have the form of SCIM, and deletions come last', async () => {
  await using handler = await startHandler()
  await using pulled = await startPulledService('sqlite')
  const { google, service } = pulled
  const [ann, bob, ...others] = ['ann', 'bob', 'cyd', 'dan'].map((name) =>
    google.addUser({ primaryEmail: `${name}@example.com`, givenName: name, familyName: 'Lee' }),
  )
  assert.ok(ann && bob && others.length === 2)
  const group = google.addGroup({ email: 'crew@example.com', name: 'Crew' })
  google.addUserToGroup(group.id, ann.id)
  const endpoint = { webhook_url: handler.url, webhook_secret: handlerSecret }
  const { id } = await connectDirectory(service, google, endpoint)
  await syncWell(service, { id })
  const first = await handler.events(id, 6)
  const raw = first.find(({ event }) => event.event === 'user.created')?.event.data.raw
  assert.ok(raw?.['userName'] && raw['primaryEmail'] === undefined)
  google.deleteUser(bob.id)
  google.removeMember(group.id, ann.id)
  google.addUser({ primaryEmail: 'eve@example.com', givenName: 'eve', familyName: 'Lee' })
  await syncWell(service, { id })
  const second = (await handler.events(id, 9)).slice(6)
  assert.deepEqual(
    second.map(({ event }) => event.event),
    ['user.created', 'group.user_removed', 'user.deleted'],
  )
  const page = await readFile(new URL('../../../docs/moving-from-polis.md', import.meta.url), 'utf8')
  for (const title of ['`raw` of a user or group of Google', 'Order of events in a sync of Google'])
    assert.match(page, new RegExp(`^\\| ${RegExp.escape(title)} \\| .* \\| different: `, 'm'))
})

test('docs/moving-from-polis.md has a row for each difference', async () => {
  const page = await readFile(new URL('../../../docs/moving-from-polis.md', import.meta.url), 'utf8')
  for (const { title, off } of differences) {
    const row = page.split('\n').find((line) => line.startsWith(`| ${title} |`))
    assert.ok(row, `a row about ${title}`)
    assert.match(
      row,
      off === undefined ? /\| (different: [^|]+|same, also without the setting) \|$/ : /\| same \|$/,
      title,
    )
  }
})
