import type { Directory } from '../../../src/directory/directory.ts'
import type { UserEquality } from '../../../src/directory/directory-store.ts'
import { firstMembers } from '../../../src/directory/directory-store.ts'
import type { Group } from '../../../src/directory/group.ts'
import { searchedTypes } from '../../../src/directory/search-store.ts'
import type { IndexedUser } from '../../../src/directory/user.ts'
import type { PersonalPlace } from '../../../src/privacy/privacy-store.ts'
import { personalPlaces } from '../../../src/privacy/privacy-store.ts'
import type { Equality } from '../../../src/scim/filter/narrow.ts'
import { bucketSize } from '../../../src/store/reads/lists.ts'
import type { Store } from '../../../src/store/store.ts'
import {
  addGroup,
  addUsers,
  changedGroup,
  changedUser,
  committed,
  delta,
  someUser,
  writesTo,
} from '../store/samples.ts'
import { groupId, userId } from './fill.ts'

/** A call of the store whose cost does not depend on the size of the directory. */
export interface MeasuredCall {
  readonly name: string
  /** The maximum number of additional rows that it may read in a large directory. */
  readonly moreRows?: number
  /** Makes the data that the call needs; returns the call. */
  readonly prepare: () => Promise<() => Promise<unknown>>
}

const pageSize = 5
const several = 20

/** The membership and the member. */
const rowsPerMember = 2

type Calls = Readonly<Record<string, () => Promise<unknown>>>

/** What an export and an erasure read: two pages of each place, and the erasures. */
function personalReads(store: Store, { id, tenant, product }: Directory): Calls {
  const twoPages = async (place: PersonalPlace) => {
    const rows = await store.personalRows(place, id, undefined, pageSize)
    const after = rows.at(-1)?.key
    if (after !== undefined) await store.personalRows(place, id, after, pageSize)
  }
  return {
    ...Object.fromEntries(personalPlaces.map((place) => [`personalRows, ${place}`, () => twoPages(place)])),
    openErasures: () => store.openErasures(pageSize),
    listErasures: () => store.listErasures({ tenant, product }, undefined, pageSize),
    isSentByOthers: () => store.isSentByOthers(id, 'me'),
  }
}

/** The calls of the hot path, in a directory that `fillDirectory` has filled with this many users. */
export function hotPath(store: Store, directory: Directory, users: number): MeasuredCall[] {
  const scope = { tenant: directory.tenant, product: directory.product }
  const scoped = {
    findUserInScope: () => store.findUserInScope(scope, userId(users / 2)),
    findGroupInScope: () => store.findGroupInScope(scope, groupId),
    findGroupWithMembersInScope: () => store.findGroupWithMembersInScope(scope, groupId),
    'findUserInScope, of one directory': () => store.findUserInScope({ directoryId: directory.id }, userId(users / 2)),
  }
  const lists = { ...userReads(store, directory.id, users), ...groupReads(store, directory.id, users) }
  const reads = { ...scoped, ...lists, ...searches(store, directory, users) }
  const calls = { ...reads, ...deliveryReads(store, directory, users), ...personalReads(store, directory) }
  return [
    ...Object.entries(calls).map(([name, call]) => ({
      name,
      prepare: async () => call,
      // Within the bucket that contains the offset, rows are skipped one by one.
      ...(name.endsWith('by offset') ? { moreRows: bucketSize } : {}),
      ...(name.includes('WithMembers') ? { moreRows: rowsPerMember * firstMembers } : {}),
    })),
    ...userWrites(store, directory),
    ...memberWrites(store, directory),
    ...groupWrites(store, directory),
  ]
}

function searches(store: Store, { id: directoryId, tenant, product }: Directory, users: number): Calls {
  const part = { types: searchedTypes, limit: pageSize }
  const name = `name-${users / 2}`
  return {
    'search in a product': () => store.search({ product }, name, part),
    'search in a tenant': () => store.search({ tenant, product }, name, part),
    'search in everything, for what all have': () => store.search({}, 'n', part),
    'search in a directory, for what all have': () => store.search({ directoryId }, 'n', part),
    'search, a later page': async () =>
      store.search({}, 'n', { ...part, after: { term: name, product, type: 'user', place: '0' } }),
    'search by an externalId': () => store.search({}, `external-${users / 2}`, part),
    'search by an externalId in a directory': () => store.search({ directoryId }, `external-${users / 2}`, part),
    'search by an id': () => store.search({ product }, userId(users / 2), part),
    'findNamed in everything': () => store.findNamed({}, name, pageSize),
    'findNamed in a tenant': () => store.findNamed({ tenant }, `${name}@acme.example`, pageSize),
  }
}

