import type { TimeSlices } from '../concurrency/time-slices.ts'
import type { Complete } from '../directory/abridged.ts'
import { abridge, isComplete } from '../directory/abridged.ts'
import type { DirectoryScope } from '../directory/directory.ts'
import { isOfProduct } from '../directory/directory.ts'
import type { DirectoryReads, ListedUser, MemberId, UserEquality } from '../directory/directory-store.ts'
import { scimPath } from '../directory/directory-view.ts'
import { DirectoryError } from '../directory/errors.ts'
import type { GroupReference } from '../directory/group.ts'
import { UserListingInput } from '../directory/inputs.ts'
import { completeUsers } from '../directory/listed-users.ts'
import type { ReferenceTexts } from '../directory/references.ts'
import { groupReferencesText, groupReferenceTexts } from '../directory/references.ts'
import type { StoredResource } from '../directory/resource.ts'
import type { SearchStore } from '../directory/search-store.ts'
import type { UserView } from '../directory/user.ts'
import { userViewText } from '../directory/user.ts'
import type { UserGroups } from '../directory/user-groups.ts'
import { allGroups } from '../directory/user-groups.ts'
import type { Static } from '../inputs/json-schema.ts'
import type { JsonObject } from '../scim/json.ts'
import type { JsonBody, JsonItems } from '../scim/json-list.ts'
import type { JsonText } from '../scim/json-text.ts'
import type { UserConditions } from './conditions.ts'
import { meets, readsResource, userConditionsOf } from './conditions.ts'
import type { RowSource } from './directory-walk.ts'
import { namedDirectory, walkDirectories } from './directory-walk.ts'
import type { UserBucket } from './id-walks.ts'
import { walkBucket, walkMembers, walkOfIds, walkTerms } from './id-walks.ts'
import type { Listing } from './page.ts'
import type { Paging } from './paging.ts'
import { parseListing, parseScope } from './paging.ts'
import { foundIn, ownerOfGroup, scopeOfOne } from './scope.ts'
import type { RowsOwner } from './shown-fields.ts'
import { ownerIn, shownFieldsText } from './shown-fields.ts'
import type { WalkedList } from './walk.ts'
import { listWalk } from './walk.ts'

/** The requested directories and rows. */
interface RequestedPart {
  readonly scope: DirectoryScope
  readonly paging: Paging
}

/** The parts that the reads of the product's API use. */
export interface ReadsContext {
  readonly store: DirectoryReads & SearchStore
  /** The time slices of the process, in which long lists are made in parts. */
  readonly slices: TimeSlices
  readonly externalUrl: () => string
}

