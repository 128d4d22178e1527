import { domainOf } from '../../../../tools/fake-google/model/items.ts'
import type { WorkspaceModel } from '../../../../tools/fake-google/model/workspace-model.ts'
import type { Random } from '../random.ts'
import type { ChangeKind } from './change-kind.ts'
import { freeAddress, newName } from './new-names.ts'
import { addNewUser, shown } from './user-changes.ts'

/** Changes of primary addresses of users. */
export const addressChanges: readonly ChangeKind[] = [
  { name: 'rename user', weight: 4, make: (model, random) => renameUser(model, random, false) },
  { name: 'rename user and free the name', weight: 2, make: (model, random) => renameUser(model, random, true) },
  { name: 'give a freed name to a new user', weight: 3, make: passOnName },
  { name: 'hand names on', weight: 2, make: handNamesOn },
  { name: 'swap names', weight: 3, make: swapNames },
  { name: 'move user to another domain', weight: 2, make: moveUser },
]

/** Also changes the name. */
function renameUser(model: WorkspaceModel, random: Random, dropOld: boolean): string | undefined {
  const user = random.pick(model.users())
  if (user === undefined) return undefined
  const { address, givenName, familyName } = newName(model, random)
  model.changeUser(user.id, { givenName, familyName })
  return `${shown(user)} is now ${shown(model.renameUser(user.id, address, { dropOld }))}`
}

/** A new user gets the address of an existing one. */
function passOnName(model: WorkspaceModel, random: Random): string | undefined {
  const user = random.pick(model.users())
  if (user === undefined) return undefined
  const former = model.renameUser(user.id, newName(model, random).address, { dropOld: true })
  return `${shown(former)} leaves it to ${shown(addNewUser(model, random, user.primaryEmail))}`
}

/** A user takes the address of the next, who gets a new one. */
function handNamesOn(model: WorkspaceModel, random: Random): string | undefined {
  const [first, next] = twoUsers(model, random)
  if (first === undefined || next === undefined) return undefined
  const renamed = model.renameUser(next.id, newName(model, random).address)
  model.renameUser(first.id, next.primaryEmail)
  return `${shown(first)} takes that of ${shown(next)}, who is now ${renamed.primaryEmail}`
}

function swapNames(model: WorkspaceModel, random: Random): string | undefined {
  const [one, other] = twoUsers(model, random)
  if (one === undefined || other === undefined) return undefined
  model.renameUser(one.id, freeAddress(model, 'in-between', domainOf(one.primaryEmail)), { dropOld: true })
  model.renameUser(other.id, one.primaryEmail, { dropOld: true })
  model.renameUser(one.id, other.primaryEmail, { dropOld: true })
  return `${shown(one)} and ${shown(other)}`
}

function moveUser(model: WorkspaceModel, random: Random): string | undefined {
  const user = random.pick(model.users())
  const domain = random.pick(model.domains().filter((each) => user && each !== domainOf(user.primaryEmail)))
  if (user === undefined || domain === undefined) return undefined
  const [localPart = ''] = user.primaryEmail.split('@')
  return `${shown(user)} is now ${shown(model.renameUser(user.id, freeAddress(model, localPart, domain)))}`
}

/** Two different users. */
function twoUsers(model: WorkspaceModel, random: Random) {
  const one = random.pick(model.users())
  return [one, random.pick(model.users().filter(({ id }) => id !== one?.id))]
}
