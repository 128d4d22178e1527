import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PolisUser } from '../../../src/polis/import/source.ts'
import { forEachEngine } from '../../support/service.ts'
import { contentsOf, openImportBench } from './support/import.ts'
import { emptyPolis, someContents, somePolisGroup, somePolisUser } from './support/memory-polis.ts'

/** Two directories, one of them with everything that an import must decide about. */
function somePolis() {
  const polis = emptyPolis()
  const [plain, odd] = [
    someContents({ webhook: { endpoint: 'https://helpdesk.example/hooks', secret: 'wh' } }),
    someContents(),
  ]
  const [ann, bob] = [somePolisUser('ann'), somePolisUser('bob')]
  const [leads, all] = [somePolisGroup('Leads'), somePolisGroup('All')]
  plain.users = [ann, bob]
  plain.groups = [leads, all]
  plain.members = new Map([
    [leads.id, [ann.id]],
    [all.id, [ann.id, bob.id, leads.id, 'of-a-deleted-user']],
  ])
  odd.users = [somePolisUser('eve'), somePolisUser('EVE'), somePolisUser('dan', { externalId: 'x'.repeat(600) })]
  polis.contents.push(plain, odd, someContents({ tenant: 'a:b' }))
  return { polis, plain, odd, ann, bob, leads, all }
}

const rename = (user: PolisUser, userName: string): PolisUser => ({ ...user, raw: { ...user.raw, userName } })

