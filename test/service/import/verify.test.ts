import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Directory } from '../../../src/directory/directory.ts'
import { indexedUser } from '../../../src/directory/user.ts'
import type { ImportStep } from '../../../src/polis/import/import-store.ts'
import type { Store } from '../../../src/store/store.ts'
import { someAudit } from '../../contract/store/audit-samples.ts'
import { forEachEngine } from '../../support/service.ts'
import { openImportBench } from './support/import.ts'
import { emptyPolis, someContents, somePolisGroup, somePolisUser } from './support/memory-polis.ts'

function somePolis() {
  const polis = emptyPolis()
  const contents = someContents({ webhook: { endpoint: 'https://helpdesk.example/hooks', secret: 'wh' } })
  const google = someContents({ type: 'google', google_access_token: 'access', google_refresh_token: 'refresh' })
  const [ann, bob] = [somePolisUser('ann', { externalId: '00u1' }), somePolisUser('bob')]
  const leads = somePolisGroup('Leads')
  contents.users = [ann, bob]
  contents.groups = [leads]
  contents.members = new Map([[leads.id, [ann.id]]])
  polis.contents.push(contents, google)
  polis.setupLinks.push({
    ...{ setupID: '2c8f0a1be7d94410a5b1f0c9d2e3a4b5c6d7e8f9', tenant: 'northwind', product: 'helpdesk' },
    ...{ service: 'dsync', name: 'People', validTill: Date.now() + 86_400_000 },
    ...{
      url: `https://sync.example/setup/${'5f0c'.repeat(12)}`,
      webhook_url: 'https://a.example/',
      webhook_secret: 'wh',
    },
  })
  return { polis, contents, google, ann, bob, leads }
}

/** Changes one byte of a text. */
function flipped(text: string): string {
  return `${text.slice(0, -3)}${text.at(-3) === 'x' ? 'y' : 'x'}${text.slice(-2)}`
}

/** Changes one byte of the JSON of a resource. */
function anotherText<T extends string>(raw: T | undefined): T {
  return (raw ?? '').replace('"ann"', '"anm"').replace('Leads', 'Leadz') as T
}

