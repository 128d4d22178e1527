import type { Directory } from '../directory/directory.ts'
import type { DirectoryReads } from '../directory/directory-store.ts'
import { DirectoryError } from '../directory/errors.ts'
import type { User } from '../directory/user.ts'
import { fold } from '../scim/fold.ts'
import type { Json, JsonObject } from '../scim/json.ts'
import { isObject } from '../scim/json.ts'
import { fromJsonText } from '../scim/json-text.ts'
import { createMentions } from './mentions.ts'
import type { PersonTexts } from './person.ts'
import { createPersonTexts, idInEvent, isMeant, resourcesInEvent } from './person.ts'
import type { ErasurePlan, PersonUser, PrivacyStore } from './privacy-store.ts'
import { personalPages } from './walk.ts'

type Store = PrivacyStore & Pick<DirectoryReads, 'getUser' | 'getUsers' | 'listUsers'>

/** A person in the directories of a tenant for a product. */
export interface Person extends Pick<ErasurePlan, 'users' | 'identifying' | 'others'> {
  /** The users who exist now, each with its directory. */
  readonly present: readonly { readonly directory: Directory; readonly user: User }[]
}

/**
 * Finds who is meant by a subject: users who exist, and users who were deleted, in all of these directories.
 *
 * @throws DirectoryError `resource-not-found`, `ambiguous-subject`
 */
export async function findPerson(store: Store, directories: readonly Directory[], subject: string): Promise<Person> {
  const present: { directory: Directory; user: User }[] = []
  const users: PersonUser[] = []
  for (const directory of directories) {
    const found = directory.deletedAt === undefined ? await presentUsers(store, directory.id, subject) : []
    if (found.length > 1) throw ambiguous(directory, found)
    present.push(...found.map((user) => ({ directory, user })))
    const ids = new Set([...found.map(({ id }) => id), ...(await formerUsers(store, directory.id, subject))])
    users.push(...[...ids].map((userId) => ({ directoryId: directory.id, userId })))
  }
  if (users.length === 0) throw notFound()
  return { present, users, ...(await textsOf(store, directories, present, users)) }
}

/** The person who is these users, as far as they are in these directories; also those of whom only events are kept. */
export async function findUsers(
  store: Store,
  directories: readonly Directory[],
  users: readonly PersonUser[],
): Promise<Person> {
  const present: { directory: Directory; user: User }[] = []
  const known: PersonUser[] = []
  for (const { directoryId, userId } of users) {
    const directory = directories.find(({ id }) => id === directoryId)
    if (directory === undefined) continue
    const user = directory.deletedAt === undefined ? await store.getUser(directoryId, userId) : undefined
    if (user !== undefined) present.push({ directory, user })
    const isKnown = user !== undefined || (await formerUsers(store, directoryId, userId)).has(userId)
    if (isKnown) known.push({ directoryId, userId })
  }
  return { present, users: known, ...(await textsOf(store, directories, present, known)) }
}

async function presentUsers(store: Store, directoryId: string, subject: string): Promise<User[]> {
  const byId = await store.getUser(directoryId, subject)
  if (byId !== undefined) return [byId]
  const part = { from: 0, limit: 2 }
  const attributes = ['userName', 'externalId', 'email'] as const
  const found = await Promise.all(
    attributes.map((attribute) => store.listUsers(directoryId, { ...part, where: [{ attribute, value: subject }] })),
  )
  const ids = new Set(found.flat().map(({ item: { id } }) => id))
  return [...(await store.getUsers(directoryId, [...ids])).values()]
}

/** The ids of users whose events name the subject, also if the user has another name now. */
async function formerUsers(store: Store, directoryId: string, subject: string): Promise<Set<string>> {
  const found = new Set<string>()
  const mentions = createMentions([subject])
  const mayMean = (data: string) => idInEvent(data) === subject || mentions.isIn(data)
  for await (const rows of personalPages(store, 'events', directoryId)) {
    for (const { values } of rows) {
      const data = String(values['data'])
      if (!String(values['event_type']).startsWith('user.') || !mayMean(data)) continue
      const id = idInEvent(data)
      if (id === subject || resourcesIn(data, null).some((resource) => isMeant(resource, subject))) found.add(id)
    }
  }
  return found
}

