import { resourceOf } from '../../directory/resource.ts'
import type { IndexedUser, User } from '../../directory/user.ts'
import { indexedUser, userFrom } from '../../directory/user.ts'
import type { IdSet } from '../../google/sync/id-set.ts'
import { createIdSet } from '../../google/sync/id-set.ts'
import { fold } from '../../scim/fold.ts'
import { fromJsonText } from '../../scim/json-text.ts'
import type { ImportStep, Replacement } from './import-store.ts'
import type { Pass } from './pass.ts'
import { importRecords } from './pass.ts'
import { storedForm } from './resource.ts'
import type { SeenRecords } from './seen.ts'
import type { PolisUser } from './source.ts'
import type { ImportedUser } from './user.ts'
import { importedUser, withUserName } from './user.ts'

/** Imports the users of a directory; returns those of Polis. */
export function importUsers(pass: Pass): Promise<SeenRecords> {
  const names = createIdSet()
  return importRecords(pass, {
    record: 'user',
    list: (onUnreadable) => pass.source.users(pass.polis, onUnreadable),
    make: (user) => importedUser(user, pass.directoryType),
    decide: (user, made) => decideActive(pass, user, made),
    write: (users) =>
      importBatch(
        pass,
        users.map((user) => withOwnName(pass, user, names)),
      ),
  })
}

function decideActive({ decide }: Pass, { active }: PolisUser, { id, isActiveChanged }: ImportedUser): void {
  if (!isActiveChanged) return
  const text = `The user has active: ${active}, but what the identity provider sent says ${!active}: that is imported.`
  decide('record-adjusted', id, text)
}

/** Gives a user its id as userName if an older one has the name. */
function withOwnName({ decide }: Pass, user: ImportedUser, names: IdSet): ImportedUser {
  const name = nameOf(user)
  if (names.add(fold(name))) return user
  names.add(fold(user.id))
  const text = `The userName ${JSON.stringify(name)} belongs to an older user of the directory: this one is imported with its id as userName.`
  decide('user-name-taken', user.id, text)
  return withUserName(user, user.id)
}

function nameOf({ made }: ImportedUser): string {
  return made.userName
}

async function importBatch(pass: Pass, users: readonly ImportedUser[]): Promise<void> {
  const stored = await storedUsers(
    pass,
    users.map(({ id }) => id),
  )
  const parked = await parkHolders(pass, users, stored)
  const created: IndexedUser[] = []
  const replaced: Replacement<IndexedUser>[] = []
  for (const user of users) {
    const before = stored.get(user.id)
    const after = storedForm(user, before, pass.at)
    if (before === undefined) created.push(after)
    else {
      const fields = differingUserFields(after, before)
      if (fields.length > 0) replaced.push({ before: indexedUser(before), after })
      if (fields.length > 0) pass.differ({ record: 'user', ...idsOf(pass, after), what: fields })
    }
  }
  for (const user of created) pass.differ({ record: 'user', ...idsOf(pass, user), what: 'missing' })
  pass.users.created += created.length
  pass.users.updated += replaced.length
  pass.users.unchanged += users.length - created.length - replaced.length
  const steps: ImportStep[] = [
    ...(parked.length > 0 ? [{ kind: 'replace-users', users: parked } as const] : []),
    ...(replaced.length > 0 ? [{ kind: 'replace-users', users: replaced } as const] : []),
    ...(created.length > 0 ? [{ kind: 'create-users', users: created } as const] : []),
  ]
  if (steps.length > 0) await pass.write?.(steps)
}

function idsOf({ directory }: Pass, { id }: { readonly id: string }) {
  return { directoryId: directory.id, id }
}

async function storedUsers({ store, directory, holdsSomething }: Pass, ids: readonly string[]) {
  if (!holdsSomething || ids.length === 0) return new Map<string, User>()
  return store.getUsers(directory.id, ids)
}

const comparedFields = [
  ...(['userName', 'externalId', 'displayName', 'email', 'firstName', 'lastName', 'active', 'raw'] as const),
] satisfies (keyof User)[]

/** The fields that differ. The PostgreSQL store leaves out NUL characters of names. */
function differingUserFields(after: User, before: User): string[] {
  const comparable = (value: unknown) => (typeof value === 'string' ? value.replaceAll('\0', '') : value)
  return comparedFields.filter((field) => comparable(after[field]) !== comparable(before[field]))
}

/**
 * Frees names that users here have and users of the batch get: the holders are called by their ids until their own turn
 * comes, or until they are deleted.
 *
 * @param stored the stored users of the batch, whose parked versions replace them
 */
async function parkHolders(
  pass: Pass,
  users: readonly ImportedUser[],
  stored: Map<string, User>,
): Promise<Replacement<IndexedUser>[]> {
  const { store, directory, holdsSomething, write, at } = pass
  if (!holdsSomething || write === undefined) return []
  const parked = new Map<string, Replacement<IndexedUser>>()
  for (const user of users) {
    const name = nameOf(user)
    const present = stored.get(user.id)?.userName
    if (present !== undefined && fold(present) === fold(name)) continue
    const equality = [{ attribute: 'userName', value: name } as const]
    const [row] = await store.listUsers(directory.id, { where: equality, from: 0, limit: 1 })
    const holderId = row?.item.id
    if (holderId === undefined || holderId === user.id || parked.has(holderId)) continue
    const before = stored.get(holderId) ?? (await storedUsers(pass, [holderId])).get(holderId)
    if (before === undefined) continue
    const after = parkedUser(before, at)
    parked.set(holderId, { before: indexedUser(before), after })
    if (stored.has(holderId)) stored.set(holderId, after)
  }
  return [...parked.values()]
}

function parkedUser(user: User, updatedAt: number): IndexedUser {
  const { id, version, createdAt, raw } = user
  const resource = { ...resourceOf(fromJsonText(raw)), userName: id }
  return userFrom(resource, { id, version: version + 1, createdAt, updatedAt })
}