forEachEngine((engine) => {
  test('a verification finds every changed byte, and an import repairs it', async () => {
    await using bench = await openImportBench(engine)
    const { polis, contents, google, ann, bob, leads } = somePolis()
    await bench.run(polis, 'apply')
    const store = await bench.store()
    const { id } = contents.directory
    const at = Date.now()
    const directory = async (of = id): Promise<Directory> => (await store.getDirectory(of)) ?? assert.fail()
    const changeUser = async (fields: (user: Awaited<ReturnType<typeof userIn>>) => object) => {
      const before = await userIn(store, id, ann.id)
      const after = { ...before, ...fields(before), version: before.version + 1 }
      return steps(store, await directory(), { kind: 'replace-users', users: [{ before, after }] }, at)
    }
    const changeGroup = async (fields: object) => {
      const before = (await store.getGroup(id, leads.id)) ?? assert.fail()
      const after = { ...before, ...fields, version: before.version + 1 }
      return steps(store, await directory(), { kind: 'replace-groups', groups: [{ before, after }] }, at)
    }
    const changeRecord = async (fields: (directory: Directory) => Partial<Directory>, of = id) => {
      const before = await directory(of)
      const after = { ...before, ...fields(before), revision: before.revision + 1 }
      assert.equal(await store.replaceImported(after, at, someAudit()), 'replaced')
    }
    const members = async (add: readonly string[], remove: readonly string[]) => {
      const step = { kind: 'change-members', groupId: leads.id, add: new Set(add), remove: new Set(remove) } as const
      return steps(store, await directory(), step, at)
    }
    for (const { plant, record, what, count = 1 } of [
      { plant: () => changeUser(({ raw }) => ({ raw: anotherText(raw) })), record: 'user', what: ['raw'] },
      { plant: () => changeUser(({ email }) => ({ email: flipped(email) })), record: 'user', what: ['email'] },
      { plant: () => changeUser(() => ({ firstName: 'anx' })), record: 'user', what: ['firstName'] },
      { plant: () => changeUser(() => ({ lastName: 'x' })), record: 'user', what: ['lastName'] },
      { plant: () => changeUser(() => ({ displayName: 'anx' })), record: 'user', what: ['displayName'] },
      { plant: () => changeUser(() => ({ userName: 'anx' })), record: 'user', what: ['userName'] },
      { plant: () => changeUser(() => ({ externalId: '00u2' })), record: 'user', what: ['externalId'] },
      { plant: () => changeUser(() => ({ active: false })), record: 'user', what: ['active'] },
      {
        plant: async () => changeGroup({ raw: anotherText((await store.getGroup(id, leads.id))?.raw) }),
        record: 'group',
        what: ['raw'],
      },
      { plant: () => changeGroup({ name: 'Leadx' }), record: 'group', what: ['name'] },
      { plant: () => members([bob.id], []), record: 'member', what: 'extra' },
      { plant: () => members([], [ann.id]), record: 'member', what: 'missing' },
      { plant: () => changeRecord(() => ({ name: 'x' })), record: 'directory', what: ['name'] },
      {
        plant: () => changeRecord(({ scimSecret }) => ({ scimSecret: flipped(scimSecret) })),
        record: 'directory',
        what: ['scim.secret'],
      },
      {
        plant: () =>
          changeRecord(({ endpoint }) => ({ endpoint: endpoint && { ...endpoint, url: flipped(endpoint.url) } })),
        ...{ record: 'directory', what: ['webhook.endpoint'] },
      },
      {
        plant: () => changeRecord(({ endpoint }) => ({ endpoint: endpoint && { ...endpoint, secret: 'wi' } })),
        ...{ record: 'directory', what: ['webhook.secret'] },
      },
      { plant: () => changeRecord(() => ({ deactivated: true })), record: 'directory', what: ['deactivated'] },
      {
        plant: () => changeRecord(() => ({ logWebhookEvents: true })),
        record: 'directory',
        what: ['logWebhookEvents'],
      },
      {
        plant: () => changeRecord(() => ({ directoryType: 'generic-scim-v2' })),
        record: 'directory',
        what: ['directoryType'],
      },
      {
        plant: () =>
          changeRecord(({ google: it }) => ({ google: it && { ...it, refreshToken: 'x' } }), google.directory.id),
        ...{ record: 'directory', what: ['google.refreshToken'] },
      },
      {
        plant: async () =>
          steps(store, await directory(), { kind: 'delete-users', users: [await userIn(store, id, bob.id)] }, at),
        ...{ record: 'user', what: 'missing' },
      },
    ] as const) {
      await plant()
      const { differences, difference_count } = await bench.run(polis, 'verify')
      assert.deepEqual(
        differences.map((difference) => [difference.record, difference.what]),
        [[record, what]],
      )
      assert.equal(difference_count, count)
      await bench.run(polis, 'apply')
      assert.equal((await bench.run(polis, 'verify')).difference_count, 0)
    }
  })

  test('a verification finds a setup link that was revoked or leads to another endpoint', async () => {
    await using bench = await openImportBench(engine)
    const { polis } = somePolis()
    await bench.run(polis, 'apply')
    const store = await bench.store()
    const link = (await store.getSetupLinkOf('northwind', 'helpdesk')) ?? assert.fail()
    const [first] = polis.setupLinks
    assert.ok(first)
    polis.setupLinks[0] = { ...first, webhook_secret: 'wi' }
    const changed = await bench.run(polis, 'verify')
    assert.deepEqual(
      changed.differences.map(({ record, what }) => [record, what]),
      [['setup-link', ['validTill', 'webhook']]],
    )
    polis.setupLinks[0] = first
    await store.revokeSetupLink(link.id, Date.now(), someAudit())
    const revoked = await bench.run(polis, 'verify')
    assert.deepEqual(
      revoked.differences.map(({ record, what }) => [record, what]),
      [['setup-link', 'missing']],
    )
  })
})

async function userIn(store: Store, directoryId: string, id: string) {
  return indexedUser((await store.getUser(directoryId, id)) ?? assert.fail())
}

async function steps(store: Store, directory: Directory, step: ImportStep, at: number): Promise<void> {
  assert.equal(await store.writeImported(directory, [step], at), 'written')
}
