import type { NewFakeGroup } from '../../../tools/fake-google/model/changes.ts'
import type { WorkspaceModel } from '../../../tools/fake-google/model/workspace-model.ts'
import type { addAwkwardUsers } from './awkward-users.ts'

type UserIds = ReturnType<typeof addAwkwardUsers>

/** Adds the groups of the edge cases; returns their ids by case. */
export function addAwkwardGroups(model: WorkspaceModel, domain: string, secondDomain: string, users: UserIds) {
  const add = (localPart: string, userIds: readonly string[] = [], group: Partial<NewFakeGroup> = {}) =>
    addGroup(model, { email: `${localPart}@${domain}`, name: localPart, ...group }, userIds)
  return {
    empty: add('empty'),
    noName: add('no-name', [users.plain], { name: '' }),
    sameName: [add('sales-1', [users.plain], { name: 'Sales' }), add('sales-2', [users.renamed], { name: 'Sales' })],
    ownedByUsers: add('made-by-users', [users.plain, users.renamed], { adminCreated: false }),
    nonAscii: add('gruppe', [users.nonAscii], { name: 'Größe 健 🚀', description: 'Zeile 1\nZeile 2' }),
    renamed: model.renameGroup(add('before', [users.tagged]), `after@${domain}`).id,
    ofSecondDomain: addGroup(model, { email: `staff@${secondDomain}`, name: 'Staff' }, [users.ofSecondDomain]),
    ofBothDomains: add('both-domains', [users.plain, users.ofSecondDomain]),
    inactiveOnly: add('inactive', [users.suspended, users.archived, users.suspendedAndArchived]),
    roles: addWithRoles(model, add('roles'), users),
    ...addNested(model, add, users),
    ...addUnresolved(model, add, users),
  }
}

function addGroup(model: WorkspaceModel, group: NewFakeGroup, userIds: readonly string[]): string {
  const { id } = model.addGroup(group)
  for (const userId of userIds) model.addUserToGroup(id, userId)
  return id
}

function addWithRoles(model: WorkspaceModel, groupId: string, users: UserIds): string {
  model.addMember(groupId, { id: users.plain, type: 'USER', role: 'OWNER' })
  model.addMember(groupId, { id: users.administrator, type: 'USER', role: 'MANAGER' })
  model.addUserToGroup(groupId, users.renamed)
  return groupId
}

type Add = (localPart: string, userIds?: readonly string[]) => string

/** Groups nested deeply and in circles. */
function addNested(model: WorkspaceModel, add: Add, users: UserIds) {
  const inner = add('inner', [users.neverLoggedIn, users.suspended])
  const middle = nest(model, add('middle', [users.neverLoggedIn]), inner)
  const circle = [add('circle-1', [users.apostrophe]), add('circle-2', [users.aliases]), add('circle-3')]
  for (const [index, id] of circle.entries()) nest(model, id, circle[(index + 1) % circle.length] ?? id)
  const itself = add('itself', [users.fullProfile])
  return {
    inner,
    nested: middle,
    doublyNested: nest(model, add('outer', [users.plain]), middle),
    /** The same group on two paths. */
    diamond: nest(model, nest(model, add('diamond'), middle), inner),
    circle,
    inItself: nest(model, itself, itself),
  }
}

/** Members that are not listed users. */
function addUnresolved(model: WorkspaceModel, add: Add, users: UserIds) {
  const [customer, external, externalOnly] = [add('everyone', [users.suspended]), add('partners'), add('partners-only')]
  model.addCustomer(customer)
  model.addUserToGroup(external, users.plain)
  for (const id of [external, externalOnly]) addExternals(model, id)
  const [forbidden, notFound] = [add('forbidden', [users.plain]), add('not-found', [users.plain])]
  model.refuseGroup(forbidden, 'forbidden')
  model.refuseGroup(notFound, 'not-found')
  return {
    customer,
    customerNested: nest(model, add('all-and-nested'), customer),
    external,
    externalOnly,
    forbidden,
    notFound,
    nestsForbidden: nest(model, add('over-forbidden', [users.renamed]), forbidden),
    nestsNotFound: nest(model, add('over-not-found', [users.renamed]), notFound),
  }
}

function addExternals(model: WorkspaceModel, groupId: string): void {
  const user = { id: '117000000000000000009', type: 'USER', externalEmail: 'partner@other.example' } as const
  const group = { id: '09external0gr0up', type: 'GROUP', externalEmail: 'club@other.example' } as const
  model.addMember(groupId, user)
  model.addMember(groupId, group)
  model.refuseGroup(group.id, 'forbidden')
}

function nest(model: WorkspaceModel, groupId: string, nestedId: string): string {
  model.nestGroup(groupId, nestedId)
  return groupId
}
