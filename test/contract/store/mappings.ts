import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { createTimeSlices } from '../../../src/concurrency/time-slices.ts'
import type { Directory } from '../../../src/directory/directory.ts'
import type { MappingDocument } from '../../../src/mapping/document.ts'
import type { PreviewView } from '../../../src/mapping/previews.ts'
import { createPreviews } from '../../../src/mapping/previews.ts'
import { fromJsonText } from '../../../src/scim/json-text.ts'
import type { Store } from '../../../src/store/store.ts'
import type { StoreUnderTest } from './database.ts'
import {
  allRoles,
  current,
  finishRun,
  groupsOf,
  mappedDirectory,
  putMapping,
  requireMapped,
  stepRun,
  storedMapped,
  usersOf,
  writesNow,
} from './mapping-world.ts'
import {
  addDirectory,
  addGroup,
  addUsers,
  changedGroup,
  changedUser,
  committed,
  delta,
  eventsOf,
  replacedBy,
  someGroup,
  someUser,
  writesTo,
} from './samples.ts'

const groupNames = ['Sales', 'sales', 'Ops', 'Law'] as const
const departments = ['Finance', 'IT', 'Legal'] as const

const condition = fc.oneof(
  fc.constantFrom(...groupNames).map((group_name) => ({ group_name })),
  fc.constantFrom(...departments).map((name) => ({ filter: `title eq "${name}"` })),
  fc
    .tuple(fc.constantFrom(...groupNames), fc.constantFrom(...departments))
    .map(([group_name, name]) => ({ group_name, filter: `title eq "${name}"` })),
)
const rule = fc.tuple(fc.constantFrom(...allRoles), fc.boolean(), condition).map(([role, gives, when]) => {
  return gives ? { role, when } : { deny: role, when }
})
const mapping = fc.record({
  attributes: fc.constantFrom({}, { department: { from: ['title'] } }, { name: { from: ['nickName', 'userName'] } }),
  roles: fc.record({
    mode: fc.constantFrom('all' as const, 'first' as const),
    default: fc.constantFrom([], ['member']),
    rules: fc.array(rule, { maxLength: 6 }),
  }),
}) as fc.Arbitrary<MappingDocument>

/** A change of a directory; the numbers choose among what is there. */
type Change =
  | {
      readonly kind: 'create-user' | 'patch-user'
      readonly n: number
      readonly title: string
      readonly active: boolean
    }
  | { readonly kind: 'delete-user' | 'delete-group' | 'step'; readonly n: number }
  | { readonly kind: 'create-group' | 'rename-group'; readonly n: number; readonly name: string }
  | {
      readonly kind: 'members'
      readonly n: number
      readonly add: number[]
      readonly remove: number[]
      readonly all: boolean
    }
  | { readonly kind: 'mapping'; readonly mapping: MappingDocument | undefined }

const n = fc.nat(20)
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('create-user' as const, 'patch-user' as const),
    ...{ n, title: fc.constantFrom(...departments), active: fc.boolean() },
  }),
  fc.record({ kind: fc.constantFrom('delete-user' as const, 'delete-group' as const, 'step' as const), n }),
  fc.record({
    kind: fc.constantFrom('create-group' as const, 'rename-group' as const),
    n,
    name: fc.constantFrom(...groupNames),
  }),
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('members' as const),
      n,
      add: fc.array(n, { maxLength: 4 }),
      remove: fc.array(n, { maxLength: 3 }),
      all: fc.boolean(),
    }),
  },
  fc.record({ kind: fc.constant('mapping' as const), mapping: fc.option(mapping, { nil: undefined }) }),
)

function pick<T>(from: readonly T[], index: number): T | undefined {
  return from[index % Math.max(1, from.length)]
}

let made = 0

