import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { manyMembers } from '../../../src/directory/directory-store.ts'
import { membershipDataOf } from '../../../src/directory/membership-event.ts'
import { fromJsonText } from '../../../src/scim/json-text.ts'
import type { Store } from '../../../src/store/store.ts'
import { anyCharacters } from '../../support/any-characters.ts'
import type { StoreUnderTest } from './database.ts'
import {
  addDirectory,
  addGroup,
  addUsers,
  cause,
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

const all = { from: 0, limit: 1000 }

export function groupContract(engine: string, { openStore }: StoreUnderTest): void {
  async function memberIds(store: Store, directory: { id: string }, group: { id: string }): Promise<string[]> {
    return (await store.listMembers(directory.id, group.id, all)).map(({ item }) => item.id)
  }

  test(`${engine}: creating a group with members makes one event for the group and one for each member`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const [ann, bob] = await addUsers(store, directory, ['ann', 'bob'])
    assert.ok(ann && bob)
    const { group: inner } = await addGroup(store, directory, 'Inner')
    const group = someGroup({ displayName: 'Outer', externalId: 'e1' })
    const unknown = { id: 'nobody \0' }
    const { createGroup } = writesTo(store, directory)
    const outcome = committed(await createGroup(group, delta([ann, inner, unknown, bob, group])))
    assert.deepEqual(outcome.group, group)
    assert.deepEqual(outcome.skipped, [unknown.id, group.id])
    const types = ['group.created', 'group.updated', 'group.user_added', 'group.user_added']
    assert.deepEqual(typesOf(outcome.events), types)
    assert.deepEqual(outcome.events.map(plain), (await store.eventsAfter(directory.id, 3, 9)).map(plain))
    assert.deepEqual(await store.getGroup(directory.id, group.id), group)
    assert.equal(await store.getGroup(directory.id, 'nobody'), undefined)
    const members = await store.listMembers(directory.id, group.id, all)
    assert.deepEqual(
      members.map(({ item }) => item),
      [
        { id: inner.id, memberType: 'Group', display: 'Inner' },
        { id: ann.id, memberType: 'User', display: 'ann' },
        { id: bob.id, memberType: 'User', display: 'bob' },
      ],
    )
    assert.deepEqual(
      members.map(({ position }) => position.sequence),
      [5, 6, 7],
      'members are in the order of their events',
    )
    assert.deepEqual((await store.getUserWithGroups(directory.id, ann.id))?.groups, [{ id: group.id, name: 'Outer' }])
    assert.equal((await eventsOf(store, directory)).length, 7)
  })

  test(`${engine}: where group names are unique, a second group of a name is rejected, in any letter case`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store, { uniqueGroupNames: true })
    const { createGroup, replaceGroup, deleteGroup } = writesTo(store, directory)
    const { group: sales } = await addGroup(store, directory, 'Sales')
    const other = someGroup({ displayName: 'Other' })
    committed(await createGroup(other, delta([])))
    assert.equal(await createGroup(someGroup({ displayName: 'SALES' }), delta([])), 'group-name-taken')
    assert.equal(await replaceGroup(other, changedGroup(other, { displayName: 'sales' })), 'group-name-taken')
    assert.deepEqual(await store.getGroup(directory.id, other.id), other)

    const renamed = changedGroup(sales, { displayName: 'sALES' })
    committed(await replaceGroup(sales, renamed))
    committed(await deleteGroup(renamed))
    committed(await createGroup(someGroup({ displayName: 'Sales' }), delta([])))
    assert.equal((await eventsOf(store, directory)).filter(({ eventType }) => eventType === 'group.created').length, 3)
  })

  test(`${engine}: of concurrent changes to one name, one is made where names are unique`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store, { uniqueGroupNames: true })
    const { createGroup, replaceGroup } = writesTo(store, directory)
    const created = await Promise.all(
      ['Ops', 'ops', 'OPS', 'oPs'].map((displayName) => createGroup(someGroup({ displayName }), delta([]))),
    )
    assert.equal(created.filter((outcome) => outcome === 'group-name-taken').length, 3)
    const groups = await Promise.all(
      ['a', 'b', 'c'].map(async (name) => (await addGroup(store, directory, name)).group),
    )
    const replaced = await Promise.all(
      groups.map((group) => replaceGroup(group, changedGroup(group, { displayName: 'Same' }))),
    )
    assert.equal(replaced.filter((outcome) => outcome === 'group-name-taken').length, 2)
    const stored = await Promise.all(groups.map(({ id }) => store.getGroup(directory.id, id)))
    assert.equal(stored.filter((group) => group?.name === 'Same').length, 1)
  })

  test(`${engine}: a name that a change of the same batch gives up is free`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store, { uniqueGroupNames: true })
    const { createGroup, replaceGroup } = writesTo(store, directory)
    const { group } = await addGroup(store, directory, 'Former')
    const [renamed, taken] = await Promise.all([
      replaceGroup(group, changedGroup(group, { displayName: 'New' })),
      replaceGroup(group, changedGroup(group, { displayName: 'Newer' })),
    ])
    committed(renamed)
    assert.equal(taken, 'version-mismatch')
    committed(await createGroup(someGroup({ displayName: 'Former' }), delta([])))
    assert.equal(await createGroup(someGroup({ displayName: 'NEW' }), delta([])), 'group-name-taken')
  })

  test(`${engine}: groups that share a name when it becomes unique keep it`, async () => {
    const store = await openStore()
    const before = await addDirectory(store)
    const [first, second] = [someGroup({ displayName: 'Ops' }), someGroup({ displayName: 'OPS' })]
    for (const group of [first, second]) committed(await writesTo(store, before).createGroup(group, delta([])))
    const directory = { ...before, uniqueGroupNames: true, revision: 2 }
    assert.equal(await store.replaceDirectory(directory), 'replaced')
    assert.equal((await store.getDirectory(directory.id))?.uniqueGroupNames, true)
    assert.equal(
      await writesTo(store, before).createGroup(someGroup({ displayName: 'ops' }), delta([])),
      'directory-changed',
    )
    const { createGroup, replaceGroup } = writesTo(store, directory)
    committed(await replaceGroup(second, changedGroup(second, { externalId: 'e' })))
    assert.equal(await createGroup(someGroup({ displayName: 'ops' }), delta([])), 'group-name-taken')
    committed(await replaceGroup(first, changedGroup(first, { displayName: 'Ops 2' })))
    assert.equal(await createGroup(someGroup({ displayName: 'ops' }), delta([])), 'group-name-taken')
  })

  test(`${engine}: members are added and removed; a change without effect makes no event`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const { changeMembers } = writesTo(store, directory)
    const [ann, bob, cid] = await addUsers(store, directory, ['ann', 'bob', 'cid'])
    assert.ok(ann && bob && cid)
    const { group } = await addGroup(store, directory, 'Sales', [ann, bob])

    const changed = committed(await changeMembers(group, delta([cid, bob], [ann])))
    assert.deepEqual(typesOf(changed.events), ['group.user_removed', 'group.user_added'])
    assert.deepEqual(changed.group, { ...group, version: 2, updatedAt: cause.at })
    assert.deepEqual(await store.getGroup(directory.id, group.id), changed.group)
    assert.deepEqual(await memberIds(store, directory, group), [bob.id, cid.id])

    const unchanged = committed(await changeMembers(group, delta([cid], [ann, { id: 'nobody' }])))
    assert.deepEqual(unchanged, { events: [], group: changed.group, skipped: [] })
    const unknown = committed(await changeMembers(group, delta([{ id: 'nobody' }])))
    assert.deepEqual(unknown, { events: [], group: changed.group, skipped: ['nobody'] })

    const replaced = committed(await changeMembers(group, replacedBy([ann, cid, { id: 'nobody' }])))
    assert.deepEqual(typesOf(replaced.events), ['group.user_removed', 'group.user_added'])
    assert.deepEqual(replaced.skipped, ['nobody'])
    assert.deepEqual(await memberIds(store, directory, group), [cid.id, ann.id])
    committed(await changeMembers(group, replacedBy([])))
    assert.deepEqual(await memberIds(store, directory, group), [])
    assert.equal((await store.getGroup(directory.id, group.id))?.version, 4)

    assert.equal(await changeMembers(group, delta([ann]), 3), 'version-mismatch')
    committed(await changeMembers(group, delta([ann]), 4))
    assert.equal(await changeMembers({ id: 'nobody' }, delta([ann])), 'group-not-found')
    assert.equal((await eventsOf(store, directory)).length, 3 + 3 + 2 + 2 + 2 + 1)
  })

  test(`${engine}: the event of a member contains the user and the group, whether it joins alone or with others`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const { createUser, createGroup, changeMembers } = writesTo(store, directory, { traceContext: '00-1-2-01' })
    const text = anyCharacters({ minLength: 1, maxLength: 20 }).map((given) => given.replaceAll('\0', ''))
    const users = fc.record({ givenName: text, familyName: text, email: text, active: fc.boolean() })
    let sequence = 0
    await fc.assert(
      fc.asyncProperty(fc.tuple(users, users, users), text, async (resources, displayName) => {
        const group = someGroup({ displayName, remark: displayName })
        committed(await createGroup(group))
        const [alone, second, third] = resources.map(({ email, active, ...name }) =>
          someUser({ userName: `user-${++sequence}`, name, emails: [{ value: email }], active }),
        )
        assert.ok(alone && second && third)
        for (const user of [alone, second, third]) committed(await createUser(user))
        const outcomes = [
          committed(await changeMembers(group, delta([alone]))),
          committed(await changeMembers(group, delta([second, third]))),
        ]
        const events = outcomes.flatMap((outcome) => outcome.events)
        assert.deepEqual(
          events.map(({ data }) => data),
          [alone, second, third].map((user) => membershipDataOf(group)(user)),
        )
        const [first] = events
        assert.deepEqual(
          (await store.eventsAfter(directory.id, (first?.sequence ?? 0) - 1, 9)).map(plain),
          events.map(plain),
        )
      }),
      { numRuns: 10 },
    )
  })

  test(`${engine}: of members that are added concurrently, those that cannot join do not affect the others`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const [ann, bob] = await addUsers(store, directory, ['ann', 'bob'])
    assert.ok(ann && bob)
    const { group: inner } = await addGroup(store, directory, 'Inner', [ann])
    const { group } = await addGroup(store, directory, 'Outer')
    const { changeMembers } = writesTo(store, directory)
    const outcomes = await Promise.all([
      changeMembers(inner, delta([ann])),
      changeMembers(group, delta([ann])),
      changeMembers(group, delta([ann])),
      changeMembers(group, delta([{ id: 'nobody' }])),
      changeMembers(group, delta([{ id: 'nobody \0' }])),
      changeMembers(group, delta([inner])),
      changeMembers({ id: 'nothing' }, delta([ann])),
      changeMembers(inner, delta([bob])),
      changeMembers(group, delta([bob])),
    ])
    const [added, nothing] = [
      { events: 1, skipped: [] },
      { events: 0, skipped: [] },
    ]
    assert.deepEqual(
      outcomes.map((outcome) =>
        typeof outcome === 'string' ? outcome : { events: outcome.events.length, skipped: outcome.skipped },
      ),
      [
        nothing,
        added,
        nothing,
        { events: 0, skipped: ['nobody'] },
        { events: 0, skipped: ['nobody \0'] },
        added,
        'group-not-found',
        added,
        added,
      ],
    )
    assert.deepEqual(await memberIds(store, directory, inner), [ann.id, bob.id])
    assert.deepEqual(new Set(await memberIds(store, directory, group)), new Set([ann.id, inner.id, bob.id]))
    assert.equal((await store.getGroup(directory.id, group.id))?.version, 4)
    const events = (await eventsOf(store, directory)).slice(5)
    assert.deepEqual(typesOf(events).toSorted(), [
      'group.updated',
      'group.user_added',
      'group.user_added',
      'group.user_added',
    ])
  })

  test(`${engine}: a group is replaced with its members only at its stored version`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const { replaceGroup } = writesTo(store, directory)
    const [ann, bob] = await addUsers(store, directory, ['ann', 'bob'])
    assert.ok(ann && bob)
    const { group } = await addGroup(store, directory, 'Sales', [ann])
    const after = changedGroup(group, { displayName: 'Sales EMEA', externalId: 'x' })
    const outcome = committed(await replaceGroup(group, after, replacedBy([bob])))
    assert.deepEqual(outcome.group, after)
    assert.deepEqual(typesOf(outcome.events), ['group.updated', 'group.user_removed', 'group.user_added'])
    assert.deepEqual(await store.getGroup(directory.id, group.id), after)
    assert.deepEqual(await memberIds(store, directory, group), [bob.id])
    const before = await eventsOf(store, directory)
    assert.equal(await replaceGroup(group, after, replacedBy([ann])), 'version-mismatch')
    const nobody = someGroup({ displayName: 'x' })
    assert.equal(await replaceGroup(nobody, changedGroup(nobody, {})), 'version-mismatch')
    assert.deepEqual(await eventsOf(store, directory), before)
    assert.deepEqual(await memberIds(store, directory, group), [bob.id])
  })

  test(`${engine}: of concurrent replacements of one version of a group, exactly one is applied, with its members`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const users = await addUsers(store, directory, ['ann', 'bob', 'cid'])
    const { group } = await addGroup(store, directory, 'Sales')
    const outcomes = await Promise.all(
      users.map((user) =>
        writesTo(store, directory).replaceGroup(group, changedGroup(group, { nickName: user.userName }), delta([user])),
      ),
    )
    assert.equal(outcomes.filter((outcome) => outcome === 'version-mismatch').length, 2)
    const won = outcomes.findIndex((outcome) => typeof outcome === 'object')
    assert.deepEqual(await memberIds(store, directory, group), [users[won]?.id])
    assert.equal((await eventsOf(store, directory)).length, 6)
  })

  test(`${engine}: a present member that a change both adds and removes leaves, with an event`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const [ann] = await addUsers(store, directory, ['ann'])
    assert.ok(ann)
    const { group } = await addGroup(store, directory, 'Sales', [ann])
    const { events } = committed(await writesTo(store, directory).changeMembers(group, delta([ann], [ann])))
    assert.deepEqual(typesOf(events), ['group.user_removed'])
    assert.deepEqual(await memberIds(store, directory, group), [])
  })

  test(`${engine}: deleting a group removes its members and removes it from other groups`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const { deleteGroup, changeMembers } = writesTo(store, directory)
    const [ann] = await addUsers(store, directory, ['ann'])
    assert.ok(ann)
    const { group: inner } = await addGroup(store, directory, 'Inner', [ann])
    const { group: other } = await addGroup(store, directory, 'Other', [inner, ann])
    const { group: outer } = await addGroup(store, directory, 'Outer', [inner, other, ann])
    const before = (await eventsOf(store, directory)).length
    const counted = async () => {
      const ids = [inner.id, outer.id, 'unknown', 'with \0 NUL']
      const members = await store.countMembers(directory.id, ids)
      return ids.map((id) => members.get(id) ?? 0)
    }
    assert.deepEqual(await counted(), [1, 3, 0, 0])
    assert.equal(await deleteGroup({ ...inner, version: 5 }), 'version-mismatch')
    const outcomes = await Promise.all([inner, other, inner].map(deleteGroup))
    assert.deepEqual(
      outcomes.map((outcome) => (typeof outcome === 'string' ? outcome : typesOf(outcome.events))),
      [['group.deleted'], ['group.deleted'], 'version-mismatch'],
    )
    assert.equal((await eventsOf(store, directory)).length, before + 2)
    assert.equal(await store.getGroup(directory.id, inner.id), undefined)
    assert.equal(await store.countGroups(directory.id), 1)
    assert.deepEqual(await memberIds(store, directory, outer), [ann.id])
    assert.deepEqual(await memberIds(store, directory, inner), [])
    assert.deepEqual(await counted(), [0, 1, 0, 0])
    assert.equal((await store.getGroup(directory.id, outer.id))?.version, 3)
    assert.deepEqual((await store.getUserWithGroups(directory.id, ann.id))?.groups, [{ id: outer.id, name: 'Outer' }])
    assert.equal(await changeMembers(inner, delta([ann])), 'group-not-found')
  })

  test(`${engine}: one event covers all nested groups that a replaced list adds and removes`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const { changeMembers } = writesTo(store, directory)
    const inner = await Promise.all(['a', 'b', 'c'].map((name) => addGroup(store, directory, name)))
    const [a, b, c] = inner.map(({ group }) => group)
    assert.ok(a && b && c)
    const { group } = await addGroup(store, directory, 'Outer', [a, b])
    const { events } = committed(await changeMembers(group, replacedBy([b, c])))
    assert.deepEqual(typesOf(events), ['group.updated'])
    const value = (id: string) => [{ value: id, type: 'Group' }]
    const changes = fromJsonText(events[0]?.changes ?? assert.fail())
    assert.deepEqual(changes, { members: { from: value(a.id), to: value(c.id) } })
    assert.deepEqual(await memberIds(store, directory, group), [b.id, c.id])
    const part = { from: { sequence: 0, id: '' }, limit: 1 }
    const [first] = await store.listMembers(directory.id, group.id, part)
    assert.ok(first)
    const rest = await store.listMembers(directory.id, group.id, { from: first.position, limit: 9 })
    assert.deepEqual(
      rest.map(({ item }) => item.id),
      [c.id],
    )
  })

  test(`${engine}: a group is read with its members, in its directory or in a scope`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const other = await addDirectory(store, { tenant: 'other' })
    const users = await addUsers(store, directory, ['ann', 'bob'])
    const { group: inner } = await addGroup(store, directory, 'Inner')
    const { group: empty } = await addGroup(store, directory, 'Empty')
    const { group } = await addGroup(store, directory, 'Outer', [...users, inner])
    const { id, createdAt, tenant, product } = directory
    const read = (groupId: string) => store.getGroupWithMembers(id, groupId)
    const expected = { group, members: await store.listMembers(id, group.id, { from: 0, limit: 9 }) }
    assert.equal(expected.members.length, 3)
    const together = await Promise.all([read(group.id), read('nobody'), read(empty.id), read('\0')])
    assert.deepEqual(together, [expected, undefined, { group: empty, members: [] }, undefined])
    assert.equal(await store.getGroupWithMembers(other.id, group.id), undefined)

    const found = { directory: { id, createdAt }, found: expected }
    assert.deepEqual(await store.findGroupWithMembersInScope({ tenant, product }, group.id), found)
    assert.deepEqual(await store.findGroupWithMembersInScope({ directoryId: id }, group.id), found)
    assert.equal(await store.findGroupWithMembersInScope({ directoryId: other.id }, group.id), undefined)
  })

  test(`${engine}: the groups of many users are read in one call`, async () => {
    const store = await openStore()
    const [directory, other] = [await addDirectory(store), await addDirectory(store)]
    const [ann, bob, cid] = await addUsers(store, directory, ['ann', 'bob', 'cid'])
    assert.ok(ann && bob && cid)
    const { group: sales } = await addGroup(store, directory, 'Sales "North"', [ann, bob])
    const { group: staff } = await addGroup(store, directory, 'Staff', [bob])
    const groups = await store.groupsOfUsers(directory.id, [ann.id, bob.id, cid.id, 'nobody', 'with \0 NUL'])
    const reference = ({ id, name }: typeof sales) => ({ id, name })
    assert.deepEqual(groups.get(ann.id), [reference(sales)])
    assert.deepEqual(new Set(groups.get(bob.id)), new Set([reference(sales), reference(staff)]))
    assert.equal(groups.get(cid.id), undefined)
    assert.equal((await store.groupsOfUsers(other.id, [ann.id])).size, 0)
    assert.equal((await store.groupsOfUsers(directory.id, [])).size, 0)
  })

  test(`${engine}: a page of users has the groups of each if they are wanted, and the number of users`, async () => {
    const store = await openStore()
    const [directory, empty] = [await addDirectory(store), await addDirectory(store)]
    const users = await addUsers(store, directory, ['ann', 'bob', 'cid', 'dan'])
    const [ann, bob] = users
    assert.ok(ann && bob)
    await addGroup(store, directory, 'Sales "North"', [ann, bob])
    const { group: gone } = await addGroup(store, directory, 'Gone', users)
    await addGroup(store, directory, 'Staff', [bob])
    committed(await writesTo(store, directory).deleteGroup(gone))
    const groups = await store.groupsOfUsers(
      directory.id,
      users.map(({ id }) => id),
    )
    assert.equal(groups.get(bob.id)?.length, 2)
    for (const { from, limit } of [
      { from: 0, limit: 4 },
      { from: 0, limit: 1 },
      { from: 1, limit: 2 },
      { from: 3, limit: 2 },
      { from: 4, limit: 2 },
    ]) {
      const rows = await store.listUsers(directory.id, { from, limit })
      assert.deepEqual(await store.pageOfUsers(directory.id, { from, limit }, false), { rows, total: 4 })
      const inGroups = rows.map(({ position, item }) => ({
        position,
        item: { ...item, groups: groups.get(item.id) ?? [] },
      }))
      assert.deepEqual(await store.pageOfUsers(directory.id, { from, limit }, true), { rows: inGroups, total: 4 })
      const listed = await store.listGroups(directory.id, { from, limit })
      assert.deepEqual(await store.pageOfGroups(directory.id, { from, limit }, false), { rows: listed, total: 2 })
    }
    const nothing = { rows: [], total: 0 }
    assert.deepEqual(await store.pageOfUsers(empty.id, { from: 0, limit: 3 }, true), nothing)
    assert.deepEqual(await store.pageOfUsers('\0', { from: 0, limit: 3 }, true), nothing)
    assert.deepEqual(await store.pageOfGroups(empty.id, { from: 0, limit: 3 }, true), nothing)
  })

  test(`${engine}: a page of groups has the members of those with few, if they are wanted`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const users = await addUsers(
      store,
      directory,
      Array.from({ length: manyMembers }, (_, n) => `user-${n}`),
    )
    const { group: few } = await addGroup(store, directory, 'Few', users.slice(1))
    const { group: many } = await addGroup(store, directory, 'Many', users)
    const { group: none } = await addGroup(store, directory, 'None')
    const { group: nested } = await addGroup(store, directory, 'Nested', [none])
    const { rows, total } = await store.pageOfGroups(directory.id, { from: 0, limit: 9 }, true)
    assert.equal(total, 4)
    const membersOf = async ({ id }: { id: string }) =>
      (await store.listMembers(directory.id, id, all)).map(({ item }) => item)
    assert.deepEqual(
      rows.map(({ item: { id, members } }) => ({ id, members })),
      [
        { id: few.id, members: await membersOf(few) },
        { id: many.id, members: undefined },
        { id: none.id, members: [] },
        { id: nested.id, members: [{ id: none.id, memberType: 'Group', display: 'None' }] },
      ],
    )
    const listed = await store.listGroups(directory.id, { from: 1, limit: 2 })
    const page = await store.pageOfGroups(directory.id, { from: 1, limit: 2 }, true)
    assert.partialDeepStrictEqual(page, { rows: listed, total: 4 })
  })
}

/** The fields of an event that reads return, without the group of a membership, which is only for lookups. */
function plain<T extends object>(value: T): object {
  return JSON.parse(JSON.stringify({ ...value, groupId: undefined }))
}
