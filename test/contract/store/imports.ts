import assert from 'node:assert/strict'
import { test } from 'node:test'
import { volumeUnits } from '../../../src/diagnostics/overview/volume-store.ts'
import type { Directory } from '../../../src/directory/directory.ts'
import type { Group } from '../../../src/directory/group.ts'
import type { IndexedUser } from '../../../src/directory/user.ts'
import type { ImportedEvent, ImportStep } from '../../../src/polis/import/import-store.ts'
import type { Store } from '../../../src/store/store.ts'
import { maxLeaving } from '../../../src/store/write/facts.ts'
import { someAudit, writtenBy } from './audit-samples.ts'
import type { StoreUnderTest } from './database.ts'
import { current, finishRun, groupsOf, putMapping, requireMapped, storedMapped } from './mapping-world.ts'
import {
  addDirectory,
  cause,
  changedGroup,
  changedUser,
  committed,
  delta,
  eventsOf,
  someDirectory,
  someGroup,
  someUser,
  typesOf,
  userEvent,
  writesTo,
} from './samples.ts'

const source = 'postgres://polis.example/polis'
const at = cause.at + 60_000

export async function importDirectory(store: Store, given: Partial<Directory> = {}): Promise<Directory> {
  const directory = someDirectory({ removalLimit: { percent: 0, minimum: 0, windowSeconds: 3600 }, ...given })
  assert.equal(await store.createImported(directory, source, someAudit()), 'created')
  return directory
}

const namedUser = (userName: string) => someUser({ userName, emails: [{ value: `${userName}@acme.example` }] })

function people() {
  const users = ['ann', 'bob', 'cleo'].map(namedUser)
  const [sales, all] = ['Sales', 'All'].map((displayName) => someGroup({ displayName }))
  assert.ok(sales && all)
  return { users, groups: [sales, all] as const }
}

function memberSteps([sales, all]: readonly [Group, Group], users: readonly IndexedUser[]): ImportStep[] {
  const ids = (list: readonly { id: string }[]) => new Set(list.map(({ id }) => id))
  return [
    { kind: 'change-members', groupId: sales.id, add: ids(users.slice(0, 2)), remove: new Set() },
    { kind: 'change-members', groupId: all.id, add: ids([...users, sales]), remove: new Set() },
  ]
}

export async function importPeople(store: Store, directory: Directory) {
  const { users, groups } = people()
  const steps: ImportStep[] = [
    { kind: 'create-users', users },
    { kind: 'create-groups', groups },
    ...memberSteps(groups, users),
  ]
  assert.equal(await store.writeImported(directory, steps, at), 'written')
  return { users, groups }
}

/** Everything that reads of a directory show, without ids. */
async function shown(store: Store, { id, product }: Directory) {
  const part = { from: 0, limit: 100 }
  const users = await store.pageOfUsers(id, part, true)
  const groups = await store.pageOfGroups(id, part, true)
  const members = await Promise.all(groups.rows.map(({ item }) => store.listMembers(id, item.id, part)))
  const scope = { product, directoryId: id }
  return {
    users: users.rows.map(({ position, item }) => [position.sequence, item.email, item.active, item.groups?.length]),
    groups: groups.rows.map(({ position, item }) => [position.sequence, item.name]),
    members: members.map((list) =>
      list.map(({ position, item }) => [position.sequence, item.memberType, item.display]),
    ),
    totals: [users.total, groups.total, await store.countUsers(id), await store.countGroups(id)],
    byEmail: (await store.listUsers(id, { where: [{ attribute: 'email', value: 'bob@acme.example' }], ...part }))
      .length,
    byName: (await store.listUsers(id, { where: [{ attribute: 'userName', value: 'CLEO' }], ...part })).length,
    second: (await store.listUsers(id, { from: 1, limit: 1 })).map(({ item }) => item.email),
    found: (await store.search(scope, 'ann', { types: ['user'], limit: 10 })).hits.length,
  }
}

