import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Directory } from '../../../src/directory/directory.ts'
import type { Committed } from '../../../src/directory/directory-store.ts'
import type { StoredEvent } from '../../../src/directory/event.ts'
import type { Group } from '../../../src/directory/group.ts'
import { membershipDataOf } from '../../../src/directory/membership-event.ts'
import type { IndexedUser } from '../../../src/directory/user.ts'
import type { MemberChanges } from '../../../src/scim/patch/members.ts'
import { fewMembers, maxMembersAtOnce } from '../../../src/store/large-changes.ts'
import type { Store } from '../../../src/store/store.ts'
import { runsAll } from '../../support/extent.ts'
import type { StoreUnderTest } from './database.ts'
import {
  addDirectory,
  addGroup,
  addUsers,
  changedGroup,
  committed,
  delta,
  eventsOf,
  replacedBy,
  someGroup,
  someUser,
  typesOf,
  writesTo,
} from './samples.ts'

export const manyMembers = maxMembersAtOnce + 250

/** A directory with a group of many members, and some users who are not among them. */
export async function addLargeGroup(store: Store) {
  const directory = await addDirectory(store)
  const users = await addUsers(
    store,
    directory,
    Array.from({ length: manyMembers + 50 }, (_, n) => `user-${n}`),
  )
  const members = users.slice(0, manyMembers)
  const { group: nested } = await addGroup(store, directory, 'Nested')
  const { group } = await addGroup(store, directory, 'Large', [nested, ...members])
  return { directory, users, members, others: users.slice(manyMembers), nested, group }
}

export async function memberIds(store: Store, { id }: Directory, group: { id: string }): Promise<string[]> {
  const listed = await store.listMembers(id, group.id, { from: 0, limit: 10_000 })
  return listed.map(({ item }) => item.id)
}

/** Every event of a change, including those that it does not return directly. */
async function allEvents({ events, furtherEvents }: Committed): Promise<StoredEvent[]> {
  const all = [...events]
  if (furtherEvents !== undefined) for await (const event of furtherEvents) all.push(event)
  return all
}

const idsOf = (resources: readonly { readonly id: string }[]) => resources.map(({ id }) => id)

/** The fields of an event that reads return. The stores differ in whether absent changes are undefined or missing. */
const plain = (event: StoredEvent): unknown => JSON.parse(JSON.stringify({ ...event, groupId: undefined }))

const times = (count: number, type: string) => Array.from({ length: count }, () => type)

/** Checks that pages at any offset agree with the list, and that the events are numbered without gaps; returns both. */
export async function requireConsistent(store: Store, directory: Directory, group: { id: string }) {
  const ids = await memberIds(store, directory, group)
  for (const from of [0, 1, 700, 1_100, ids.length - 1, ids.length]) {
    const page = await store.listMembers(directory.id, group.id, { from: Math.max(from, 0), limit: 20 })
    assert.deepEqual(
      page.map(({ item }) => item.id),
      ids.slice(Math.max(from, 0), Math.max(from, 0) + 20),
    )
  }
  return { members: ids, events: await eventsOf(store, directory) }
}

