import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Group } from '../../../src/directory/group.ts'
import type { RemovalLimit } from '../../../src/directory/removal-limit.ts'
import type { IndexedUser } from '../../../src/directory/user.ts'
import type { Store } from '../../../src/store/store.ts'
import { cases } from '../../support/extent.ts'
import type { StoreUnderTest } from './database.ts'
import {
  addDirectory,
  addGroup,
  addUsers,
  cause,
  changedUser,
  committed,
  replacedBy,
  someUser,
  writesTo,
} from './samples.ts'

/** Parts of the window begin at full seconds, like all changes, so that the count is exact. */
const windowSeconds = 60

/** Counts removals as documented, by keeping all of them. */
class Model {
  readonly limit: RemovalLimit
  /** The last removal of each user that has not come back: its time in milliseconds, and the name. */
  readonly removed = new Map<string, { readonly at: number; readonly name: string }>()
  /** The number of active users before each removal. */
  readonly before: { readonly at: number; readonly count: number }[] = []
  held = false

  constructor(limit: RemovalLimit) {
    this.limit = limit
  }

  remove(key: string, at: number, before: number, name = key): void {
    this.removed.set(key, { at, name })
    this.before.push({ at, count: before })
    const from = at - windowSeconds * 1000
    const highest = Math.max(...this.before.filter((other) => other.at > from).map(({ count }) => count))
    const allowed = Math.max(this.limit.minimum, Math.floor((this.limit.percent * highest) / 100))
    if (this.count(at) > allowed) this.held = true
  }

  bringBack(name: string): void {
    for (const [key, removed] of this.removed) if (removed.name === name) this.removed.delete(key)
  }

  count(at: number): number {
    return [...this.removed.values()].filter((removed) => removed.at > at - windowSeconds * 1000).length
  }
}

interface Step {
  readonly action: 'create' | 'toggle' | 'toggle again' | 'delete'
  readonly person: number
  readonly seconds: number
}

const step: fc.Arbitrary<Step> = fc.record({
  action: fc.constantFrom('create', 'toggle', 'toggle again', 'delete'),
  person: fc.nat({ max: 7 }),
  seconds: fc.nat({ max: 15 }),
})

const someLimit = fc.record({
  percent: fc.constantFrom(0, 30, 60),
  minimum: fc.integer({ min: 1, max: 7 }),
  windowSeconds: fc.constant(windowSeconds),
})

/** Makes changes of users one by one, and compares the counts after each. */
async function compareUsers(store: Store, limit: RemovalLimit, steps: readonly Step[]): Promise<void> {
  const directory = await addDirectory(store, { removalLimit: limit })
  const model = new Model(limit)
  const present = new Map<number, IndexedUser>()
  const names = Array.from({ length: 8 }, (_, person) => `person-${person}`)
  for (const [person, user] of (await addUsers(store, directory, names)).entries()) present.set(person, user)
  let at = cause.at
  for (const { action, person, seconds } of steps) {
    at += seconds * 1000
    const write = writesTo(store, directory, { at })
    const user = present.get(person)
    const name = `person-${person}`
    const activeUsers = [...present.values()].filter(({ active }) => active).length
    if (action === 'delete' && user !== undefined) {
      committed(await write.deleteUser(user))
      present.delete(person)
      model.remove(user.id, at, activeUsers, name)
    } else if (action.startsWith('toggle') && user !== undefined) {
      const after = changedUser(user, { active: !user.active }, at)
      committed(await write.replaceUser(user, after))
      present.set(person, after)
      if (user.active) model.remove(user.id, at, activeUsers, name)
      else model.bringBack(name)
    } else if (action === 'create' && user === undefined) {
      const created = someUser({ userName: name.toUpperCase(), active: seconds % 3 > 0 })
      committed(await write.createUser(created))
      present.set(person, created)
      if (created.active) model.bringBack(name)
    }
    const counts = await store.removalCounts(directory.id, limit, at)
    assert.equal(counts?.holds.length !== 0, model.held)
    assert.equal(counts?.holds[0]?.removals ?? counts?.removals, model.count(at))
    if (model.held) return
  }
}

interface GroupStep {
  readonly group: number
  readonly members: readonly number[]
  readonly isDeleted: boolean
  readonly seconds: number
}

const groupStep: fc.Arbitrary<GroupStep> = fc.record({
  group: fc.nat({ max: 2 }),
  members: fc.uniqueArray(fc.nat({ max: 5 }), { maxLength: 6 }),
  isDeleted: fc.nat({ max: 9 }).map((n) => n === 0),
  seconds: fc.nat({ max: 15 }),
})

/** The same for the members of groups, except that a deleted group never comes back. */
async function compareMembers(store: Store, limit: RemovalLimit, steps: readonly GroupStep[]): Promise<void> {
  const directory = await addDirectory(store, { removalLimit: limit })
  const users = await addUsers(store, directory, names(6))
  const model = new Model(limit)
  const groups = new Map<number, { readonly group: Group; readonly members: Set<string> }>()
  let at = cause.at
  for (const { group: number, members, isDeleted, seconds } of steps) {
    at += seconds * 1000
    const write = writesTo(store, directory, { at })
    const wanted = users.filter((_, index) => members.includes(index))
    const found = groups.get(number)
    const before = [...groups.values()].reduce((sum, group) => sum + group.members.size, 0)
    if (found === undefined) {
      const { group } = await addGroup(store, directory, `group-${number}`, wanted)
      groups.set(number, { group, members: new Set(wanted.map(({ id }) => id)) })
    } else if (isDeleted) {
      const version = (await store.getGroup(directory.id, found.group.id))?.version ?? 0
      committed(await write.deleteGroup({ ...found.group, version }))
      groups.delete(number)
      for (const id of found.members) model.remove(`${found.group.id}/${id}`, at, before)
    } else {
      committed(await write.changeMembers(found.group, replacedBy(wanted)))
      const left = [...found.members].filter((id) => !wanted.some((user) => user.id === id))
      found.members.clear()
      for (const { id } of wanted) {
        model.bringBack(`${found.group.id}/${id}`)
        found.members.add(id)
      }
      for (const id of left) model.remove(`${found.group.id}/${id}`, at, before)
    }
    const [hold] = await store.getHolds(directory.id)
    assert.equal(hold !== undefined, model.held)
    if (hold === undefined) continue
    return assert.equal(hold.removals, model.count(at))
  }
}

const names = (count: number) => Array.from({ length: count }, (_, index) => `user-${index}`)

export function removalModelContract(engine: string, { openStore }: StoreUnderTest): void {
  test(`${engine}: removals of users are counted like a list of all of them counts them`, async () => {
    const store = await openStore()
    const steps = fc.array(step, { minLength: 10, maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(someLimit, steps, (limit, made) => compareUsers(store, limit, made)),
      { numRuns: cases(40, 12) },
    )
  })

  test(`${engine}: removals of memberships are counted like a list of all of them counts them`, async () => {
    const store = await openStore()
    const steps = fc.array(groupStep, { minLength: 10, maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(someLimit, steps, (limit, made) => compareMembers(store, limit, made)),
      { numRuns: cases(40, 12) },
    )
  })
}