forEachEngine((engine) => {
  test('a plan writes nothing, and says what becomes of each conflict', async () => {
    await using bench = await openImportBench(engine)
    const { polis, odd } = somePolis()
    polis.problems.push({
      kind: 'without-directory',
      record: 'user',
      key: 'dsync:users:k',
      id: 'u',
      reason: 'no index leads to it',
    })
    const plan = await bench.run(polis, 'plan')
    assert.deepEqual(plan.decision_counts, {
      ...{ 'directory-refused': 1, 'without-directory': 1, 'user-name-taken': 1, 'member-without-user': 1 },
      ...{ 'value-refused': 1, 'attribute-dropped': 2 },
    })
    const [, second] = odd.users
    const taken = plan.decisions.find(({ kind }) => kind === 'user-name-taken')
    assert.equal(taken?.id, second?.id)
    assert.match(taken?.text ?? '', /"EVE" belongs to an older user/)
    assert.deepEqual(
      plan.directories.map(({ outcome }) => outcome),
      ['created', 'created', 'refused'],
    )
    assert.deepEqual(plan.totals.users, { created: 5, updated: 0, deleted: 0, unchanged: 0 })
    assert.deepEqual(plan.totals.members, { created: 4, updated: 0, deleted: 0, unchanged: 0 })
    assert.ok(!JSON.stringify(plan).includes('secret'), 'it contains no secrets')
    const store = await bench.store()
    assert.deepEqual(await store.listDirectories({}, { limit: 10 }), [])
  })

  test('an import keeps what providers and products know, and a second one has nothing to do', async () => {
    await using bench = await openImportBench(engine)
    const { polis, plain, odd, ann, bob, leads, all } = somePolis()
    const first = await bench.run(polis, 'apply')
    const second = await bench.run(polis, 'apply')
    assert.deepEqual(
      second.directories.map(({ outcome }) => outcome),
      ['unchanged', 'unchanged', 'refused'],
    )
    assert.deepEqual(second.totals.users, { created: 0, updated: 0, deleted: 0, unchanged: 5 })
    assert.deepEqual(second.totals.members, { created: 0, updated: 0, deleted: 0, unchanged: 4 })
    assert.deepEqual(first.decisions, second.decisions)
    assert.equal((await bench.run(polis, 'verify')).difference_count, 0)
    const store = await bench.store()
    const stored = (await store.getDirectory(plain.directory.id)) ?? assert.fail()
    assert.partialDeepStrictEqual(stored, {
      ...{
        name: plain.directory.name,
        tenant: 'northwind',
        scimSecret: plain.directory.scim.secret,
        deactivated: false,
      },
      endpoint: { url: 'https://helpdesk.example/hooks', secret: 'wh' },
    })
    const { users, groups } = await contentsOf(store, plain.directory.id)
    assert.deepEqual(
      users.map(({ id, userName }) => [id, userName]),
      [
        [ann.id, 'ann'],
        [bob.id, 'bob'],
      ],
    )
    assert.deepEqual(
      groups.map(({ id, members }) => [id, members.toSorted()]),
      [
        [leads.id, [`User ${ann.id}`]],
        [all.id, [`Group ${leads.id}`, `User ${ann.id}`, `User ${bob.id}`]],
      ],
    )
    const [eve, duplicate] = (await contentsOf(store, odd.directory.id)).users
    assert.deepEqual([eve?.userName, duplicate?.userName], ['eve', odd.users[1]?.id])
    assert.deepEqual(await store.eventsAfter(plain.directory.id, 0, 10), [])
    const entries = await store.auditAfter(0, 100)
    assert.deepEqual(
      entries.map(({ action, callerName }) => [action, callerName]).toSorted(),
      ['directory.created', 'directory.created', 'directory.imported', 'directory.imported'].map((action) => [
        action,
        'rollcall import polis',
      ]),
    )
  })

  test('a second import brings what was created, changed and deleted since, also names that change hands', async () => {
    await using bench = await openImportBench(engine)
    const { polis, plain, odd, ann, bob, leads, all } = somePolis()
    await bench.run(polis, 'apply')
    const cyd = somePolisUser('cyd')
    plain.users = [rename(ann, 'bob'), rename(bob, 'ann'), cyd]
    plain.groups = [all]
    plain.members = new Map([[all.id, [bob.id, cyd.id]]])
    plain.directory = { ...plain.directory, name: 'Renamed', deactivated: true }
    odd.users = [{ ...somePolisUser('x'), raw: { userName: 'eve', active: false }, active: false }]
    polis.contents.push(someContents())
    const plan = await bench.run(polis, 'plan')
    const { totals, directories } = await bench.run(polis, 'apply')
    assert.deepEqual(totals, plan.totals)
    assert.deepEqual(totals.users, { created: 2, updated: 2, deleted: 3, unchanged: 0 })
    assert.deepEqual(totals.groups, { created: 0, updated: 0, deleted: 1, unchanged: 1 })
    assert.deepEqual(
      directories.map(({ outcome }) => outcome),
      ['updated', 'updated', 'refused', 'created'],
    )
    assert.equal((await bench.run(polis, 'verify')).difference_count, 0)
    await using fresh = await openImportBench(engine)
    await fresh.run(polis, 'apply')
    const store = await bench.store()
    const freshStore = await fresh.store()
    for (const { directory } of [plain, odd]) {
      const [after, once] = [await contentsOf(store, directory.id), await contentsOf(freshStore, directory.id)]
      assert.deepEqual(new Set(after.users), new Set(once.users))
      assert.deepEqual(after.groups, once.groups)
    }
    assert.equal((await store.getGroup(plain.directory.id, leads.id))?.name, undefined)
    assert.equal((await store.streamStatus(plain.directory.id, 'endpoint'))?.isHeld, false)
  })

  test('a directory that Polis deletes is deleted, unless it has had a change of its own here', async () => {
    await using bench = await openImportBench(engine)
    const { polis, plain, odd } = somePolis()
    await bench.run(polis, 'apply')
    polis.contents.splice(1, 1)
    const { directories } = await bench.run(polis, 'apply')
    assert.deepEqual(directories.find(({ id }) => id === odd.directory.id)?.outcome, 'deleted')
    const nothing = await bench.run(emptyPolis(), 'apply')
    assert.deepEqual(nothing.directories, [], 'an empty Polis deletes nothing')
    const store = await bench.store()
    assert.equal(await store.getDirectory(odd.directory.id), undefined)
    assert.ok(await store.getDirectory(plain.directory.id))
  })

  test('a record that Polis has, but that cannot be read any more, stays as it was imported', async () => {
    await using bench = await openImportBench(engine)
    const { polis, plain, odd, ann, bob, leads, all } = somePolis()
    const setupID = '2c8f0a1be7d94410a5b1f0c9d2e3a4b5c6d7e8f9'
    polis.setupLinks.push({
      ...{ setupID, tenant: 'northwind', product: 'helpdesk', service: 'dsync', validTill: Date.now() + 86_400_000 },
      url: `https://sync.example/setup/${'5f0c'.repeat(12)}`,
    })
    await bench.run(polis, 'apply')
    const store = await bench.store()
    const before = await contentsOf(store, plain.directory.id)
    plain.members.set(all.id, [ann.id, bob.id, leads.id])
    for (const id of [odd.directory.id, ann.id, leads.id, `${all.id}:${bob.id}`, setupID]) polis.unreadable.add(id)

    const plan = await bench.run(polis, 'plan')
    const { totals, setup_links, decisions } = await bench.run(polis, 'apply')
    assert.deepEqual(totals, plan.totals)
    assert.deepEqual([totals.users.deleted, totals.groups.deleted, totals.members.deleted], [0, 0, 0])
    assert.equal(setup_links.deleted, 0)
    assert.deepEqual(await contentsOf(store, plain.directory.id), before)
    assert.ok(await store.getDirectory(odd.directory.id))
    assert.deepEqual(
      decisions.filter(({ kind }) => kind === 'unreadable').map(({ id, directoryId }) => id ?? directoryId),
      [plain.directory.id, plain.directory.id, all.id, leads.id, ann.id, odd.directory.id, undefined, undefined],
    )

    polis.unreadable.clear()
    plain.users = [bob]
    polis.contents.splice(1, 1)
    const after = await bench.run(polis, 'apply')
    assert.equal(after.totals.users.deleted, 1)
    assert.equal(await store.getDirectory(odd.directory.id), undefined)
  })

  test('after a request of its own, a directory is refused by name, and the others are not', async () => {
    await using bench = await openImportBench(engine)
    const { polis, plain, odd } = somePolis()
    await bench.run(polis, 'apply')
    await bench.withService(async (service) => {
      const { id, scim } = plain.directory
      const response = await fetch(`${service.origin}/api/scim/v2.0/${id}/Users`, {
        method: 'POST',
        headers: { authorization: `Bearer ${scim.secret}`, 'content-type': 'application/scim+json' },
        body: JSON.stringify({ userName: 'own' }),
      })
      assert.equal(response.status, 201)
    })
    plain.users.push(somePolisUser('late'))
    odd.users.push(somePolisUser('late'))
    const report = await bench.run(polis, 'apply')
    const outcomes = new Map(report.directories.map(({ id, outcome }) => [id, outcome]))
    assert.equal(outcomes.get(plain.directory.id), 'changed-here')
    assert.equal(outcomes.get(odd.directory.id), 'updated')
    const refused = report.decisions.filter(({ kind }) => kind === 'changed-here')
    assert.deepEqual(
      refused.map(({ directoryId }) => directoryId),
      [plain.directory.id],
    )
    const store = await bench.store()
    const names = (await contentsOf(store, plain.directory.id)).users.map(({ userName }) => userName)
    assert.deepEqual(names, ['ann', 'bob', 'own'])
  })

  test('setup links work at their old addresses, follow Polis, and end when Polis deletes them', async () => {
    await using bench = await openImportBench(engine)
    const polis = emptyPolis()
    const link = {
      ...{ setupID: '2c8f0a1be7d94410a5b1f0c9d2e3a4b5c6d7e8f9', tenant: 'northwind', product: 'helpdesk' },
      ...{ service: 'dsync', name: 'People', validTill: Date.now() + 86_400_000 },
      ...{ webhook_url: 'https://helpdesk.example/hooks', webhook_secret: 'wh' },
    }
    const [first, second] = ['5f0c'.repeat(12), '6a1d'.repeat(12)]
    const urlOf = (token: string) => `https://sync.example/setup/${token}`
    const open = (tokens: readonly string[]) =>
      bench.withService(async ({ origin }) => {
        const pages = await Promise.all(tokens.map((token) => fetch(`${origin}/setup/${token}`)))
        return pages.map(({ status }) => status)
      })
    polis.setupLinks.push({ ...link, url: urlOf(first) }, { ...link, tenant: 'old', url: urlOf(second), validTill: 1 })
    const report = await bench.run(polis, 'apply')
    assert.deepEqual(report.setup_links, { created: 1, updated: 0, deleted: 0, unchanged: 0 })
    assert.deepEqual(report.decision_counts, { 'link-expired': 1 })
    const [known, unknown] = await open([first, '0'.repeat(48)])
    assert.equal(unknown, 404)
    assert.ok(known === 200 || known === 503, 'the page is there, if the console is built')
    polis.setupLinks[0] = { ...link, url: urlOf(second) }
    assert.deepEqual((await bench.run(polis, 'verify')).difference_count, 2)
    await bench.run(polis, 'apply')
    assert.equal((await bench.run(polis, 'verify')).difference_count, 0)
    assert.deepEqual(await open([first, second]), [410, known])
    polis.setupLinks.length = 0
    assert.equal((await bench.run(polis, 'apply')).setup_links.deleted, 1)
    assert.deepEqual(await open([second]), [410])
  })

  test('queued events are delivered once, after the import', async () => {
    await using bench = await openImportBench(engine)
    const { polis, plain, ann } = somePolis()
    const event = (id: string, createdAt: number) => ({
      ...{ id, createdAt },
      payload: {
        ...{ event: 'user.updated', tenant: 'northwind', product: 'helpdesk', directory_id: plain.directory.id },
        data: { ...ann },
      },
    })
    polis.queuedEvents.push(
      event('e2a9d4f0-11aa-4c3b-9d52-6f0f6d2c7b31', 5),
      event('e2a9d4f0-11aa-4c3b-9d52-6f0f6d2c7b32', 6),
    )
    assert.equal((await bench.run(polis, 'apply')).totals.events, 2)
    polis.queuedEvents.push(event('e2a9d4f0-11aa-4c3b-9d52-6f0f6d2c7b33', 7))
    plain.users.push(somePolisUser('late'))
    assert.equal((await bench.run(polis, 'apply')).totals.events, 1)
    const store = await bench.store()
    const events = await store.eventsAfter(plain.directory.id, 0, 10)
    assert.deepEqual(
      events.map(({ id, sequence, createdAt }) => [id.at(-1), sequence, createdAt]),
      [
        ['1', 1, 5],
        ['2', 2, 6],
        ['3', 3, 7],
      ],
    )
  })

  test('a resync of what was imported can be started with the import', async () => {
    await using bench = await openImportBench(engine)
    const { polis, plain } = somePolis()
    await bench.run(polis, 'apply', { withResync: true })
    const store = await bench.store()
    assert.equal((await store.getResync(plain.directory.id))?.completedAt, undefined)
    const [first] = await store.eventsAfter(plain.directory.id, 0, 10)
    assert.equal(first?.eventType, 'sync.started')
  })
})