export function importContract(engine: string, { openStore }: StoreUnderTest): void {
  test(`${engine}: an import into a product with a mapping ends with a run, and can be repeated after it`, async () => {
    const store = await openStore()
    const product = `mapped-${engine}`
    const rules = [{ id: 'sales', role: 'admin', when: { group_name: 'Sales' } }]
    const mapping = { roles: { default: ['member'], rules } }
    await putMapping(store, { product }, mapping)
    const imported = await importDirectory(store, { product })
    const { users } = await importPeople(store, imported)
    const complete = async () => {
      const directory = await current(store, imported)
      const next = { ...directory, revision: directory.revision + 1 }
      assert.equal(await store.replaceImported(next, at, someAudit()), 'replaced')
    }
    await complete()
    await finishRun(store, imported, 2)
    await requireMapped(store, imported)
    assert.equal(await store.countUsers(imported.id, [{ attribute: 'role', value: 'admin' }]), 2)
    assert.equal((await store.importState(imported.id))?.isChanged, false, 'a run is no change by somebody else')
    await putMapping(store, { product }, { roles: { default: ['viewer'], rules } })
    assert.equal(await store.inheritMapping(imported.id, at), true)
    await finishRun(store, imported, 2)
    assert.equal((await store.importState(imported.id))?.isChanged, false)
    const [ann, bob] = users
    const sales = (await groupsOf(store, imported)).find(({ name }) => name === 'Sales')
    assert.ok(ann && bob && sales)
    const steps: ImportStep[] = [
      { kind: 'delete-groups', groups: [sales] },
      { kind: 'replace-users', users: [{ before: ann, after: changedUser(ann, { title: 'Boss' }) }] },
      { kind: 'delete-users', users: [bob] },
      { kind: 'create-users', users: [namedUser('dora')] },
    ]
    assert.equal(await store.writeImported(await current(store, imported), steps, at), 'written')
    assert.equal(
      await store.countUsers(imported.id, [{ attribute: 'role', value: 'admin' }]),
      1,
      'ann keeps her role until the run',
    )
    await store.markImported(imported.id, at, someAudit())
    await finishRun(store, imported, 2)
    const stored = Object.values(await storedMapped(store, imported))
    assert.deepEqual(
      stored.map((mapped) => mapped?.roles),
      [['viewer'], ['viewer'], ['viewer']],
    )
    assert.equal(await store.countUsers(imported.id, [{ attribute: 'role', value: 'admin' }]), 0)
    assert.equal(await store.countUsers(imported.id, [{ attribute: 'role', value: 'viewer' }]), 3)
  })

  test(`${engine}: an import leaves what the same changes with events would have left, without any event`, async () => {
    const store = await openStore()
    const imported = await importDirectory(store, { product: `imported-${engine}` })
    await importPeople(store, imported)
    const usual = await addDirectory(store, { product: `usual-${engine}` })
    const { users, groups } = people()
    const writes = writesTo(store, usual)
    for (const user of users) committed(await writes.createUser(user))
    for (const group of groups) committed(await writes.createGroup(group))
    committed(await writes.changeMembers(groups[0], delta(users.slice(0, 2))))
    committed(await writes.changeMembers(groups[1], delta([...users, groups[0]])))
    assert.deepEqual(await shown(store, imported), await shown(store, usual))
    assert.deepEqual(await eventsOf(store, imported), [])
    const status = await store.streamStatus(imported.id, 'endpoint')
    assert.deepEqual([status?.lastSequence, status?.deliveredSequence], [0, 0])
    assert.equal(await store.hadEvents(imported.id), true)
    const [volumes] = await store.volumes({ product: imported.product }, [{ unit: volumeUnits.minute, from: 0 }])
    assert.deepEqual(volumes?.volumes, [])
  })

  test(`${engine}: the first change after an import has the event number 1, and the import is refused from then on`, async () => {
    const store = await openStore()
    const directory = await importDirectory(store)
    const other = await importDirectory(store)
    const { users } = await importPeople(store, directory)
    const [, bob] = users
    assert.ok(bob)
    assert.equal((await store.importState(directory.id))?.isChanged, false)
    committed(await writesTo(store, directory).createUser(namedUser('dan')))
    const [first] = await eventsOf(store, directory)
    assert.deepEqual([first?.sequence, first?.eventType], [1, 'user.created'])
    assert.equal((await store.importState(directory.id))?.isChanged, true)
    const step: ImportStep = { kind: 'delete-users', users: [bob] }
    assert.equal(await store.writeImported(directory, [step], at), 'changed-here')
    assert.equal(await store.replaceImported({ ...directory, revision: 2 }, at, someAudit()), 'changed-here')
    const event = { ...userEvent('user.updated', bob), id: 'event-1', createdAt: at, requestId: 'import' }
    const queued = [{ position: { createdAt: at, id: 'a' }, event }]
    assert.equal(await store.addImportedEvents(directory, queued), 'changed-here')
    assert.ok(await store.getUser(directory.id, bob.id))
    assert.equal(await store.writeImported(other, [{ kind: 'create-users', users: [namedUser('eve')] }], at), 'written')
  })

  test(`${engine}: a changed record refuses the import, and so does a deletion`, async () => {
    const store = await openStore()
    const [renamed, deleted] = [await importDirectory(store), await importDirectory(store)]
    await store.replaceDirectory({ ...renamed, name: 'Renamed', revision: 2 })
    await store.deleteDirectory(deleted.id, at)
    const step: ImportStep = { kind: 'create-users', users: [namedUser('ann')] }
    for (const directory of [renamed, deleted]) {
      assert.equal(await store.writeImported(directory, [step], at), 'changed-here')
      assert.notEqual((await store.importState(directory.id))?.isChanged, false)
    }
  })

  test(`${engine}: an import replaces and deletes, and nothing of that counts as a removal`, async () => {
    const store = await openStore()
    const directory = await importDirectory(store)
    const { users, groups } = await importPeople(store, directory)
    const [ann, bob, cleo] = users
    const [sales, all] = groups
    assert.ok(ann && bob && cleo)
    const present = async (id: string) => (await store.getGroup(directory.id, id)) ?? assert.fail()
    const renamed = changedUser(ann, { userName: 'anna', active: false })
    const storedSales = await present(sales.id)
    const steps: ImportStep[] = [
      { kind: 'replace-users', users: [{ before: ann, after: renamed }] },
      {
        kind: 'replace-groups',
        groups: [{ before: storedSales, after: changedGroup(storedSales, { displayName: 'Law' }) }],
      },
      { kind: 'change-members', groupId: all.id, add: new Set(), remove: new Set([ann.id, bob.id]) },
      { kind: 'delete-users', users: [bob, cleo] },
    ]
    assert.equal(await store.writeImported(directory, steps, at), 'written')
    const storedAll = await present(all.id)
    assert.equal(await store.writeImported(directory, [{ kind: 'delete-groups', groups: [storedAll] }], at), 'written')
    const { users: left, groups: groupsLeft, members, totals } = await shown(store, directory)
    assert.deepEqual(left, [[1, 'ann@acme.example', false, 1]])
    assert.deepEqual(groupsLeft, [[4, 'Law']])
    assert.deepEqual(members, [[[6, 'User', 'anna']]])
    assert.deepEqual(totals, [1, 1, 1, 1])
    assert.deepEqual(await eventsOf(store, directory), [])
    assert.equal((await store.streamStatus(directory.id, 'endpoint'))?.isHeld, false)
    assert.equal((await store.getUser(directory.id, ann.id))?.userName, 'anna')
  })

  test(`${engine}: an import deletes users and groups that are in many groups`, async () => {
    const store = await openStore()
    const directory = await importDirectory(store)
    const users = ['ann', 'bob', 'cleo'].map(namedUser)
    const [cleo] = users.slice(2)
    assert.ok(cleo)
    const nested = ['A', 'B'].map((displayName) => someGroup({ displayName }))
    const groups = Array.from({ length: maxLeaving + 2 }, (_, n) => someGroup({ displayName: `Group ${n}` }))
    const add = new Set([...users, ...nested].map(({ id }) => id))
    const steps: ImportStep[] = [
      { kind: 'create-users', users },
      { kind: 'create-groups', groups: [...nested, ...groups] },
      ...groups.map(({ id }) => ({ kind: 'change-members', groupId: id, add, remove: new Set<string>() }) as const),
      { kind: 'delete-users', users: users.slice(0, 2) },
      { kind: 'delete-groups', groups: nested },
    ]
    assert.equal(await store.writeImported(directory, steps, at), 'written')
    const counts = await store.countMembers(
      directory.id,
      groups.map(({ id }) => id),
    )
    assert.deepEqual(
      groups.map(({ id }) => counts.get(id)),
      groups.map(() => 1),
    )
    for (const group of [groups[0], groups.at(-1)]) {
      const members = await store.listMembers(directory.id, group?.id ?? '', { from: 0, limit: 9 })
      assert.deepEqual(
        members.map(({ item }) => item.id),
        [cleo.id],
      )
    }
    assert.deepEqual(await eventsOf(store, directory), [])
  })

  test(`${engine}: imported events follow those of the directory, and their place in the queue is remembered`, async () => {
    const store = await openStore()
    const directory = await importDirectory(store, {
      endpoint: { url: 'https://acme.example/', secret: 'x', previousSecret: undefined },
    })
    const { users } = await importPeople(store, directory)
    const queued = (name: string, createdAt: number): ImportedEvent => ({
      position: { createdAt, id: name },
      event: { ...userEvent('user.updated', users[0] ?? assert.fail()), id: name, createdAt, requestId: 'import' },
    })
    assert.equal(await store.addImportedEvents(directory, [queued('a', at), queued('b', at + 1)]), 'written')
    assert.equal(
      await store.writeImported(directory, [{ kind: 'create-users', users: [namedUser('dan')] }], at),
      'written',
    )
    assert.equal(await store.addImportedEvents(directory, [queued('c', at + 2)]), 'written')
    const events = await eventsOf(store, directory)
    assert.deepEqual(
      events.map(({ id, sequence }) => [id, sequence]),
      [
        ['a', 1],
        ['b', 2],
        ['c', 3],
      ],
    )
    const state = await store.importState(directory.id)
    assert.deepEqual([state?.isChanged, state?.lastEvent], [false, { createdAt: at + 2, id: 'c' }])
    const due = await store.directoriesDue('endpoint', 'me', at, '', 10_000)
    assert.ok(due.directories.some(({ id }) => id === directory.id))
    assert.deepEqual(typesOf(events), ['user.updated', 'user.updated', 'user.updated'])
  })

  test(`${engine}: an import ends with its audit entry, and directories are listed by where they came from`, async () => {
    const store = await openStore()
    const from = `${source}/${engine}`
    const directory = someDirectory()
    assert.equal(await store.createImported(directory, from, someAudit()), 'created')
    assert.equal(await store.createImported(directory, from, someAudit()), 'directory-exists')
    assert.equal((await store.importState(directory.id))?.isComplete, false)
    const entries = await writtenBy(store, async () => {
      const complete = { ...directory, name: 'Complete', revision: 2 }
      assert.equal(await store.replaceImported(complete, at, someAudit({ id: 'replaced' })), 'replaced')
      await store.markImported(directory.id, at + 1, someAudit({ id: 'marked' }))
    })
    assert.deepEqual(
      entries.map(({ id }) => id),
      ['replaced', 'marked'],
    )
    const { isComplete, isChanged, source: stored } = (await store.importState(directory.id)) ?? assert.fail()
    assert.deepEqual({ isComplete, isChanged, stored }, { isComplete: true, isChanged: false, stored: from })
    assert.equal((await store.getDirectory(directory.id))?.name, 'Complete')
    assert.deepEqual(await store.importedFrom(from, '', 10), [directory.id])
    assert.deepEqual(await store.importedFrom(from, directory.id, 10), [])
    const unknown = await store.importState('none')
    assert.equal(unknown, undefined)
    const own = await addDirectory(store)
    assert.equal((await store.importState(own.id))?.source, undefined)
  })
}