function userReads(store: Store, id: string, users: number): Calls {
  const middle = users / 2
  const ids = [1, 2, 3].map((n) => userId(n * (middle / 5)))
  const first = { from: { sequence: 0, id: '' }, limit: pageSize }
  const middleName = { from: { name: `name-${middle}`, sequence: 0, id: '' }, limit: pageSize }
  const find = (attribute: Exclude<UserEquality['attribute'], 'active'>, value: string) =>
    store.listUsers(id, { where: [{ attribute, value }], from: 0, limit: pageSize })
  return {
    getUser: () => store.getUser(id, userId(middle)),
    'getUser, three at once': () => Promise.all(ids.map((user) => store.getUser(id, user))),
    getUsers: () => store.getUsers(id, ids),
    getUserWithGroups: () => store.getUserWithGroups(id, userId(middle)),
    countUsers: () => store.countUsers(id),
    'pageOfUsers, first page': () => store.pageOfUsers(id, first, true),
    'pageOfUsers, last page by offset': () => store.pageOfUsers(id, { from: users - pageSize, limit: pageSize }, true),
    'pageOfUsers, without groups': () => store.pageOfUsers(id, first, false),
    'listUsers, first page': () => store.listUsers(id, first),
    'listUsers, page after a position': () => store.listUsers(id, { ...first, from: { sequence: users, id: 'x' } }),
    'listUsers, last page by offset': () => store.listUsers(id, { from: users - pageSize, limit: pageSize }),
    'listUsers with groups, first page': () => store.listUsers(id, { ...first, withGroups: true }),
    'listUsers by name, first page': () => store.listUsers(id, { order: 'name', from: 0, limit: pageSize }),
    'listUsers by name, ascending': () => store.listUsers(id, { order: 'name', ...middleName }),
    'listUsers by name, descending': () => store.listUsers(id, { order: 'name-descending', ...middleName }),
    'listUsers by id': () => find('id', userId(middle)),
    'listUsers by userName': () => find('userName', `name-${middle}`),
    'listUsers by externalId': () => find('externalId', `external-${middle}`),
    'listUsers by email': () => find('emails', `name-${middle}@acme.example`),
    'listUsers by the email that the API shows': () => find('email', `name-${middle}@acme.example`),
    'listUsers by the userName of a user without an email': () => find('email', `name-${middle}`),
    'listUsers by active': () => store.listUsers(id, { where: [{ attribute: 'active', value: true }], ...first }),
    'countUsers by userName': () => store.countUsers(id, [{ attribute: 'userName', value: `name-${middle}` }]),
    'countUsers by email': () => store.countUsers(id, [{ attribute: 'emails', value: `name-${middle}@acme.example` }]),
    'countUsers by the email that the API shows': () =>
      store.countUsers(id, [{ attribute: 'email', value: `name-${middle}@acme.example` }]),
    groupsOfUsers: () => store.groupsOfUsers(id, ids),
    listGroupsOfUser: () => store.listGroupsOfUser(id, userId(middle), '', pageSize),
    'groupsOfUsers of one': () => store.groupsOfUsers(id, [userId(middle)]),
  }
}

function groupReads(store: Store, id: string, users: number): Calls {
  const first = { from: { sequence: 0, id: '' }, limit: pageSize }
  const find = (attribute: Exclude<Equality['attribute'], 'active'>, value: string) =>
    store.listGroups(id, { where: [{ attribute, value }], from: 0, limit: pageSize })
  return {
    getGroup: () => store.getGroup(id, groupId),
    getGroupWithMembers: () => store.getGroupWithMembers(id, groupId),
    getGroups: () => store.getGroups(id, [groupId, userId(1)]),
    countGroups: () => store.countGroups(id),
    countMembers: () => store.countMembers(id, [groupId, userId(1)]),
    'pageOfGroups, first page': () => store.pageOfGroups(id, first, false),
    'pageOfGroups, WithMembers': () => store.pageOfGroups(id, first, true),
    'listGroups, first page': () => store.listGroups(id, first),
    'listGroups, last page by offset': () => store.listGroups(id, { from: users - pageSize, limit: pageSize }),
    'listGroups by name, first page': () => store.listGroups(id, { order: 'name', from: 0, limit: pageSize }),
    'listGroups by displayName': () => find('displayName', 'Everyone'),
    'countGroups by displayName': () => store.countGroups(id, [{ attribute: 'displayName', value: 'Everyone' }]),
    'listGroups by externalId': () => find('externalId', `external-${users / 2}`),
    'listGroups by member': () => find('members', userId(users / 2)),
    'listMembers, first page': () => store.listMembers(id, groupId, first),
    'listMembers, page after a position': () =>
      store.listMembers(id, groupId, { ...first, from: { sequence: users, id: 'x' } }),
    'listMembers, last page by offset': () =>
      store.listMembers(id, groupId, { from: users - pageSize, limit: pageSize }),
    'listMemberIds, first page': () => store.listMemberIds(id, groupId, first),
    'listMemberIds, page after a position': () =>
      store.listMemberIds(id, groupId, { ...first, from: { sequence: users, id: 'x' } }),
    'listMemberIds, last page by offset': () =>
      store.listMemberIds(id, groupId, { from: users - pageSize, limit: pageSize }),
  }
}