async function apply(store: Store, directory: Directory, one: Change): Promise<void> {
  const [users, groups] = [[...(await usersOf(store, directory)).values()], await groupsOf(store, directory)]
  made += 1
  const writes = await writesNow(store, directory, `request-${made}`)
  switch (one.kind) {
    case 'create-user':
      await writes.createUser(someUser({ userName: `user-${made}`, title: one.title, active: one.active }))
      return
    case 'patch-user': {
      const user = pick(users, one.n)
      if (user) await writes.replaceUser(user, changedUser(user, { title: one.title, active: one.active }))
      return
    }
    case 'delete-user': {
      const user = pick(users, one.n)
      if (user) await writes.deleteUser(user)
      return
    }
    case 'create-group': {
      const member = pick(users, one.n)
      await writes.createGroup(someGroup({ displayName: one.name }), delta(member ? [member] : []))
      return
    }
    case 'rename-group': {
      const group = pick(groups, one.n)
      if (group) await writes.replaceGroup(group, changedGroup(group, { displayName: one.name }))
      return
    }
    case 'delete-group': {
      const group = pick(groups, one.n)
      if (group) await writes.deleteGroup(group)
      return
    }
    case 'members': {
      const group = pick(groups, one.n)
      const chosen = (indices: readonly number[]) => indices.flatMap((index) => pick(users, index) ?? [])
      const members = one.all ? replacedBy(chosen(one.add)) : delta(chosen(one.add), chosen(one.remove))
      if (group) await writes.changeMembers(group, members)
      return
    }
    case 'step':
      await stepRun(store, directory)
      return
    case 'mapping':
      await putMapping(store, { directoryId: directory.id }, one.mapping)
  }
}

const admins: MappingDocument = {
  attributes: { department: { from: ['title'] } },
  roles: { default: ['member'], rules: [{ id: 'r1', role: 'admin', when: { group_name: 'Admins' } }] },
}

/** A directory whose only administrator is `ann`, by the group `group`; `bob` is a member only. */
async function lastAdministrator(store: Store) {
  const directory = await mappedDirectory(store, keepsAdmin)
  const [ann, bob] = await addUsers(store, directory, ['ann', 'bob'])
  assert.ok(ann && bob)
  const { group } = await addGroup(store, directory, 'Admins', [ann])
  return { directory, ann, bob, group }
}

const keepsAdmin: MappingDocument = { ...admins, roles: { ...admins.roles, keep_at_least: { admin: 1 } } }

/** The changes by which the last administrator may vanish. */
const losses: Readonly<
  Record<string, (store: Store, world: Awaited<ReturnType<typeof lastAdministrator>>) => Promise<unknown>>
> = {
  'is removed from the group': async (store, { directory, ann, group }) =>
    committed(await (await writesNow(store, directory)).changeMembers(group, delta([], [ann]))),
  'is not in the new list of members': async (store, { directory, bob, group }) => {
    const writes = await writesNow(store, directory)
    committed(await writes.changeMembers(group, replacedBy([])))
    return committed(await writes.changeMembers(group, delta([bob])))
  },
  'is deactivated': async (store, { directory, ann }) =>
    committed(await (await writesNow(store, directory)).replaceUser(ann, changedUser(ann, { active: false }))),
  'is deleted': async (store, { directory, ann }) =>
    committed(await (await writesNow(store, directory)).deleteUser(ann)),
  'loses the group': async (store, { directory, group }) =>
    committed(await (await writesNow(store, directory)).deleteGroup(group)),
  'is in a group that is renamed': async (store, { directory, group }) =>
    committed(
      await (await writesNow(store, directory)).replaceGroup(group, changedGroup(group, { displayName: 'Others' })),
    ),
  'has no role by a new mapping': async (store, { directory }) => {
    await putMapping(
      store,
      { directoryId: directory.id },
      {
        roles: { keep_at_least: { admin: 1 }, rules: [{ role: 'admin', when: { group_name: 'Owners' } }] },
      },
    )
    await finishRun(store, directory)
  },
}