/** The reads of users. Each user's `raw` has its `groups` as over SCIM. */
export function createUserReads({ store, slices, externalUrl }: ReadsContext) {
  const scimUrlOf = (directoryId: string) => `${externalUrl()}${scimPath(directoryId)}`

  /** Listed users as JSON, in parts if something has to be read for them. */
  function jsonOf(owner: RowsOwner, users: readonly ListedUser[]): JsonItems {
    if (!users.every(isReady)) return readJson(owner, users)
    const [scimUrl, known] = [scimUrlOf(owner.directoryId), new Map()]
    return users.map((user) => userJson(user, user.groups, { owner, scimUrl, known }))
  }

  async function* readJson(owner: RowsOwner, users: readonly ListedUser[]) {
    const { directoryId } = owner
    const shown = { owner, scimUrl: scimUrlOf(directoryId), known: new Map() }
    for await (const part of completeUsers({ store, directoryId, slices }, users, true))
      yield part.map(({ user, groups }) => userJson(user, groups, shown))
  }

  /** The users that meet all equalities. */
  const usersThat = (where: readonly UserEquality[]): RowSource<ListedUser> => ({
    kind: 'user',
    list: (directoryId, from, limit, within) =>
      store.listUsers(directoryId, { where, from, limit, within, withGroups: true }),
    count: (directoryId) => store.countUsers(directoryId, where),
  })

  const usersSorted = (order: 'name' | 'name-descending' | 'changed'): RowSource<ListedUser> => ({
    kind: 'user',
    start: 0,
    list: (directoryId, from, limit, within) =>
      store.listUsers(directoryId, { order, from, limit, within, withGroups: true }),
  })

  const usersChanged = (since: number): RowSource<ListedUser> => ({
    kind: 'user',
    since,
    list: (directoryId, from, limit, within) => store.listUsers(directoryId, { order: 'updated', from, limit, within }),
  })

  /** Reads users a few at a time, as they can be large; a large one is read again when it is shown. */
  async function readByIds(directoryId: string, ids: readonly string[]): Promise<Map<string, ListedUser>> {
    const users = new Map<string, ListedUser>()
    for (let start = 0; start < ids.length; start += usersPerRead) {
      for (const [id, user] of await store.getUsers(directoryId, ids.slice(start, start + usersPerRead)))
        users.set(id, abridge(user))
    }
    return users
  }

  /** Chooses the users of a walk that meet all conditions. */
  const meeting =
    (conditions: UserConditions): Required<WalkedList<ListedUser>>['keep'] =>
    async (rows) => {
      const kept: (typeof rows)[number][] = []
      for (const row of rows) if (await isMet(conditions, row.owner.directoryId, row.item)) kept.push(row)
      return kept
    }

  async function isMet(conditions: UserConditions, directoryId: string, user: ListedUser): Promise<boolean> {
    if (isComplete(user)) return meets(conditions, user)
    if (!readsResource(conditions)) return meets(conditions, { ...user, raw: noResource })
    await slices.next()
    const whole = await store.getUser(directoryId, user.id)
    return whole !== undefined && meets(conditions, whole)
  }

  /** The users of a scope that meet conditions. One index finds them; the conditions that it does not answer are checked. */
  function listFound({ scope, paging }: RequestedPart, conditions: UserConditions): Promise<Listing> {
    const { search, updatedSince } = conditions
    const keep = meeting(conditions)
    const where = equalitiesOf(conditions)
    const byTerm = (text: string, isWhole: boolean) => {
      const terms = walkTerms(store, scope, { kind: 'user', text, isWhole })
      return listWalk(walkOfIds(terms, itself, readByIds), { jsonOf, keep }, paging)
    }
    if (where.some(isSelective)) {
      if (isOfProduct(scope)) return byTerm(termOf(conditions), true)
    } else if (search !== undefined) return byTerm(search, false)
    else if (updatedSince !== undefined)
      return listWalk(walkDirectories(store, scope, usersChanged(updatedSince)), { jsonOf, keep }, paging)
    const isAnswered = search === undefined && updatedSince === undefined
    const walk = walkDirectories(store, scope, usersThat(where))
    return listWalk(walk, { jsonOf, keep: isAnswered ? undefined : keep }, paging)
  }

  /** The users in a group that meet conditions. */
  async function listOfGroup({ scope, paging }: RequestedPart, group: string, conditions: UserConditions) {
    const owner = await ownerOfGroup(store, scope, group)
    const keep = meeting(conditions)
    const where = equalitiesOf(conditions)
    if (!where.some(isSelective)) {
      const users = walkOfIds(walkMembers(store, owner, group), userIdOf, readByIds)
      return listWalk(users, { jsonOf, keep }, paging)
    }
    const inGroup = usersThat([...where, { attribute: 'groups', value: group }])
    const walk = walkDirectories(store, { directoryId: owner.directoryId }, inGroup)
    return listWalk(walk, { jsonOf: (_, users) => jsonOf(owner, users), keep }, paging)
  }

  /** The users of a directory in an order, all or those who are active or not. */
  function listSorted({ scope, paging }: RequestedPart, source: RowSource<ListedUser>, conditions: UserConditions) {
    const keep = conditions.active === undefined ? undefined : meeting(conditions)
    return listWalk(walkDirectories(store, scope, source), { jsonOf, keep }, paging)
  }

  /** The users who have a role. @throws DirectoryError `invalid-input`: they are looked up by role alone */
  function listOfRole({ scope, paging }: RequestedPart, value: string, conditions: UserConditions): Promise<Listing> {
    if (Object.values(conditions).some((condition) => condition !== undefined)) {
      throw new DirectoryError('invalid-input', 'role: leave out the other filters.')
    }
    return listWalk(walkDirectories(store, scope, usersThat([{ attribute: 'role', value }])), { jsonOf }, paging)
  }

  /** The users of a directory who are in a bucket. */
  async function listOfBucket({ scope, paging }: RequestedPart, bucket: UserBucket): Promise<Listing> {
    const { id, tenant } = await namedDirectory(store, scope)
    const ids = walkBucket({ store, slices }, ownerIn(scope, id, tenant), bucket)
    return listWalk(walkOfIds(ids, itself, readByIds), { jsonOf }, paging)
  }

  return {
    /** @throws DirectoryError `invalid-input`, `directory-not-found`; `resource-not-found` for the group of the query */
    async users(query: unknown): Promise<Listing> {
      const { fields, ...part } = parseListing(UserListingInput, query)
      const { role, sort = 'created', total } = fields
      const conditions = userConditionsOf(fields)
      const { group } = conditions
      if (fields.bucket !== undefined || fields.buckets !== undefined) return listOfBucket(part, bucketIn(fields))
      const { directoryId } = part.scope
      const isCounted = directoryId !== undefined && !isNarrow(conditions)
      if (sort !== 'created' && (!isCounted || role !== undefined))
        throw new DirectoryError('invalid-input', 'sort: send directoryId, and no other filter than active.')
      const list = () => {
        if (role !== undefined) return listOfRole(part, role, conditions)
        if (sort !== 'created') return listSorted(part, usersSorted(sort), conditions)
        return group === undefined ? listFound(part, conditions) : listOfGroup(part, group, conditions)
      }
      const listing = await list()
      // Without pages, the directory is not looked up in its scope before its users are read.
      if (total !== 'true' || !isCounted || part.paging === undefined) return listing
      const where = role === undefined ? equalitiesOf(conditions) : [{ attribute: 'role', value: role } as const]
      return { ...listing, total: await store.countUsers(directoryId, where) }
    },
    /**
     * A user as JSON, in pieces when it is in many groups.
     *
     * @throws DirectoryError `invalid-input`, `directory-not-found`, `resource-not-found`
     */
    async user(id: string, query: unknown): Promise<JsonBody> {
      const { scope, tenant } = await scopeOfOne(store, parseScope(query), 'user', id)
      const { directory, found } = await foundIn(store, scope, await store.findUserInScope(scope, id))
      const { id: directoryId } = directory
      const shown = { owner: { directoryId, tenant }, scimUrl: scimUrlOf(directoryId) }
      return userJson(found, allGroups(store, directoryId, id, found.groups), shown)
    },
  }
}

