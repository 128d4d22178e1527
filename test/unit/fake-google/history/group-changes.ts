import type { FakeGroup } from '../../../../tools/fake-google/model/items.ts'
import type { WorkspaceModel } from '../../../../tools/fake-google/model/workspace-model.ts'
import { departments } from '../../../../tools/simulate/people/names.ts'
import type { Random } from '../random.ts'
import type { ChangeKind } from './change-kind.ts'
import { anyDomain, freeAddress } from './new-names.ts'

/** Changes of groups. */
export const groupChanges: readonly ChangeKind[] = [
  { name: 'create group', weight: 6, make: (model, random) => shownGroup(addNewGroup(model, random)) },
  {
    name: 'rename group',
    weight: 3,
    make: (model, random) =>
      withGroup(model, random, ({ id }) => model.changeGroup(id, { name: newGroupName(model, random) })),
  },
  {
    name: 'describe group',
    weight: 2,
    make: (model, random) =>
      withGroup(model, random, ({ id }) =>
        model.changeGroup(id, { description: random.happens(0.3) ? '' : `Note ${random.between(1, 99)}` }),
      ),
  },
  {
    name: 'change group address',
    weight: 2,
    make: (model, random) =>
      withGroup(model, random, ({ id }) =>
        model.renameGroup(id, newGroupAddress(model, random), { dropOld: random.happens(0.5) }),
      ),
  },
  {
    name: 'delete group',
    weight: 2,
    make: (model, random) => withGroup(model, random, ({ id }) => model.deleteGroup(id)),
  },
  { name: 'recreate group', weight: 1, make: recreateGroup },
]

/** A group in one line. */
export function shownGroup({ email, id }: FakeGroup): string {
  return `${email} (${id})`
}

function withGroup(model: WorkspaceModel, random: Random, change: (group: FakeGroup) => unknown): string | undefined {
  const group = random.pick(model.groups())
  if (group === undefined) return undefined
  change(group)
  return shownGroup(group)
}

function addNewGroup(model: WorkspaceModel, random: Random): FakeGroup {
  return model.addGroup({
    email: newGroupAddress(model, random),
    name: newGroupName(model, random),
    adminCreated: random.happens(0.7),
  })
}

function newGroupAddress(model: WorkspaceModel, random: Random): string {
  const localPart = (random.pick(departments) ?? 'team').toLowerCase().replaceAll(/[^a-z]+/g, '-')
  return freeAddress(model, localPart, anyDomain(model, random))
}

/** Sometimes empty, sometimes that of another group. */
function newGroupName(model: WorkspaceModel, random: Random): string {
  if (random.happens(0.1)) return ''
  const taken = random.happens(0.2) ? random.pick(model.groups())?.name : undefined
  return taken ?? `${random.pick(departments)} ${random.between(1, 99)}`
}

/** Replaces a group by another one with the same address and name and no members. */
function recreateGroup(model: WorkspaceModel, random: Random): string | undefined {
  const group = random.pick(model.groups())
  if (group === undefined) return undefined
  model.deleteGroup(group.id)
  return `${shownGroup(group)} is now ${shownGroup(model.addGroup({ email: group.email, name: group.name }))}`
}
