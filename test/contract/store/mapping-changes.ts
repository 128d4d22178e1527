import fc from 'fast-check'
import type { Directory } from '../../../src/directory/directory.ts'
import type { Group } from '../../../src/directory/group.ts'
import type { IndexedUser } from '../../../src/directory/user.ts'
import type { MappingDocument } from '../../../src/mapping/document.ts'
import type { Store } from '../../../src/store/store.ts'
import { allRoles, groupsOf, putMapping, stepRun, usersOf, writesNow } from './mapping-world.ts'
import { cause, changedGroup, changedUser, delta, replacedBy, someGroup, someUser } from './samples.ts'

/** Random mappings, and random changes of a directory with them. */

const groupNames = ['Sales', 'sales', 'Ops', 'Law'] as const
const departments = ['Finance', 'IT', 'Legal'] as const

const n = fc.nat(20)

/** `#3` stands for the id of one of the groups. */
const condition = fc.oneof(
  fc.constantFrom(...groupNames).map((group_name) => ({ group_name })),
  n.map((index) => ({ group: `#${index}` })),
  fc.constantFrom(...departments).map((name) => ({ filter: `title eq "${name}"` })),
  fc
    .tuple(fc.constantFrom(...groupNames), fc.constantFrom(...departments))
    .map(([group_name, name]) => ({ group_name, filter: `title eq "${name}"` })),
)
const rule = fc.tuple(fc.constantFrom(...allRoles), fc.boolean(), condition).map(([role, gives, when]) => {
  return gives ? { role, when } : { deny: role, when }
})

/** Rules of so many conditions that no more than five users are evaluated at once. They hold for nobody. */
export const longRules = Array.from({ length: 4 }, () => {
  const conditions = Array.from({ length: 495 }, () => 'title pr')
  return { role: 'viewer', when: { filter: `userName eq "" and (${conditions.join(' or ')})` } }
})

/** Some have an id, by which the mapping of a directory replaces rules of its product. */
const rules = fc
  .tuple(fc.array(fc.tuple(rule, fc.boolean()), { maxLength: 6 }), fc.integer({ min: 1, max: 6 }))
  .map(([some, length]) => {
    const short = some.map(([one, isNamed], index) => (isNamed ? { id: `rule-${index}`, ...one } : one))
    return length === 6 ? [...short, ...longRules] : short
  })
const attributes = fc.constantFrom(
  {},
  { department: { from: ['title'] } },
  { name: { from: ['nickName', 'userName'] }, department: { from: ['userName'] } },
)
export const productMapping = fc.record({
  attributes,
  roles: fc.record(
    { mode: fc.constantFrom('all', 'first'), default: fc.constantFrom([], ['member']), rules },
    { requiredKeys: ['rules'] },
  ),
}) as fc.Arbitrary<MappingDocument>

/** Half of them extend that of the product. */
export const directoryMapping = fc
  .tuple(productMapping, fc.boolean())
  .map(([own, isExtending]): MappingDocument => (isExtending ? { extends: 'product', ...own } : own))

/** A change of a directory; the numbers choose among what is there. */
export type Change =
  | {
      readonly kind: 'create-user' | 'patch-user'
      readonly n: number
      readonly title: string
      readonly active: boolean
    }
  | { readonly kind: 'add-users'; readonly count: number }
  | { readonly kind: 'delete-user' | 'delete-group' | 'everybody' | 'step'; readonly n: number }
  | { readonly kind: 'create-group' | 'rename-group'; readonly n: number; readonly name: string }
  | { readonly kind: 'nest'; readonly n: number; readonly inner: number; readonly isRemoved: boolean }
  | {
      readonly kind: 'members' | 'put-group'
      readonly n: number
      readonly name: string
      readonly add: number[]
      readonly remove: number[]
      readonly all: boolean
    }
  | { readonly kind: 'mapping' | 'product-mapping'; readonly mapping: MappingDocument | undefined }
  | { readonly kind: 'roll-out' }

export const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('create-user' as const, 'patch-user' as const),
    ...{ n, title: fc.constantFrom(...departments), active: fc.boolean() },
  }),
  fc.record({ kind: fc.constant('add-users' as const), count: fc.integer({ min: 1, max: 8 }) }),
  fc.record({
    kind: fc.constantFrom('delete-user' as const, 'delete-group' as const, 'everybody' as const, 'step' as const),
    n,
  }),
  fc.record({
    kind: fc.constantFrom('create-group' as const, 'rename-group' as const),
    n,
    name: fc.constantFrom(...groupNames),
  }),
  fc.record({ kind: fc.constant('nest' as const), n, inner: n, isRemoved: fc.boolean() }),
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('members' as const, 'put-group' as const),
      n,
      name: fc.constantFrom(...groupNames),
      add: fc.array(n, { maxLength: 4 }),
      remove: fc.array(n, { maxLength: 3 }),
      all: fc.boolean(),
    }),
  },
  fc.record({ kind: fc.constant('mapping' as const), mapping: fc.option(directoryMapping, { nil: undefined }) }),
  fc.record({ kind: fc.constant('product-mapping' as const), mapping: fc.option(productMapping, { nil: undefined }) }),
  fc.record({ kind: fc.constant('roll-out' as const) }),
)