/** Whether there is another condition than on `active`: then no index counts the users, nor sorts them. */
function isNarrow({ active: _, ...others }: UserConditions): boolean {
  return Object.values(others).some((condition) => condition !== undefined)
}

/** The number of users that are read together. */
const usersPerRead = 20

/** Stands for the resource where only the columns beside it are compared. */
const noResource = '{}' as JsonText<JsonObject>

/** Returns whether a listed user can be shown without a further read. */
function isReady(user: ListedUser): user is Complete<ListedUser> & { readonly groups: readonly GroupReference[] } {
  return isComplete(user) && user.groups !== undefined
}

/** How users are shown. */
interface Shown {
  readonly owner: RowsOwner
  readonly scimUrl: string
  /** A cache of the text of each group. */
  readonly known?: ReferenceTexts
}

type ShownUser = UserView & Pick<StoredResource, 'createdAt' | 'updatedAt'>

/** A user with its groups, whose `$ref` is the SCIM address of the group; in pieces when there are many. */
function userJson(user: ShownUser, groups: UserGroups, shown: Shown): JsonBody {
  const { owner, scimUrl, known } = shown
  if (!('length' in groups)) return userPieces(user, groups, shown)
  const more = shownFieldsText(user, owner)
  if (groups.length === 0) return userViewText(user, more)
  const references = groupReferencesText(groups, scimUrl, known)
  const raw = `${user.raw.slice(0, -1)},"groups":${references}}` as JsonText<JsonObject>
  return userViewText({ ...user, raw }, more)
}

async function* userPieces(
  user: ShownUser,
  groups: AsyncIterable<readonly GroupReference[]>,
  { owner, scimUrl }: Shown,
): AsyncGenerator<string, void, undefined> {
  yield `${userViewText(user, shownFieldsText(user, owner)).slice(0, -2)},"groups":[`
  let separator = ''
  for await (const part of groups) {
    yield separator + groupReferenceTexts(part, scimUrl)
    separator = ','
  }
  yield ']}}'
}

/** Nearly all users are active. */
const isSelective = ({ attribute }: UserEquality): boolean => attribute !== 'active'
const itself = (id: string): string => id
const userIdOf = ({ memberType, id }: MemberId): string | undefined => (memberType === 'User' ? id : undefined)

/**
 * The term by which a user is found in all directories of a product.
 *
 * @throws DirectoryError `invalid-input` for an account: each tenant may have the same one
 */
function termOf({ userName, externalId, email }: UserConditions): string {
  const term = userName ?? externalId ?? email
  if (term !== undefined) return term
  const message = 'account_id: name a tenant or a directory as well.'
  throw new DirectoryError('invalid-input', message, [{ field: 'account_id', message }])
}

/** The parameters of a list that a bucket can have. */
const ofBuckets = ['bucket', 'buckets', 'tenant', 'product', 'directoryId', 'pageLimit', 'pageOffset', 'pageToken']

/** @throws DirectoryError `invalid-input` for a bucket without its directory, or with filters */
function bucketIn(fields: Static<typeof UserListingInput>): UserBucket {
  const { bucket, buckets = 0, directoryId } = fields
  const isAlone = Object.entries(fields).every(([name, value]) => value === undefined || ofBuckets.includes(name))
  if (directoryId !== undefined && bucket !== undefined && bucket < buckets && isAlone) return { bucket, buckets }
  const message = 'bucket: send it with directoryId and a greater number of buckets, and without filters.'
  throw new DirectoryError('invalid-input', message, [{ field: 'bucket', message }])
}

function equalitiesOf({ userName, externalId, accountId, email, active }: UserConditions): UserEquality[] {
  const texts = Object.entries({ userName, externalId, accountId, email }) as [
    'userName' | 'externalId' | 'accountId' | 'email',
    string | undefined,
  ][]
  const equalities: UserEquality[] = texts.flatMap(([attribute, value]) =>
    value === undefined ? [] : [{ attribute, value }],
  )
  return active === undefined ? equalities : [...equalities, { attribute: 'active', value: active }]
}