/** The texts that name the person, from all states of its users, without those that others share. */
async function textsOf(
  store: Store,
  directories: readonly Directory[],
  present: Person['present'],
  users: readonly PersonUser[],
): Promise<Pick<ErasurePlan, 'identifying' | 'others'>> {
  const texts = createPersonTexts()
  for (const { user } of present) texts.add(fromJsonText(user.raw))
  const ids = new Set(users.map(({ userId }) => userId))
  for (const { id } of directories) {
    const states: JsonObject[] = []
    for await (const rows of personalPages(store, 'events', id)) {
      for (const { values } of rows) {
        const data = String(values['data'])
        if (ids.has(idInEvent(data))) states.push(...resourcesIn(data, values['changes'] ?? null))
        // The newest states are added first; older ones are kept while they are few.
        if (states.length > maxStates) states.splice(0, states.length - maxStates)
      }
    }
    for (const state of states.reverse()) texts.add(state)
  }
  await excludeOthers(store, directories, ids, texts)
  if (await addRequested(store, directories, texts)) await excludeOthers(store, directories, ids, texts)
  // The id stays, also where the identity provider gave it.
  const isId = (text: string) => [...ids].some((id) => fold(id) === text)
  const withoutIds = (found: readonly string[]) => found.filter((text) => !isId(text))
  return { identifying: withoutIds(texts.identifying()), others: withoutIds(texts.others()) }
}

async function excludeOthers(
  store: Store,
  directories: readonly Directory[],
  ids: ReadonlySet<string>,
  texts: PersonTexts,
): Promise<void> {
  for (const { id } of directories) {
    for await (const rows of personalPages(store, 'users', id)) {
      for (const { values } of rows) {
        if (!ids.has(String(values['id']))) texts.exclude(objectIn(String(values['raw'])))
      }
    }
  }
}

/**
 * Adds the texts of kept bodies that have the person's address or external id under a userName that nobody has: the identity
 * provider has renamed the person, and the request was refused. False when there is none.
 */
async function addRequested(store: Store, directories: readonly Directory[], texts: PersonTexts): Promise<boolean> {
  const mentions = createMentions(texts.identifying())
  const resources: JsonObject[] = []
  const visited = new Set<string>()
  for (const { id } of directories) {
    for await (const rows of personalPages(store, 'request_bodies', id)) {
      for (const { values } of rows) {
        const body = String(values['body'])
        const resource = visited.size < maxRequested && mentions.isIn(body) ? objectIn(body) : {}
        const userName = texts.isNamedIn(resource) ? userNameIn(resource) : undefined
        if (userName === undefined || visited.has(fold(userName))) continue
        visited.add(fold(userName))
        if (!(await hasUser(store, directories, userName))) resources.push(resource)
      }
    }
  }
  for (const resource of resources) texts.add(resource)
  return resources.length > 0
}

/** The number of userNames that are looked up. */
const maxRequested = 100

/** The userName of a resource as it was sent: names of attributes may have any letter case. */
function userNameIn(resource: JsonObject): string | undefined {
  const found = Object.entries(resource).find(([name]) => name.toLowerCase() === 'username')?.[1]
  return typeof found === 'string' && found !== '' ? found : undefined
}

async function hasUser(store: Store, directories: readonly Directory[], userName: string): Promise<boolean> {
  const condition = [{ attribute: 'userName', value: userName }] as const
  const found = await Promise.all(
    directories.map(({ id }) => store.listUsers(id, { where: condition, from: 0, limit: 1 })),
  )
  return found.some(({ length }) => length > 0)
}

/** The states of a user from which texts are taken, of each directory. */
const maxStates = 5_000

function resourcesIn(data: string, changes: unknown): JsonObject[] {
  const resource = objectIn(data)
  if (resource['erased'] === true) return []
  return resourcesInEvent(resource, typeof changes === 'string' ? objectIn(changes) : undefined)
}

function objectIn(text: string): JsonObject {
  const value = JSON.parse(text) as Json
  return isObject(value) ? value : {}
}

function notFound(): DirectoryError {
  return new DirectoryError(
    'resource-not-found',
    'No user with this id, userName, externalId or e-mail address exists, or was deleted while events of it are kept.',
  )
}

function ambiguous(directory: Directory, users: readonly User[]): DirectoryError {
  const ids = users.map(({ id }) => id).join(', ')
  const message = `The subject means several users of the directory ${directory.id}: name one of them by its id (${ids}).`
  return new DirectoryError('ambiguous-subject', message)
}