/** Changes that are made at once, and whether the run that is under way afterwards is finished. */
export interface Round {
  readonly together: readonly Change[]
  readonly isFinished: boolean
}

const round: fc.Arbitrary<Round> = fc.record({
  together: fc.array(change, { minLength: 1, maxLength: 3 }),
  isFinished: fc.boolean(),
})

/** A history that begins with a mapping, some users and a group of all of them. */
export const history: fc.Arbitrary<readonly Round[]> = fc
  .tuple(directoryMapping, fc.nat(10), fc.array(round, { maxLength: 14 }))
  .map(([mapping, count, rounds]) => [
    { together: [{ kind: 'mapping', mapping }], isFinished: true },
    { together: [{ kind: 'add-users', count }], isFinished: true },
    { together: [{ kind: 'create-group', n: 0, name: 'Sales' }], isFinished: true },
    { together: [{ kind: 'everybody', n: 0 }], isFinished: true },
    ...rounds,
  ])

function pick<T>(from: readonly T[], index: number): T | undefined {
  return from[index % Math.max(1, from.length)]
}

let made = 0

/** A number that no other call returns. */
export function nextNumber(): number {
  made += 1
  return made
}

/** The mapping with the ids of groups in place of `#3` and the like. */
export async function withGroupIds(
  store: Store,
  directory: Directory,
  mapping: MappingDocument,
): Promise<MappingDocument> {
  const groups = (await groupsOf(store, directory)).toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const rules = (mapping.roles?.rules ?? []).map((one) => {
    const { group } = one.when
    const found = group === undefined ? undefined : pick(groups, Number(group.slice(1)))
    return group === undefined ? one : { ...one, when: { ...one.when, group: found?.id ?? group } }
  })
  return { ...mapping, ...(mapping.roles && { roles: { ...mapping.roles, rules } }) }
}

/** Makes a change, unless what it needs does not exist. Stores may refuse it when others are made at once. */
export async function apply(store: Store, directory: Directory, one: Change): Promise<void> {
  switch (one.kind) {
    case 'step':
      await stepRun(store, directory)
      return
    case 'mapping':
      await putMapping(
        store,
        { directoryId: directory.id },
        one.mapping && (await withGroupIds(store, directory, one.mapping)),
      )
      return
    case 'product-mapping':
      await putMapping(
        store,
        { product: directory.product },
        one.mapping && (await withGroupIds(store, directory, one.mapping)),
      )
      return
    case 'roll-out':
      await store.inheritMapping(directory.id, cause.at)
      return
    default:
      await applyToResources(store, directory, one)
  }
}

type ResourceChange = Exclude<Change, { readonly kind: 'step' | 'mapping' | 'product-mapping' | 'roll-out' }>

async function applyToResources(store: Store, directory: Directory, one: ResourceChange): Promise<void> {
  const [users, groups] = [[...(await usersOf(store, directory)).values()], await groupsOf(store, directory)]
  const number = nextNumber()
  const writes = await writesNow(store, directory, `request-${number}`)
  switch (one.kind) {
    case 'create-user':
      await writes.createUser(someUser({ userName: `user-${number}`, title: one.title, active: one.active }))
      return
    case 'add-users': {
      const names = Array.from({ length: one.count }, (_, index) => `user-${number}-${index}`)
      await Promise.all(names.map((userName) => writes.createUser(someUser({ userName, title: 'IT' }))))
      return
    }
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
    default: {
      const group = pick(groups, one.n)
      if (group) await applyToGroup(writes, { users, groups }, group, one)
    }
  }
}

type GroupChange = Exclude<
  ResourceChange,
  { readonly kind: 'create-user' | 'add-users' | 'patch-user' | 'delete-user' | 'create-group' }
>

async function applyToGroup(
  writes: Awaited<ReturnType<typeof writesNow>>,
  { users, groups }: { readonly users: readonly IndexedUser[]; readonly groups: readonly Group[] },
  group: Group,
  one: GroupChange,
): Promise<void> {
  switch (one.kind) {
    case 'rename-group':
      await writes.replaceGroup(group, changedGroup(group, { displayName: one.name }))
      return
    case 'delete-group':
      await writes.deleteGroup(group)
      return
    case 'everybody':
      await writes.changeMembers(group, replacedBy(users))
      return
    case 'nest': {
      const inner = pick(groups, one.inner)
      const nested = inner ? [inner] : []
      await writes.changeMembers(group, one.isRemoved ? delta([], nested) : delta(nested))
      return
    }
    case 'members':
    case 'put-group': {
      const chosen = (indices: readonly number[]) => indices.flatMap((index) => pick(users, index) ?? [])
      const members = one.all ? replacedBy(chosen(one.add)) : delta(chosen(one.add), chosen(one.remove))
      if (one.kind === 'members') await writes.changeMembers(group, members)
      else await writes.replaceGroup(group, changedGroup(group, { displayName: one.name }), members)
    }
  }
}
