import type { FakeGroup, FakeMember } from '../../../../tools/fake-google/model/items.ts'
import type { WorkspaceModel } from '../../../../tools/fake-google/model/workspace-model.ts'
import type { Random } from '../random.ts'
import type { ChangeKind } from './change-kind.ts'
import { shownGroup } from './group-changes.ts'
import { isMember, nestingPairs } from './nesting.ts'
import { shown } from './user-changes.ts'

/** Changes of members of groups. */
export const memberChanges: readonly ChangeKind[] = [
  { name: 'add member', weight: 16, make: addUser },
  { name: 'remove member', weight: 7, make: (model, random) => removeAny(model, random, isUser) },
  { name: 'change role', weight: 2, make: changeRole },
  { name: 'nest group', weight: 4, make: (model, random) => nest(model, random, false) },
  { name: 'close a circle of groups', weight: 2, make: (model, random) => nest(model, random, true) },
  { name: 'take nested group out', weight: 3, make: (model, random) => removeAny(model, random, isGroup) },
  { name: 'add everyone', weight: 2, make: addEveryone },
  { name: 'remove everyone', weight: 1, make: (model, random) => removeAny(model, random, isEveryone) },
  { name: 'add member from elsewhere', weight: 3, make: addExternal },
  { name: 'remove member from elsewhere', weight: 1, make: (model, random) => removeAny(model, random, isExternal) },
]

type IsFit = (member: FakeMember) => boolean

const isExternal: IsFit = ({ externalEmail }) => externalEmail !== undefined
const isUser: IsFit = (member) => member.type === 'USER' && !isExternal(member)
const isGroup: IsFit = (member) => member.type === 'GROUP' && !isExternal(member)
const isEveryone: IsFit = ({ type }) => type === 'CUSTOMER'

function addUser(model: WorkspaceModel, random: Random): string | undefined {
  const group = random.pick(model.groups())
  if (group === undefined) return undefined
  const user = random.pick(model.users().filter(({ id }) => !isMember(model, group.id, id)))
  if (user === undefined) return undefined
  model.addUserToGroup(group.id, user.id)
  return `${shown(user)} in ${shownGroup(group)}`
}

function removeAny(model: WorkspaceModel, random: Random, isFit: IsFit): string | undefined {
  const found = pickMember(model, random, isFit)
  if (found === undefined) return undefined
  model.removeMember(found.group.id, found.member.id)
  return `${found.member.id} from ${shownGroup(found.group)}`
}

function changeRole(model: WorkspaceModel, random: Random): string | undefined {
  const found = pickMember(model, random, isUser)
  if (found === undefined) return undefined
  const role = found.member.role === 'OWNER' ? 'MEMBER' : 'OWNER'
  model.addMember(found.group.id, { ...found.member, role })
  return `${found.member.id} is ${role} of ${shownGroup(found.group)}`
}

function nest(model: WorkspaceModel, random: Random, closesCircle: boolean): string | undefined {
  const pair = random.pick(nestingPairs(model, closesCircle))
  if (pair === undefined) return undefined
  model.nestGroup(pair.outer.id, pair.inner.id)
  return `${shownGroup(pair.inner)} in ${shownGroup(pair.outer)}`
}

function addEveryone(model: WorkspaceModel, random: Random): string | undefined {
  const group = random.pick(model.groups().filter(({ id }) => !isMember(model, id, model.customerId)))
  if (group === undefined) return undefined
  model.addCustomer(group.id)
  return `to ${shownGroup(group)}`
}

/** A user or, less often, a group of another customer. */
function addExternal(model: WorkspaceModel, random: Random): string | undefined {
  const group = random.pick(model.groups())
  if (group === undefined) return undefined
  const number = random.between(1, 9)
  const type = random.happens(0.7) ? 'USER' : 'GROUP'
  const id = type === 'USER' ? `11700000000000000000${number}` : `09external0gr0up${number}`
  model.addMember(group.id, { id, type, externalEmail: `${type.toLowerCase()}-${number}@other.example` })
  return `${id} to ${shownGroup(group)}`
}

interface FoundMember {
  readonly group: FakeGroup
  readonly member: FakeMember
}

/** A matching member of any group; undefined if there is none. */
function pickMember(model: WorkspaceModel, random: Random, isFit: IsFit): FoundMember | undefined {
  const found = model.groups().flatMap((group) =>
    model
      .members(group.id)
      .filter(isFit)
      .map((member) => ({ group, member })),
  )
  return random.pick(found)
}
