import type { FakeProfile, FakeUser } from '../../../../tools/fake-google/model/items.ts'
import { domainOf, isActive } from '../../../../tools/fake-google/model/items.ts'
import type { WorkspaceModel } from '../../../../tools/fake-google/model/workspace-model.ts'
import { departments, titles } from '../../../../tools/simulate/people/names.ts'
import type { Random } from '../random.ts'
import type { ChangeKind } from './change-kind.ts'
import { newName } from './new-names.ts'

/** Changes of the profile and the state of users. */
export const userChanges: readonly ChangeKind[] = [
  {
    name: 'create user',
    weight: 14,
    make: (model, random) => shown(addNewUser(model, random)),
  },
  {
    name: 'change profile',
    weight: 6,
    make: (model, random) => changed(random.pick(model.users()), ({ id }) => model.changeUser(id, newProfile(random))),
  },
  {
    name: 'set manager',
    weight: 3,
    make: setManager,
  },
  {
    name: 'suspend user',
    weight: 4,
    make: (model, random) => changed(pickUser(model, random, isActive), ({ id }) => model.suspendUser(id)),
  },
  {
    name: 'archive user',
    weight: 2,
    make: (model, random) =>
      changed(
        pickUser(model, random, ({ archived }) => !archived),
        ({ id }) => model.archiveUser(id),
      ),
  },
  {
    name: 'restore user',
    weight: 4,
    make: (model, random) =>
      changed(
        pickUser(model, random, (user) => !isActive(user)),
        ({ id }) => model.restoreUser(id),
      ),
  },
  {
    name: 'delete user',
    weight: 4,
    make: (model, random) => changed(random.pick(model.users()), ({ id }) => model.deleteUser(id)),
  },
  { name: 'hire again', weight: 3, make: hireAgain },
]

/** A user in one line. */
export function shown({ primaryEmail, id }: FakeUser): string {
  return `${primaryEmail} (${id})`
}

/** Changes a random user and describes it; undefined if there is none. */
export function changed(user: FakeUser | undefined, change: (user: FakeUser) => unknown): string | undefined {
  if (user === undefined) return undefined
  change(user)
  return shown(user)
}

export function pickUser(model: WorkspaceModel, random: Random, isFit: (user: FakeUser) => boolean) {
  return random.pick(model.users().filter(isFit))
}

/** Adds a user, by default with a new address. */
export function addNewUser(model: WorkspaceModel, random: Random, givenAddress?: string): FakeUser {
  const { givenName, familyName, address } = newName(model, random)
  return model.addUser({
    primaryEmail: givenAddress ?? address,
    givenName: random.happens(0.05) ? '' : givenName,
    familyName,
    hasLoggedIn: random.happens(0.8),
    suspended: random.happens(0.1),
    ...newProfile(random),
  })
}

/** Adds a user with the unused address of a deleted one. */
function hireAgain(model: WorkspaceModel, random: Random): string | undefined {
  const free = model.deletedUsers().filter(({ primaryEmail }) => model.ownerOf(primaryEmail) === undefined)
  const former = random.pick(free)
  return former && `${shown(former)} is now ${shown(addNewUser(model, random, former.primaryEmail))}`
}

function newProfile(random: Random): Partial<FakeProfile> {
  const [title = '', department = ''] = [random.pick(titles), random.pick(departments)]
  const number = random.between(1000, 9999)
  return {
    isAdmin: random.happens(0.05),
    orgUnitPath: random.happens(0.3) ? '/' : `/${department}`,
    organizations: random.happens(0.2) ? [] : [{ title, department, primary: true, customType: '' }],
    externalIds: random.happens(0.5) ? [] : [{ value: `E-${number}`, type: 'organization' }],
    phones: random.happens(0.5) ? [] : [{ value: `+1 555 ${number}`, type: 'work' }],
    otherEmails: random.happens(0.7) ? [] : [{ address: `home-${number}@home.example`, type: 'home' }],
  }
}

function setManager(model: WorkspaceModel, random: Random): string | undefined {
  const user = random.pick(model.users())
  if (user === undefined) return undefined
  const value = managerAddress(model, random)
  model.changeUser(user.id, { relations: value === undefined ? [] : [{ value, type: 'manager' }] })
  return `${shown(user)} has ${value ?? 'none'}`
}

/** The address of a user, an unknown one, or none. */
function managerAddress(model: WorkspaceModel, random: Random): string | undefined {
  if (random.happens(0.2)) return undefined
  const address = random.pick(model.users())?.primaryEmail
  return random.happens(0.2) ? `unknown@${domainOf(address ?? 'example.com')}` : address
}