function deliveryReads(store: Store, { id, tenant, product }: Directory, users: number): Calls {
  return {
    getDirectory: () => store.getDirectory(id),
    'listDirectories of a tenant': () => store.listDirectories({ tenant, product }, { limit: pageSize }),
    listDirectoriesInScope: () => store.listDirectoriesInScope({ tenant, product }, { limit: pageSize }),
    'listDirectories, one': () => store.listDirectories({ tenant, product, directoryId: id }, { limit: 1 }),
    eventsAfter: () => store.eventsAfter(id, users, pageSize),
    directoriesDue: () => store.directoriesDue('endpoint', 'process', 1, '', pageSize),
    streamStatus: () => store.streamStatus(id, 'endpoint'),
    feedDirectories: () => store.feedDirectories({ tenant, product }, pageSize),
    feedEvents: () => store.feedEvents(id, users, pageSize, 1_000_000),
    'eventsBefore, newest': () => store.eventsBefore(id, Number.MAX_SAFE_INTEGER, pageSize),
    eventsBefore: () => store.eventsBefore(id, users / 2, pageSize),
    'eventsBefore, of a type': () => store.eventsBefore(id, users / 2, pageSize, 'group.created'),
    'eventsBefore, of a type without events': () => store.eventsBefore(id, users / 2, pageSize, 'user.deleted'),
  }
}

let numbers = 0
const newNames = (count: number): string[] => Array.from({ length: count }, () => `new-${numbers++}`)
const all = async (outcomes: readonly Promise<object | string>[]): Promise<void> => {
  for (const outcome of await Promise.all(outcomes)) committed(outcome)
}

function userWrites(store: Store, directory: Directory): MeasuredCall[] {
  const writes = writesTo(store, directory)
  const withUsers = (name: string, write: (user: IndexedUser, n: number) => Promise<object | string>) =>
    [1, several].map((count) => ({
      name: `${name}, ${count} at once`,
      prepare: async () => {
        const users = await addUsers(store, directory, newNames(count))
        const [user] = users
        if (user !== undefined) await addGroup(store, directory, 'Some', [user])
        return () => all(users.map(write))
      },
    }))
  // The digests are like those that `fillDirectory` adds.
  const recognizable = (user: IndexedUser) => {
    const digests = () => ({ userName: `name-${user.userName}`, externalId: `external-${user.userName}` })
    return { ...user, recognition: { digests, since: 0 } }
  }
  const creations = [1, several].map((count) => ({
    name: `createUser, ${count} at once`,
    prepare: async () => () =>
      all(
        newNames(count).map((userName) =>
          writes.createUser(recognizable(someUser({ userName, emails: [{ value: userName }] }))),
        ),
      ),
  }))
  const returns = [1, several].map((count) => ({
    name: `createUser of users who were deleted, ${count} at once`,
    prepare: async () => {
      const users = await addUsers(store, directory, newNames(count))
      await all(users.map((user) => writes.deleteUser(recognizable(user))))
      return () => all(users.map(({ userName }) => writes.createUser(recognizable(someUser({ userName })))))
    },
  }))
  const renamed = (user: IndexedUser, n: number) =>
    changedUser(user, { userName: `renamed-${numbers++}`, emails: [{ value: `renamed-${n}@acme.example` }] })
  return [
    ...creations,
    ...returns,
    ...withUsers('replaceUser', (user, n) => writes.replaceUser(user, renamed(user, n))),
    ...withUsers('deleteUser', (user) => writes.deleteUser(recognizable(user))),
  ]
}

function memberWrites(store: Store, directory: Directory): MeasuredCall[] {
  const writes = writesTo(store, directory)
  const group = { id: groupId }
  return [1, several].flatMap((count) => [
    {
      name: `changeMembers adds ${count}`,
      prepare: async () => {
        const users = await addUsers(store, directory, newNames(count))
        return () => all([writes.changeMembers(group, delta(users))])
      },
    },
    {
      name: `changeMembers removes ${count}`,
      prepare: async () => {
        const users = await addUsers(store, directory, newNames(count))
        await writes.changeMembers(group, delta(users))
        return () => all([writes.changeMembers(group, delta([], users))])
      },
    },
  ])
}

function groupWrites(store: Store, directory: Directory): MeasuredCall[] {
  const writes = writesTo(store, directory)
  const unique = writesTo(store, { ...directory, uniqueGroupNames: true })
  const withGroup = (name: string, write: (group: Group) => Promise<object | string>): MeasuredCall => ({
    name,
    prepare: async () => {
      const users = await addUsers(store, directory, newNames(several))
      const { group } = await addGroup(store, directory, newNames(1).join(), users)
      const stored = await store.getGroup(directory.id, group.id)
      return () => all([write(stored ?? group)])
    },
  })
  return [
    {
      name: 'createGroup with members',
      prepare: async () => {
        const users = await addUsers(store, directory, newNames(several))
        return () => addGroup(store, directory, 'New', users)
      },
    },
    withGroup('replaceGroup', (group) => writes.replaceGroup(group, changedGroup(group, { displayName: 'Renamed' }))),
    withGroup('replaceGroup where names are unique', (group) =>
      unique.replaceGroup(group, changedGroup(group, { displayName: `Unique ${group.id}` })),
    ),
    withGroup('deleteGroup', (group) => writes.deleteGroup(group)),
  ]
}