export function largeChangeContract(engine: string, { openStore }: StoreUnderTest): void {
  test(`${engine}: a change whose events have many bytes is made in steps, with the same events`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const { createUser, createGroup, changeMembers } = writesTo(store, directory)
    const users = Array.from({ length: 21 }, (_, n) =>
      someUser({ userName: `user-${n}`, nickName: (n % 4 === 3 ? 'x' : '語').repeat(100_000) }),
    )
    for (const user of users) committed(await createUser(user))
    const group = someGroup({ displayName: 'Large' })
    const data = users.map((user) => membershipDataOf(group)(user))
    committed(await createGroup(group))
    const added = committed(await changeMembers(group, delta(users)))
    assert.ok(added.furtherEvents, 'it is made in steps')
    assert.deepEqual(
      (await allEvents(added)).map((event) => event.data),
      data,
    )
    assert.deepEqual(await memberIds(store, directory, group), idsOf(users))
    const replaced = committed(await changeMembers(group, replacedBy([])))
    assert.ok(replaced.furtherEvents, 'the members that it removes count')
    const removed = await allEvents(replaced)
    assert.deepEqual(new Set(removed.map((event) => event.data)), new Set(data))
    assert.deepEqual(await memberIds(store, directory, group), [])

    const few = committed(await changeMembers(group, delta(users.slice(0, fewMembers))))
    assert.equal(few.furtherEvents, undefined)
    assert.equal(few.events.length, fewMembers)
    await eventsOf(store, directory)
  })

  test(`${engine}: all members of a large group are removed, with an event for each`, async () => {
    const store = await openStore()
    const { directory, members, nested, group } = await addLargeGroup(store)
    const before = (await eventsOf(store, directory)).length
    const outcome = committed(await writesTo(store, directory).changeMembers(group, replacedBy([])))
    const events = await allEvents(outcome)
    assert.deepEqual(typesOf(events), ['group.updated', ...times(members.length, 'group.user_removed')])
    assert.deepEqual(events.map(plain), (await eventsOf(store, directory)).slice(before).map(plain))
    assert.equal(outcome.group.version, group.version + 1)
    assert.deepEqual(await store.getGroup(directory.id, group.id), outcome.group)
    assert.deepEqual(events[0]?.changes, `{"members":{"from":[{"value":"${nested.id}","type":"Group"}],"to":[]}}`)
    assert.deepEqual(await memberIds(store, directory, group), [])
    assert.deepEqual((await store.getUserWithGroups(directory.id, members[0]?.id ?? ''))?.groups, [])
    await requireConsistent(store, directory, group)
  })

  test(`${engine}: many members are added in the order of their events, those without a resource are skipped`, async () => {
    const store = await openStore()
    const { directory, users, members, others, nested } = await addLargeGroup(store)
    const { group } = await addGroup(store, directory, 'New', users.slice(0, 3))
    const before = (await eventsOf(store, directory)).length
    const { changeMembers } = writesTo(store, directory)
    const added = [nested, { id: 'nobody \0' }, ...users, group]
    const outcome = committed(await changeMembers(group, delta(added, users.slice(0, 0))))
    const events = await allEvents(outcome)
    assert.deepEqual(typesOf(events), ['group.updated', ...times(users.length - 3, 'group.user_added')])
    assert.deepEqual(events.map(plain), (await eventsOf(store, directory)).slice(before).map(plain))
    assert.deepEqual(outcome.skipped, ['nobody \0', group.id])
    const listed = await store.listMembers(directory.id, group.id, { from: 3, limit: 10_000 })
    assert.deepEqual(
      listed.map(({ position }) => position.sequence),
      events.map(({ sequence }) => sequence),
    )
    assert.deepEqual(
      await memberIds(store, directory, group),
      [...users.slice(0, 3), nested, ...users.slice(3)].map(({ id }) => id),
    )
    const unchanged = committed(await changeMembers(group, delta(members)))
    assert.deepEqual(unchanged, { events: [], group: outcome.group, skipped: [] })
    const replaced = committed(await changeMembers(group, replacedBy([...members.slice(1), ...others])))
    assert.deepEqual(typesOf(await allEvents(replaced)), ['group.updated', 'group.user_removed'])
    await requireConsistent(store, directory, group)
  })

  test(`${engine}: a group is created and replaced with many members`, async () => {
    const store = await openStore()
    const { directory, users } = await addLargeGroup(store)
    const { createGroup, replaceGroup } = writesTo(store, directory)
    const group = someGroup({ displayName: 'Created' })
    const created = committed(await createGroup(group, delta(users)))
    const types = typesOf(await allEvents(created))
    assert.deepEqual(types, ['group.created', ...times(users.length, 'group.user_added')])
    assert.equal(await store.countGroups(directory.id), 3)
    const renamed = changedGroup(group, { displayName: 'Renamed' })
    const replaced = committed(await replaceGroup(group, renamed, replacedBy(users.slice(5))))
    assert.deepEqual(typesOf(await allEvents(replaced)), ['group.updated', ...times(5, 'group.user_removed')])
    assert.deepEqual(await store.getGroup(directory.id, group.id), renamed)
    assert.equal(await replaceGroup(group, renamed, replacedBy(users)), 'version-mismatch')
    await requireConsistent(store, directory, group)
  })

  test(`${engine}: large changes are rejected like small ones, and leave nothing behind`, async () => {
    const store = await openStore()
    const { directory, users, group } = await addLargeGroup(store)
    const before = await eventsOf(store, directory)
    const { changeMembers } = writesTo(store, directory)
    assert.equal(await changeMembers({ id: 'nobody' }, delta(users)), 'group-not-found')
    assert.equal(await changeMembers(group, replacedBy([]), group.version + 1), 'version-mismatch')
    const outdated = writesTo(store, { ...directory, revision: directory.revision + 1 })
    assert.equal(await outdated.changeMembers(group, replacedBy([])), 'directory-changed')
    assert.equal(await outdated.deleteGroup(group), 'directory-changed')
    assert.deepEqual(await eventsOf(store, directory), before)
    await requireConsistent(store, directory, group)
  })

  test(`${engine}: a large group with the name of another one is rejected where names are unique`, async () => {
    const store = await openStore()
    const { directory: before, group, users } = await addLargeGroup(store)
    const directory = { ...before, uniqueGroupNames: true, revision: before.revision + 1 }
    assert.equal(await store.replaceDirectory(directory), 'replaced')
    const { createGroup, replaceGroup } = writesTo(store, directory)
    const [same, other] = [someGroup({ displayName: group.name.toUpperCase() }), someGroup({ displayName: 'Another' })]
    assert.equal(await createGroup(same, delta(users)), 'group-name-taken')
    const events = await eventsOf(store, directory)
    committed(await createGroup(other, delta([])))
    const renamed = changedGroup(other, { displayName: group.name.toUpperCase() })
    assert.equal(await replaceGroup(other, renamed, delta(users)), 'group-name-taken')
    assert.equal((await eventsOf(store, directory)).length, events.length + 1)
    committed(await replaceGroup(other, changedGroup(other, { displayName: 'Free' }), delta(users)))
  })

  test(`${engine}: a large group is deleted, and can be created again at once`, async () => {
    const store = await openStore()
    const { directory, members, nested, group } = await addLargeGroup(store)
    const { deleteGroup, createGroup, deleteUser } = writesTo(store, directory)
    const deletion = committed(await deleteGroup(group))
    assert.deepEqual(typesOf(deletion.events), ['group.deleted'])
    assert.equal(await store.getGroup(directory.id, group.id), undefined)
    assert.deepEqual(await memberIds(store, directory, group), [])
    const [first] = members
    assert.ok(first)
    assert.deepEqual((await store.getUserWithGroups(directory.id, first.id))?.groups, [])
    const byGroup = [{ attribute: 'groups', value: group.id }] as const
    assert.equal(await store.countUsers(directory.id, byGroup), 0)
    const again = committed(await createGroup(group, delta([nested, ...members.slice(1, 3)])))
    assert.equal(again.events.length, 4)
    committed(await deleteUser(first))
    assert.equal((await memberIds(store, directory, group)).length, 3)
    await requireConsistent(store, directory, group)
  })

  for (const [what, changeOf] of Object.entries(changes)) {
    test(`${engine}: readers see the members before or after ${what}, and other writes are made meanwhile`, async () => {
      const store = await openStore()
      const large = await addLargeGroup(store)
      const { directory, group, users } = large
      const elsewhere = await addDirectory(store)
      const change = changeOf(large)
      const first = (await eventsOf(store, directory)).length
      const old = await observe(store, directory, group, users)
      let isOver = false
      const running = writesTo(store, directory)
        .changeMembers(group, change)
        .finally(() => {
          isOver = true
        })
      const later = writesTo(store, directory).createUser(someUser({ userName: 'later' }))
      const observed: Observation[] = []
      let others = 0
      while (!isOver) {
        if (runsAll || others % 4 === 0) observed.push(await observe(store, directory, group, users))
        committed(await writesTo(store, elsewhere).createUser(someUser({ userName: `other-${others++}` })))
      }
      const events = await allEvents(committed(await running))
      const now = await observe(store, directory, group, users)
      assert.ok(others > 0, 'other directories are written to meanwhile')
      for (const { members, version, groups } of observed) {
        assert.deepEqual(members, members.length === old.members.length ? old.members : now.members)
        assert.ok(version === old.version || version === now.version)
        assert.ok(groups === old.groups || groups === now.groups, `${groups} users in the group`)
      }
      const highest = Math.max(first, ...observed.map(({ lastSequence }) => lastSequence))
      const created = committed(await later).events[0]?.sequence ?? 0
      assert.ok([first, first + 1, first + events.length, first + events.length + 1].includes(highest), `${highest}`)
      assert.ok([first + 1, first + events.length + 1].includes(created), `${created}`)
      await requireConsistent(store, directory, group)
    })
  }
}

