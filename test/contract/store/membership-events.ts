import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Directory } from '../../../src/directory/directory.ts'
import { fromJsonText } from '../../../src/scim/json-text.ts'
import { maxMembersAtOnce } from '../../../src/store/large-changes.ts'
import type { Store } from '../../../src/store/store.ts'
import type { StoreUnderTest } from './database.ts'
import {
  addDirectory,
  addUsers,
  changedGroup,
  committed,
  delta,
  eventsOf,
  replacedBy,
  someGroup,
  someUser,
  writesTo,
} from './samples.ts'

/** A group and a user that are nearly as large as allowed. */
const extension = { 'urn:example:1.0': { purpose: '語'.repeat(250_000) } }

const membershipTypes = new Set(['group.user_added', 'group.user_removed', 'member.snapshot'])

/** Checks the size of all events of memberships, and returns what they contain. */
async function membershipsIn(store: Store, directory: Directory) {
  const events = (await eventsOf(store, directory)).filter(({ eventType }) => membershipTypes.has(eventType))
  for (const { eventType, data } of events) assert.ok(Buffer.byteLength(data) < 16_384, `${eventType} is too large`)
  return events.map(({ eventType, data }) => ({ eventType, data: fromJsonText(data) }))
}

export function membershipEventContract(engine: string, { openStore }: StoreUnderTest): void {
  test(`${engine}: whatever changes the members of a large group, the events of memberships leave out its raw`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const names = Array.from({ length: maxMembersAtOnce + 20 }, (_, n) => `user-${n}`)
    const users = await addUsers(store, directory, names)
    const { createGroup, changeMembers, replaceGroup } = writesTo(store, directory)
    const group = someGroup({ displayName: 'Large', ...extension })
    committed(await createGroup(group, delta(users.slice(0, 2))))
    committed(await changeMembers(group, delta(users.slice(2, 3))))
    committed(await changeMembers(group, delta(users.slice(3, 30))))
    committed(await changeMembers(group, delta([], users.slice(0, 1))))
    committed(await changeMembers(group, delta(users)))
    const stored = await store.getGroup(directory.id, group.id)
    assert.equal(stored?.raw, group.raw)
    committed(await replaceGroup(stored, changedGroup(stored, { displayName: 'Larger' }), replacedBy([])))
    let resync = committed(
      await store.beginResync({ directoryId: directory.id, syncId: 's', requestId: 'r', startedAt: 1 }),
    )
    committed(await changeMembers(group, delta(users.slice(0, 1))))
    while (resync.completedAt === undefined)
      resync = committed(await store.stepResync(resync, { rows: 500, bytes: 1_000_000 }, 2))
    const memberships = await membershipsIn(store, directory)
    assert.equal(memberships.length, 2 + 1 + 27 + 1 + (users.length - 29) + users.length + 1)
    for (const { data } of memberships) {
      const { id, name, ...rest } = data['group'] as Record<string, unknown>
      assert.deepEqual(rest, { raw_omitted: true })
      assert.equal(id, group.id)
      assert.match(String(name), /^Larger?$/)
      assert.equal(typeof data['raw'], 'object', 'the raw of the user is small')
    }
  })

  test(`${engine}: a resync sends the members of large groups and large users without their raw`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const { createGroup, createUser } = writesTo(store, directory)
    const [small] = await addUsers(store, directory, ['small'])
    const large = someUser({ userName: 'large', ...extension })
    assert.ok(small)
    committed(await createUser(large))
    const groups = [someGroup({ displayName: 'Small' }), someGroup({ displayName: 'Large', ...extension })]
    for (const group of groups) committed(await createGroup(group, delta([small, large])))
    let resync = committed(
      await store.beginResync({ directoryId: directory.id, syncId: 's', requestId: 'r', startedAt: 1 }),
    )
    while (resync.completedAt === undefined)
      resync = committed(await store.stepResync(resync, { rows: 500, bytes: 1_000_000 }, 2))
    const memberships = await membershipsIn(store, directory)
    const omitted = ({ data }: (typeof memberships)[number]) =>
      [data, data['group']].map((part) => 'raw_omitted' in Object(part))
    const snapshots = memberships.filter(({ eventType }) => eventType === 'member.snapshot')
    assert.deepEqual(
      new Set(snapshots.map((one) => omitted(one).join())),
      new Set(['false,false', 'true,false', 'false,true', 'true,true']),
    )
    assert.deepEqual(
      memberships
        .filter((one) => !snapshots.includes(one))
        .map(omitted)
        .sort(),
      snapshots.map(omitted).sort(),
    )
  })

  test(`${engine}: the timeline of a group has the events of all members that a large change added`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const names = Array.from({ length: maxMembersAtOnce + 1 }, (_, n) => `user-${n}`)
    const users = await addUsers(store, directory, names)
    const group = someGroup({ displayName: 'Large' })
    committed(await writesTo(store, directory).createGroup(group, delta(users)))
    const found = await store.eventsOfResource(directory.id, group.id, Number.MAX_SAFE_INTEGER, 2_000)
    assert.equal(found.length, users.length + 1)
  })
}
