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
import { cases } from '../../support/extent.ts'
import type { StoreUnderTest } from './database.ts'
import {
  apply,
  directoryMapping,
  history,
  longRules,
  nextNumber,
  productMapping,
  withGroupIds,
} from './mapping-changes.ts'
import {
  current,
  finishRun,
  mappedDirectory,
  putMapping,
  requireMapped,
  stepRun,
  storedMapped,
  writesNow,
} from './mapping-world.ts'
import {
  addDirectory,
  addGroup,
  addUsers,
  cause,
  changedGroup,
  changedUser,
  committed,
  delta,
  eventsOf,
  replacedBy,
  someUser,
  writesTo,
} from './samples.ts'

/** A directory that is the only one of its product. */
function onlyDirectory(store: Store): Promise<Directory> {
  return addDirectory(store, { product: `product-${nextNumber()}` })
}

/** Gives the last mapping of the product to a directory, and asserts that it has that, unless its own does not extend it. */
async function rollOut(store: Store, directory: Directory): Promise<void> {
  await store.inheritMapping(directory.id, cause.at)
  const { reference } = (await store.getMapping({ product: directory.product })) ?? {}
  const version = reference?.source === 'product' ? reference.version : undefined
  const { mapping: inEffect } = await current(store, directory)
  if (inEffect?.source !== 'directory') {
    const followed = inEffect?.source === 'product' ? inEffect.version : undefined
    assert.equal(followed, version, 'it inherits the last mapping of the product')
  } else if (inEffect.extended !== undefined) assert.equal(inEffect.extended, version ?? 0)
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
      fc.asyncProperty(history, async (rounds) => {
        const directory = await onlyDirectory(store)
        for (const { together, isFinished } of rounds) {
          await Promise.all(together.map((one) => apply(store, directory, one)))
          const run = await store.getMappingRun(directory.id)
          const isPending = run !== undefined && run.completedAt === undefined
          if (!isPending) await requireMapped(store, directory)
          else if (isFinished) {
            await finishRun(store, directory, 3)
            await requireMapped(store, directory)
          }
        }
        await rollOut(store, directory)
        await finishRun(store, directory, 3)
        await requireMapped(store, directory)
      }),
      { numRuns: cases(25, 8) },
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
    const names = Array.from({ length: 1_004 }, (_, index) => `user-${index}`)
    const users = await addUsers(store, directory, names)
    const begun: string[] = []
    store.onMappingRun(({ id }) => begun.push(id))
    const running = await store.countMappingRuns()
    const { group } = await addGroup(store, directory, 'Admins', users)
    assert.equal((await store.getMappingRun(directory.id))?.completedAt, undefined)
    assert.deepEqual([begun, await store.countMappingRuns()], [[directory.id], running + 1])
    const { directories } = await store.listMappingRuns('', 1_000)
    assert(directories.some(({ id }) => id === directory.id))
    await finishRun(store, directory, 1_000)
    assert.equal(await store.countMappingRuns(), running)
    await requireMapped(store, directory)
    assert.equal(await store.countUsers(directory.id, [{ attribute: 'role', value: 'admin' }]), 1_004)
    const [first, ...others] = users
    assert.ok(first)
    committed(await (await writesNow(store, directory)).changeMembers(group, delta([], [first])))
    assert.equal(begun.length, 1, 'a small change begins none')
    const many = delta([], others.slice(0, 501))
    committed(await (await writesNow(store, directory)).changeMembers(group, many))
    assert.equal(begun.length, 2)
    await finishRun(store, directory, 1_000)
    await requireMapped(store, directory)
    const { version } = (await store.getGroup(directory.id, group.id)) ?? assert.fail()
    committed(await (await writesNow(store, directory)).deleteGroup({ ...group, version }))
    assert.equal((await store.getMappingRun(directory.id))?.completedAt, undefined)
    await finishRun(store, directory, 1_000)
    assert.equal(await store.countUsers(directory.id, [{ attribute: 'role', value: 'admin' }]), 0)
    await requireMapped(store, directory)
  })

  test(`${engine}: groups in a group are not counted among the members to evaluate`, async () => {
    const store = await openStore()
    const rules = [{ role: 'admin', when: { group_name: 'Admins' } }, ...longRules]
    const directory = await mappedDirectory(store, { roles: { rules } })
    const nested = await Promise.all(['a', 'b', 'c'].map((name) => addGroup(store, directory, name)))
    const users = await addUsers(
      store,
      directory,
      Array.from({ length: 6 }, (_, index) => `user-${index}`),
    )
    const members = [...nested.map(({ group }) => group), ...users]
    const { group } = await addGroup(store, directory, 'Admins', members)
    const { replaceGroup, deleteGroup } = await writesNow(store, directory)
    const countAdmins = async () => {
      await finishRun(store, directory)
      return store.countUsers(directory.id, [{ attribute: 'role', value: 'admin' }])
    }
    assert.equal(await countAdmins(), 6)
    const renamed = changedGroup(group, { displayName: 'Others' })
    committed(await replaceGroup(group, renamed))
    assert.equal(await countAdmins(), 0)
    const again = changedGroup(renamed, { displayName: 'Admins' })
    committed(await replaceGroup(renamed, again))
    assert.equal(await countAdmins(), 6)
    committed(await deleteGroup(again))
    assert.equal(await countAdmins(), 0)
  })

  test(`${engine}: the members of deleted groups lose their roles in events caused by the same requests`, async () => {
    const store = await openStore()
    const rules = ['Admins', 'Owners'].map((name) => ({ role: name.toLowerCase(), when: { group_name: name } }))
    const directory = await mappedDirectory(store, { roles: { rules } })
    const [ann, bob] = await addUsers(store, directory, ['ann', 'bob'])
    assert.ok(ann && bob)
    const { group: admins } = await addGroup(store, directory, 'Admins', [ann])
    const { group: owners } = await addGroup(store, directory, 'Owners', [bob, admins])
    const requests = [
      ['request-7', owners],
      ['request-8', admins],
    ] as const
    const writes = await Promise.all(requests.map(([requestId]) => writesNow(store, directory, requestId)))
    const outcomes = await Promise.all(writes.map((write, index) => write.deleteGroup(requests[index]?.[1] ?? ann)))
    assert.deepEqual(
      outcomes.map((outcome) => committed(outcome).events.map(({ eventType, requestId }) => [eventType, requestId])),
      requests.map(([requestId]) => ['group.deleted', 'user.updated'].map((eventType) => [eventType, requestId])),
    )
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
    assert.equal(await store.countUsers(third.id, [{ attribute: 'role', value: 'member' }]), 1)
    await putMapping(store, { product }, undefined)
    assert.equal(await store.inheritMapping(third.id, 6), true)
    await finishRun(store, third)
    assert.equal((await current(store, third)).mapping, undefined)
    await requireMapped(store, third)
  })

  test(`${engine}: a mapping that extends that of its product follows it, also when that is removed`, async () => {
    const store = await openStore()
    const directory = await onlyDirectory(store)
    const { id: directoryId, product } = directory
    await addUsers(store, directory, ['ann'])
    const own = {
      extends: 'product' as const,
      roles: { rules: [{ role: 'billing', when: { filter: 'userName pr' } }] },
    }
    const roles = async () => {
      await finishRun(store, directory)
      await requireMapped(store, directory)
      return Object.values(await storedMapped(store, directory)).flatMap((mapped) => mapped?.roles ?? [])
    }
    await putMapping(store, { directoryId }, own)
    assert.deepEqual((await current(store, directory)).mapping, { source: 'directory', version: 1, extended: 0 })
    assert.deepEqual(await roles(), ['billing'])
    for (const { mapping: document, extended, has } of [
      {
        mapping: { roles: { rules: [{ role: 'admin', when: { filter: 'active eq true' } }] } },
        extended: 1,
        has: ['admin', 'billing'],
      },
      { mapping: { roles: { mode: 'first' as const } }, extended: 2, has: ['billing'] },
      { mapping: undefined, extended: 0, has: ['billing'] },
    ]) {
      await putMapping(store, { product }, document)
      assert.equal(await store.inheritMapping(directoryId, 5), true)
      assert.equal(await store.inheritMapping(directoryId, 5), false, 'once')
      assert.deepEqual((await current(store, directory)).mapping, { source: 'directory', version: 1, extended })
      assert.deepEqual(await roles(), has)
    }
    const { document, lastVersion } = (await store.getMapping({ directoryId })) ?? assert.fail()
    assert.deepEqual([JSON.parse(document ?? ''), lastVersion], [own, 1])
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
      const [hold] = await store.getHolds(world.directory.id)
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
    assert.equal((await store.getHolds(directory.id))[0]?.reason, 'roles')
    await finishRun(store, directory, 1)
    assert.deepEqual(await store.getHolds(directory.id), [])
    await requireMapped(store, directory)
  })

  test(`${engine}: the warnings of a preview concern the rules of the previewed mapping, not those that it is combined with`, async () => {
    const store = await openStore()
    const directory = await onlyDirectory(store)
    const { id: directoryId, product } = directory
    await addUsers(store, directory, ['ann', 'bob'])
    const rule = (id: string, filter: string) => ({ id, role: 'admin', when: { filter } })
    const own = (filter: string): MappingDocument => ({ extends: 'product', roles: { rules: [rule('same', filter)] } })
    await putMapping(store, { directoryId }, own('userName pr'))
    const { preview } = createPreviews({
      ...{ store, slices: createTimeSlices() },
      directories: { get: () => current(store, directory) },
    })
    const warned = async (place: { readonly id: string } | { readonly product: string }, mapping: MappingDocument) => {
      const { warnings = [] } = (await preview(place, { mapping }, {})).preview
      return warnings.map(({ code, rule: of }) => [code, of])
    }
    const mapping: MappingDocument = {
      roles: { keep_at_least: { admin: 3 }, rules: [rule('same', 'userName pr'), rule('other', 'title eq "x"')] },
    }
    assert.deepEqual(await warned({ product }, mapping), [
      ['rule-for-nobody', 'same'],
      ['rule-for-nobody', 'other'],
      ['too-few-users', 'admin'],
    ])
    await putMapping(store, { product }, mapping)
    assert.deepEqual(await warned({ id: directoryId }, own('title eq "y"')), [
      ['rule-for-nobody', 'same'],
      ['too-few-users', 'admin'],
    ])
  })

  for (const isOfProduct of [false, true]) {
    test(`${engine}: a preview of a mapping of a ${isOfProduct ? 'product' : 'directory'} says exactly what the run then does`, async () => {
      const store = await openStore()
      const wanted = isOfProduct ? productMapping : directoryMapping
      await fc.assert(
        fc.asyncProperty(history, wanted, async (rounds, document) => {
          const directory = await onlyDirectory(store)
          for (const one of rounds.flatMap(({ together }) => together)) await apply(store, directory, one)
          await rollOut(store, directory)
          await finishRun(store, directory, 3)
          await requirePreview(store, directory, isOfProduct, await withGroupIds(store, directory, document))
        }),
        { numRuns: cases(12, 4) },
      )
    })
  }
}