export function mappingContract(engine: string, { openStore, createDatabase }: StoreUnderTest): void {
  test(`${engine}: roles and attributes are those of the present state after every commit, and in the events`, async () => {
    const store = await openStore()
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(change, { minLength: 1, maxLength: 3 }), { maxLength: 14 }),
        async (history) => {
          const directory = await addDirectory(store)
          for (const together of history) {
            await Promise.all(together.map((one) => apply(store, directory, one)))
            const run = await store.getMappingRun(directory.id)
            if (run === undefined || run.completedAt !== undefined) await requireMapped(store, directory)
          }
          await finishRun(store, directory, 3)
          await requireMapped(store, directory)
        },
      ),
      { numRuns: Number(process.env['MAPPING_RUNS'] ?? 40) },
    )
  })

  test(`${engine}: a change of a user reports its roles in the same event, with the reason`, async () => {
    const store = await openStore()
    const directory = await mappedDirectory(store, {
      roles: { rules: [{ id: 'money', role: 'billing', when: { filter: 'title eq "Finance"' } }] },
    })
    const writes = await writesNow(store, directory)
    const user = someUser({ userName: 'ann', title: 'Finance' })
    committed(await writes.createUser(user))
    const { events } = committed(await writes.replaceUser(user, changedUser(user, { title: 'IT' })))
    assert.equal(events.length, 1)
    const [created, changed] = await eventsOf(store, directory)
    assert.deepEqual(fromJsonText(created?.data ?? assert.fail())['roles'], ['billing'])
    assert.deepEqual(fromJsonText(changed?.changes ?? assert.fail())['roles'], {
      from: ['billing'],
      to: [],
      because: [],
    })
    const [again] = committed(
      await writes.replaceUser({ ...changedUser(user, {}), version: 2 }, { ...changedUser(user, {}), version: 3 }),
    ).events
    assert.deepEqual(fromJsonText(again?.changes ?? assert.fail())['roles'], {
      from: [],
      to: ['billing'],
      because: [{ role: 'billing', rule: 'money', filter: 'title eq "Finance"' }],
    })
  })

  test(`${engine}: an added member has its new role in an event of its own, caused by the same request`, async () => {
    const store = await openStore()
    const directory = await mappedDirectory(store, admins)
    const [ann] = await addUsers(store, directory, ['ann'])
    assert.ok(ann)
    const { group } = await addGroup(store, directory, 'Admins')
    const writes = await writesNow(store, directory, 'request-7')
    const { events } = committed(await writes.changeMembers(group, delta([ann])))
    assert.deepEqual(
      events.map(({ eventType, requestId }) => [eventType, requestId]),
      [
        ['group.user_added', 'request-7'],
        ['user.updated', 'request-7'],
      ],
    )
    const changes = fromJsonText(events[1]?.changes ?? assert.fail()) as Record<string, unknown>
    assert.deepEqual(changes, {
      roles: {
        from: ['member'],
        to: ['admin'],
        because: [{ role: 'admin', rule: 'r1', group: { id: group.id, name: 'Admins' } }],
      },
    })
    assert.equal((await store.getUser(directory.id, ann.id))?.version, ann.version, 'the SCIM resource did not change')
  })

  test(`${engine}: a group that no rule names, and a directory without a mapping, cause nothing`, async () => {
    const store = await openStore()
    const mapped = await mappedDirectory(store, admins)
    const plain = await addDirectory(store)
    for (const directory of [mapped, plain]) {
      const users = await addUsers(store, directory, ['ann', 'bob'])
      const { events } = await addGroup(store, directory, 'Sales', users)
      assert.deepEqual(
        events.map(({ eventType }) => eventType),
        ['group.created', 'group.user_added', 'group.user_added'],
      )
    }
    assert.deepEqual(new Set(Object.values(await storedMapped(store, plain))), new Set([null]))
  })

  test(`${engine}: a change of more members than are evaluated at once begins a run`, async () => {
    const store = await openStore()
    const directory = await mappedDirectory(store, admins)
    const names = Array.from({ length: 1_002 }, (_, index) => `user-${index}`)
    const users = await addUsers(store, directory, names)
    const { group } = await addGroup(store, directory, 'Admins', users)
    assert.equal((await store.getMappingRun(directory.id))?.completedAt, undefined)
    await finishRun(store, directory, 1_000)
    await requireMapped(store, directory)
    assert.equal(await store.countUsersWithRole(directory.id, 'admin'), 1_002)
    committed(await (await writesNow(store, directory)).deleteGroup({ ...group, version: 1 }))
    assert.equal((await store.getMappingRun(directory.id))?.completedAt, undefined)
    await finishRun(store, directory, 1_000)
    assert.equal(await store.countUsersWithRole(directory.id, 'admin'), 0)
    await requireMapped(store, directory)
  })

  test(`${engine}: a write that was authorized under another mapping is refused`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    await putMapping(store, { directoryId: directory.id }, admins)
    const outcome = await (await writesNow(store, await current(store, directory))).createUser(
      someUser({ userName: 'b' }),
    )
    committed(outcome)
    assert.equal(await writesTo(store, directory).createUser(someUser({ userName: 'a' })), 'directory-changed')
  })

  test(`${engine}: a removed mapping leaves nothing but its history`, async () => {
    await using database = await createDatabase()
    const store = await database.open()
    const directory = await mappedDirectory(store, admins)
    await addUsers(store, directory, ['ann', 'bob'])
    await putMapping(store, { directoryId: directory.id }, undefined)
    committed(await (await writesNow(store, directory)).createUser(someUser({ userName: 'cid' })))
    await finishRun(store, directory)
    assert.equal((await current(store, directory)).mapping, undefined)
    await requireMapped(store, directory)
    const versions = await store.listMappingVersions({ directoryId: directory.id }, 99, 10)
    assert.deepEqual(
      versions.map(({ version, document }) => [version, document === undefined]),
      [
        [2, true],
        [1, false],
      ],
    )
    await store.close()
    const rows = await database.rowsOf(['user_roles', 'role_counts'])
    assert.deepEqual(rows, [[], []])
  })

  test(`${engine}: the mapping of a product reaches its directories without one of their own, and new ones`, async () => {
    const store = await openStore()
    const product = `product-${Math.random()}`
    const [first, second] = [await addDirectory(store, { product }), await addDirectory(store, { product })]
    await putMapping(store, { directoryId: second.id }, {})
    await addUsers(store, first, ['ann'])
    await putMapping(store, { product }, admins)
    const [rollout] = (await store.listRollouts(100)).filter((one) => one.product === product)
    assert.deepEqual(rollout?.passed, { createdAt: 0, id: '' })
    assert.deepEqual([await store.inheritMapping(first.id, 5), await store.inheritMapping(second.id, 5)], [true, false])
    assert.equal(await store.inheritMapping(first.id, 5), false, 'once')
    await store.passRollout({ product, version: 1 }, undefined)
    assert.deepEqual(
      (await store.listRollouts(100)).filter((one) => one.product === product),
      [],
    )
    await finishRun(store, first)
    await requireMapped(store, first)
    const third = await addDirectory(store, { product })
    assert.deepEqual((await current(store, third)).mapping, { source: 'product', version: 1 })
    await addUsers(store, await current(store, third), ['bob'])
    assert.equal(await store.countUsersWithRole(third.id, 'member'), 1)
    await putMapping(store, { product }, undefined)
    assert.equal(await store.inheritMapping(third.id, 6), true)
    await finishRun(store, third)
    assert.equal((await current(store, third)).mapping, undefined)
    await requireMapped(store, third)
  })

  test(`${engine}: of two changes of a mapping that follow the same version, one is refused`, async () => {
    const store = await openStore()
    const { id: directoryId } = await addDirectory(store)
    const version = { version: 1, document: '{}', createdAt: 1, createdBy: undefined, requestId: 'r' }
    const outcomes = await Promise.all([1, 2].map(() => store.putMapping({ directoryId }, version)))
    assert.deepEqual(outcomes.sort(), ['stored', 'version-mismatch'])
    assert.equal(await store.putMapping({ directoryId: 'unknown' }, version), 'directory-not-found')
  })

  for (const [what, lose] of Object.entries(losses)) {
    test(`${engine}: events are held when the last administrator ${what}`, async () => {
      const store = await openStore()
      const world = await lastAdministrator(store)
      await lose(store, world)
      const hold = await store.getHold(world.directory.id)
      assert.partialDeepStrictEqual(hold, { reason: 'roles', role: { role: 'admin', minimum: 1, users: 0 } })
      const sendable = await eventsOf(store, world.directory)
      assert.equal(sendable.length, (hold?.firstSequence ?? 0) - 1)
      const shown = sendable.findLast(({ data }) => fromJsonText(data)['id'] === world.ann.id)
      assert.deepEqual(
        fromJsonText(shown?.data ?? assert.fail())['roles'],
        shown?.eventType === 'user.created' ? ['member'] : ['admin'],
      )
      assert.equal(await store.releaseHold(world.directory.id), true)
      const last = (await eventsOf(store, world.directory)).findLast(
        ({ data }) => fromJsonText(data)['id'] === world.ann.id,
      )
      assert.ok(last && last.sequence >= (hold?.firstSequence ?? 0))
    })
  }

  test(`${engine}: a hold that a run began ends with it when enough users have the role then`, async () => {
    const store = await openStore()
    const { directory, bob } = await lastAdministrator(store)
    await addGroup(store, await current(store, directory), 'Owners', [bob])
    await putMapping(
      store,
      { directoryId: directory.id },
      {
        roles: { keep_at_least: { admin: 1 }, rules: [{ role: 'admin', when: { group_name: 'Owners' } }] },
      },
    )
    await stepRun(store, directory, 1)
    assert.equal((await store.getHold(directory.id))?.reason, 'roles')
    await finishRun(store, directory, 1)
    assert.equal(await store.getHold(directory.id), undefined)
    await requireMapped(store, directory)
  })

  test(`${engine}: a preview says exactly what the run then does`, async () => {
    const store = await openStore()
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 25 }), mapping, async (history, wanted) => {
        const directory = await addDirectory(store)
        for (const one of history) await apply(store, directory, one)
        await finishRun(store, directory, 3)
        const directories = { get: () => current(store, directory) }
        const { preview } = createPreviews({ store, directories, slices: createTimeSlices() })
        const users = new Map<string, unknown>()
        let [pageToken, first]: [string | undefined, PreviewView | undefined] = [undefined, undefined]
        do {
          const page = await preview({ id: directory.id }, { mapping: wanted }, { pageLimit: 2, pageToken })
          first ??= page.preview
          for (const { id, before, after } of page.preview.users) users.set(id, { before, after })
          pageToken = page.pageToken
        } while (pageToken !== undefined)
        const before = await storedMapped(store, directory)
        await putMapping(store, { directoryId: directory.id }, wanted)
        await finishRun(store, directory, 3)
        const after = await storedMapped(store, directory)
        const none = { roles: [], attributes: {} }
        const expected = Object.keys(after).flatMap((id) => {
          const change = { before: before[id] ?? none, after: after[id] ?? none }
          return isDeepStrictEqual(change.before, change.after) ? [] : [[id, change] as const]
        })
        assert.deepEqual(users, new Map(expected))
        const run = await store.getMappingRun(directory.id)
        assert.deepEqual([first?.evaluated, first?.changed], [Object.keys(after).length, run?.changed])
      }),
      { numRuns: Number(process.env['MAPPING_RUNS'] ?? 25) },
    )
  })
}
