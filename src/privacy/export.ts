import type { Audit } from '../admin/audit/audit.ts'
import type { Caller } from '../directory/audit.ts'
import type { Directory, DirectoryScope } from '../directory/directory.ts'
import type { DirectoryReads } from '../directory/directory-store.ts'
import { parseInput } from '../directory/inputs.ts'
import { aboutPerson } from './about.ts'
import { directoriesOf } from './erase.ts'
import type { Person } from './find.ts'
import { findPerson } from './find.ts'
import { PersonInput } from './inputs.ts'
import { noteRequests, placeRules } from './places.ts'
import type { PrivacyStore } from './privacy-store.ts'
import { personalPlaces } from './privacy-store.ts'
import { personalPages, visitPages } from './walk.ts'

export interface ExportParts {
  readonly store: PrivacyStore & Pick<DirectoryReads, 'getUser' | 'getUsers' | 'listUsers' | 'listGroupsOfUser'>
  readonly directories: {
    get(id: string): Promise<Directory>
    all(scope: DirectoryScope): AsyncIterable<Directory>
    leaving(scope: { readonly tenant: string; readonly product: string }): Promise<Directory[]>
  }
  readonly audit: Pick<Audit, 'append'>
  readonly clock: () => number
  /** Writes the records that this process has in memory. */
  readonly flush: () => Promise<unknown>
}

/**
 * Everything that is held about a person, as JSON in pieces. The person is found, and the export is audited, before the first one.
 *
 * @param signal aborts when nobody waits for it any more: nothing more is read then
 * @throws DirectoryError `invalid-input`, `directory-not-found`, `resource-not-found`, `ambiguous-subject`
 */
export async function exportPerson(
  parts: ExportParts,
  input: unknown,
  caller: Caller,
  signal?: AbortSignal,
): Promise<AsyncGenerator<string, void, undefined>> {
  const { tenant, product, subject } = parseInput(PersonInput, input)
  const store = endingStore(parts.store, signal)
  await parts.flush()
  const directories = await directoriesOf(parts, { tenant, product })
  const person = await findPerson(store, directories, subject)
  const at = parts.clock()
  const target = { kind: 'user', id: person.users[0]?.userId, tenant, product } as const
  await parts.audit.append({ action: 'person.exported', caller, target, at })
  const head = { subject, tenant, product, exported_at: new Date(at).toISOString(), users: usersOf(person) }
  return pieces(store, JSON.stringify(head), directories, person)
}

function usersOf({ users, present }: Person) {
  const ids = new Set(present.map(({ user }) => user.id))
  return users.map(({ directoryId, userId }) => ({
    id: userId,
    directory_id: directoryId,
    is_deleted: !ids.has(userId),
  }))
}

/** The store, whose reads of pages fail once nobody waits for them. */
function endingStore(store: ExportParts['store'], signal: AbortSignal | undefined): ExportParts['store'] {
  return {
    ...store,
    personalRows(...page) {
      signal?.throwIfAborted()
      return store.personalRows(...page)
    },
  }
}

async function* pieces(
  store: ExportParts['store'],
  head: string,
  directories: readonly Directory[],
  person: Person,
): AsyncGenerator<string, void, undefined> {
  yield `${head.slice(0, -1)},"records":[`
  let separator = ''
  for (const directory of directories) {
    for await (const record of recordsIn(store, directory, person)) {
      yield `${separator}${JSON.stringify({ directory_id: directory.id, ...record })}`
      separator = ','
    }
  }
  yield ']}'
}

/** The records about the person in a directory, place by place. */
async function* recordsIn(store: ExportParts['store'], { id }: Directory, person: Person): AsyncGenerator<object> {
  const about = aboutPerson(person)
  for await (const membership of membershipsIn(store, id, person)) yield membership
  await visitPages(store, 'request_batches', id, async (rows) => {
    for (const row of rows) noteRequests(row, about)
    return true
  })
  for (const place of personalPlaces) {
    for await (const rows of personalPages(store, place, id)) {
      for (const row of rows) {
        for (const shown of placeRules[place].show(row, about) ?? []) yield shown as object
      }
    }
  }
}

async function* membershipsIn(store: ExportParts['store'], directoryId: string, { users }: Person) {
  const limit = 100
  for (const { userId } of users.filter((user) => user.directoryId === directoryId)) {
    for (let after = ''; ; ) {
      const groups = await store.listGroupsOfUser(directoryId, userId, after, limit)
      for (const { id, name } of groups) yield { membership: { group_id: id, group_name: name } }
      const last = groups.at(-1)
      if (last === undefined || groups.length < limit) break
      after = last.id
    }
  }
}