/** Asserts that a preview of a mapping says what its run then does. */
async function requirePreview(store: Store, directory: Directory, isOfProduct: boolean, mapping: MappingDocument) {
  const { users, first } = await previewed(store, directory, isOfProduct, mapping)
  const before = await storedMapped(store, directory)
  const { mapping: inEffect } = await current(store, directory)
  await putMapping(store, isOfProduct ? { product: directory.product } : { directoryId: directory.id }, mapping)
  await rollOut(store, directory)
  await finishRun(store, directory, 3)
  await requireMapped(store, directory)
  const after = await storedMapped(store, directory)
  const none = { roles: [], attributes: {} }
  const expected = Object.keys(after).flatMap((id) => {
    const change = { before: before[id] ?? none, after: after[id] ?? none }
    return isDeepStrictEqual(change.before, change.after) ? [] : [[id, change] as const]
  })
  assert.deepEqual(users, new Map(expected))
  const isConcerned = !isOfProduct || inEffect?.source !== 'directory' || inEffect.extended !== undefined
  const evaluated = isConcerned ? Object.keys(after).length : 0
  assert.deepEqual([first?.evaluated, first?.changed], [evaluated, expected.length])
  const run = await store.getMappingRun(directory.id)
  if (isConcerned) assert.deepEqual([run?.evaluated, run?.changed], [evaluated, expected.length])
}

/** All pages of a preview. */
async function previewed(store: Store, directory: Directory, isOfProduct: boolean, mapping: MappingDocument) {
  const directories = { get: () => current(store, directory) }
  const { preview } = createPreviews({ store, directories, slices: createTimeSlices() })
  const place = isOfProduct ? { product: directory.product } : { id: directory.id }
  const users = new Map<string, unknown>()
  let [pageToken, first]: [string | undefined, PreviewView | undefined] = [undefined, undefined]
  do {
    const page = await preview(place, { mapping }, { pageLimit: 2, pageToken })
    first ??= page.preview
    for (const { id, before, after } of page.preview.users) users.set(id, { before, after })
    pageToken = page.pageToken
  } while (pageToken !== undefined)
  return { users, first }
}
