import type { Directory, DirectoryScope } from '../../directory/directory.ts'
import type { DirectoryListPart, DirectoryRecords } from '../../directory/directory-store.ts'
import { DirectoryError } from '../../directory/errors.ts'
import { authorizationStatus } from '../../directory/google-connection.ts'
import { ListingInput } from '../../directory/inputs.ts'
import { listStart } from '../../directory/list.ts'
import type { GoogleStore } from '../../google/google-store.ts'
import { Type } from '../../inputs/json-schema.ts'
import type { Listing } from '../../reads/listing.ts'
import { readRowToken, rowToken } from '../../reads/page-token.ts'
import type { Paging } from '../../reads/paging.ts'
import { parseListingFields } from '../../reads/paging.ts'
import { overdueUntil } from '../deprovisioning/deprovisionings.ts'
import type { Activity } from './activity.ts'
import type { HealthStore, StoredHealth } from './health-store.ts'
import type { HealthFacts, HealthState } from './state.ts'
import { healthStates } from './state.ts'
import type { HealthView } from './view.ts'
import { healthView } from './view.ts'

/** The number of directories that one read examines. */
const directoriesPerRead = 100
/**
 * The maximum number of directories that a page examines: a page that is filtered by state may have fewer rows than its
 * limit, even none.
 */
const maxExamined = 1_000

/** The directories to list, and the state to filter by. */
export const HealthListInput = Type.Object({
  ...ListingInput.properties,
  state: Type.Optional(Type.Enum(healthStates, { description: `state: one of ${healthStates.join(', ')}.` })),
})

export interface DirectoryHealthParts {
  readonly store: HealthStore & Pick<DirectoryRecords, 'listDirectories'> & Pick<GoogleStore, 'listSyncRuns'>
  readonly directories: { get(id: string): Promise<Directory> }
  readonly activity: Pick<Activity, 'flush'>
  /** Whether this process sends events to an `onEvent` callback. */
  readonly hasOnEvent: boolean
  /** See `overdueUntil`. */
  readonly deprovisionTargetMs: number
  /** Unix milliseconds. */
  readonly clock: () => number
}

/** The health of a directory in a list, with the fields that name the directory. */
export type ListedHealth = ReturnType<typeof listedView>

/** The health of directories, as the API shows it. Queries use the API's field names and are validated here. */
export interface DirectoryHealth {
  /** @throws DirectoryError `directory-not-found` */
  get(id: string): Promise<HealthView>
  /**
   * The health of the directories of a scope, in creation order: a page, or a stream of all of them.
   *
   * @throws DirectoryError `invalid-input`
   */
  list(query: unknown): Promise<Listing>
}

export function createDirectoryHealth(parts: DirectoryHealthParts): DirectoryHealth {
  const { directories, activity } = parts
  return {
    async get(id) {
      const directory = await directories.get(id)
      await activity.flush()
      const [health] = await healthOf(parts, [directory])
      if (health === undefined) throw new DirectoryError('directory-not-found', 'There is no such directory.')
      return healthView(health.facts)
    },
    async list(query) {
      const { fields, paging } = parseListingFields(HealthListInput, query)
      const { tenant, product, directoryId, state } = fields
      const scope = { tenant, product, directoryId }
      await activity.flush()
      return paging === undefined ? { rows: readAll(parts, scope, state) } : readPage(parts, scope, state, paging)
    },
  }
}

async function* readAll(parts: DirectoryHealthParts, scope: DirectoryScope, state: HealthState | undefined) {
  let after: Directory | undefined
  do {
    const read = await readPart(parts, scope, { after, limit: directoriesPerRead })
    yield read.views.filter((view) => isIn(view, state)).map((view) => JSON.stringify(view))
    after = read.last
  } while (after !== undefined)
}

/** @throws DirectoryError `invalid-input` for an offset with a state, which would examine every directory before it */
async function readPage(
  parts: DirectoryHealthParts,
  scope: DirectoryScope,
  state: HealthState | undefined,
  paging: Exclude<Paging, undefined>,
): Promise<Listing> {
  const { limit } = paging
  const offset = 'offset' in paging ? paging.offset : 0
  if (offset > 0 && state !== undefined) throw offsetWithState()
  let after = 'token' in paging ? readRowToken(paging.token).directory : undefined
  const rows: string[] = []
  for (let examined = 0; examined < maxExamined; ) {
    const wanted = Math.min(directoriesPerRead, limit - rows.length)
    const start = after === undefined ? { offset } : { after }
    const { views, last } = await readPart(parts, scope, { ...start, limit: wanted })
    rows.push(...views.filter((view) => isIn(view, state)).map((view) => JSON.stringify(view)))
    examined += views.length
    if (last === undefined) return { rows }
    after = last
    if (rows.length >= limit) break
  }
  return { rows, pageToken: after && rowToken({ directory: after, position: listStart }) }
}

function isIn(view: ListedHealth, state: HealthState | undefined): boolean {
  return state === undefined || view.state === state
}

function offsetWithState(): DirectoryError {
  const message = 'pageOffset: with a state, start without it and continue with the pageToken of each response.'
  return new DirectoryError('invalid-input', message, [{ field: 'pageOffset', message }])
}

/** The views of a part of the directories, and the last directory unless the list ends here. */
async function readPart(
  parts: DirectoryHealthParts,
  scope: DirectoryScope,
  part: DirectoryListPart,
): Promise<{ readonly views: ListedHealth[]; readonly last: Directory | undefined }> {
  const found = await parts.store.listDirectories(scope, { ...part, limit: part.limit + 1 })
  const directories = found.slice(0, part.limit)
  const views = (await healthOf(parts, directories)).map(listedView)
  return { views, last: found.length > part.limit ? directories.at(-1) : undefined }
}

interface KnownHealth {
  readonly directory: Directory
  readonly facts: HealthFacts
}

function listedView({ directory: { id, name, tenant, product, directoryType }, facts }: KnownHealth) {
  return { directory_id: id, name, tenant, product, type: directoryType, ...healthView(facts) }
}

/** The facts about directories, without those that were deleted in the meantime. */
async function healthOf(parts: DirectoryHealthParts, directories: readonly Directory[]): Promise<KnownHealth[]> {
  const now = parts.clock()
  const ids = directories.map(({ id }) => id)
  const stored = await parts.store.storedHealth(ids, overdueUntil(now, parts.deprovisionTargetMs))
  const known: KnownHealth[] = []
  for (const directory of directories) {
    const found = stored.get(directory.id)
    if (found !== undefined) known.push({ directory, facts: await factsOf(parts, directory, found, now) })
  }
  return known
}

async function factsOf(
  { store, hasOnEvent }: DirectoryHealthParts,
  directory: Directory,
  stored: StoredHealth,
  now: number,
): Promise<HealthFacts> {
  const { id, deactivated, endpoint, createdAt, google } = directory
  const facts = { stored, deactivated, hasEndpoint: endpoint !== undefined, hasOnEvent, createdAt, now }
  if (google === undefined) return { ...facts, pulled: undefined }
  const [lastSync] = await store.listSyncRuns(id, undefined, 1)
  return { ...facts, pulled: { authorization: authorizationStatus(google), lastSync } }
}