interface Large {
  readonly directory: Directory
  readonly group: Group
  readonly users: readonly IndexedUser[]
  readonly others: readonly IndexedUser[]
}

/** Large changes of each kind. */
export const changes: Readonly<Record<string, (large: Large) => MemberChanges>> = {
  'the removal of all members': () => replacedBy([]),
  'the removal of named members': ({ users }) => delta([], users.slice(10)),
  'the replacement of all members': ({ others }) => replacedBy(others),
  'the addition and removal of members': ({ others, users }) => delta(others, users.slice(0, maxMembersAtOnce)),
}

interface Observation {
  readonly members: readonly string[]
  readonly version: number | undefined
  /** The number of users that have the group. */
  readonly groups: number
  readonly lastSequence: number
}

async function observe(
  store: Store,
  directory: Directory,
  group: Group,
  users: readonly IndexedUser[],
): Promise<Observation> {
  const ids = users.slice(0, 200).map(({ id }) => id)
  const [members, stored, groups, events] = await Promise.all([
    memberIds(store, directory, group),
    store.getGroup(directory.id, group.id),
    store.groupsOfUsers(directory.id, ids),
    store.eventsAfter(directory.id, manyMembers * 2, 10_000),
  ])
  const lastSequence = events.at(-1)?.sequence ?? 0
  const inGroup = [...groups.values()].filter((found) => found.length > 0).length
  return { members, version: stored?.version, groups: inGroup, lastSequence }
}
