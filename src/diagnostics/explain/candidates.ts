import type { Directory, DirectoryScope } from '../../directory/directory.ts'
import type { DirectoryReads, DirectoryRecords } from '../../directory/directory-store.ts'
import { DirectoryError } from '../../directory/errors.ts'
import type { NamedResource, SearchStore } from '../../directory/search-store.ts'
import type { HealthListStore } from '../health/list-store.ts'
import type { RequestLogStore } from '../requests/request-log-store.ts'
import { foldedSubject, maxRequestsExamined, newestRequest } from '../requests/request-log-store.ts'
import type { TraceStore } from '../trace/trace-store.ts'
import type { Subject, SubjectStore } from './subjects.ts'
import { findSubjects, isKnown, lastRecordAt } from './subjects.ts'

/** The maximum number of directories, and of stored users and groups, that are examined for one query. */
const maxExamined = 8

/** Of these, directories without a stored one that requests name: it was refused, deleted or only looked up there. */
const maxOnlyRequested = 4

/** The requests of a scope with at most this many directories are searched, directory by directory. */
const fewDirectories = 50

export type CandidateStore = Pick<DirectoryRecords, 'getDirectory' | 'getDirectories'> &
  Pick<DirectoryReads, 'listDirectoriesInScope'> &
  Pick<RequestLogStore, 'directoriesRefusing'> &
  Pick<TraceStore, 'directoryOfResource'> &
  Pick<SearchStore, 'findNamed'> &
  Pick<HealthListStore, 'countHealth'> &
  SubjectStore

/** A user or group in a directory that a query may mean. */
export interface FoundSubject {
  readonly directory: Directory
  readonly subject: Subject
}

/** The result of the search for a name in a scope. */
export interface FoundSubjects {
  /** The number of directories in the scope. */
  readonly directories: number
  /** The directories, if there are few. */
  readonly few: readonly string[] | undefined
  /** Whether all of them could be searched for what is stored, and for refused requests. */
  readonly isComplete: boolean
  /** The number of requests of each that are searched for others; 0 if there are too many directories. */
  readonly searchedRequests: number
  /** Known ones first, then the latest. */
  readonly found: readonly FoundSubject[]
  readonly hasMore: boolean
}

function noDirectoryText({ directoryId, tenant, product }: DirectoryScope): string {
  if (directoryId !== undefined) return 'There is no such directory.'
  return tenant === undefined && product === undefined
    ? 'There is no directory yet.'
    : 'There is no directory of this tenant and product.'
}

/**
 * Finds what a query may mean in the directories of a scope. Indexes over all directories say where to look: of stored users
 * and groups, of the names in refused requests, and of events. Of few directories, the newest requests are searched as well: they name
 * those who were deleted, or only looked up.
 *
 * @throws DirectoryError `directory-not-found` when the scope has no directory
 */
export async function findCandidates(
  store: CandidateStore,
  scope: DirectoryScope,
  asked: string,
): Promise<FoundSubjects> {
  const first = await store.listDirectoriesInScope(scope, { limit: fewDirectories + 1 })
  if (first.length === 0) throw new DirectoryError('directory-not-found', noDirectoryText(scope))
  const few = first.length <= fewDirectories ? first.map(({ id }) => id) : undefined
  const searchedRequests = few === undefined ? 0 : Math.floor(maxRequestsExamined / few.length)
  const [directories, named, refusing, requested, ofResource] = await Promise.all([
    few?.length ?? countDirectories(store, scope),
    store.findNamed(scope, asked, maxExamined + 1),
    store.directoriesRefusing(foldedSubject(asked), scope),
    few === undefined || few.length === 1 ? [] : directoriesNaming(store, few, asked, searchedRequests),
    store.directoryOfResource(asked),
  ])
  const ids = directoriesToExamine(
    few?.length === 1 ? few : [ofResource].filter((id) => id !== undefined),
    named,
    [...new Set([...refusing.directoryIds, ...requested])].toSorted().reverse(),
  )
  const examined = await store.getDirectories(ids.slice(0, maxExamined))
  const inScope = [...examined.values()].filter((directory) => isIn(scope, directory))
  const found = await Promise.all(
    inScope.map((directory) => subjectsIn(store, directory, asked, named.slice(0, maxExamined))),
  )
  return {
    ...{ directories, few, searchedRequests },
    isComplete: refusing.isComplete,
    found: found.flat().toSorted(byRelevance),
    hasMore: ids.length > maxExamined || named.length > maxExamined || !refusing.isComplete,
  }
}

/** The directories among some whose newest requests name somebody: others than refused ones, too. */
async function directoriesNaming(
  store: CandidateStore,
  directoryIds: readonly string[],
  asked: string,
  examine: number,
): Promise<string[]> {
  const found: string[] = []
  const about = { subject: foldedSubject(asked) }
  for (const id of directoryIds) {
    const { requests } = await store.listRequests(id, { about }, { before: newestRequest, limit: 1, examine })
    if (requests.length > 0) found.push(id)
  }
  return found
}

async function countDirectories({ countHealth }: CandidateStore, scope: DirectoryScope): Promise<number> {
  return (await countHealth(scope)).reduce((total, { directories }) => total + directories, 0)
}

/** The ids in the order in which directories are examined, each once. */
function directoriesToExamine(
  certain: readonly string[],
  named: readonly NamedResource[],
  requested: readonly string[],
): string[] {
  const stored = new Set(named.map(({ directoryId }) => directoryId))
  const onlyRequested = requested.filter((id) => !stored.has(id))
  return [...new Set([...certain, ...onlyRequested.slice(0, maxOnlyRequested), ...stored, ...onlyRequested])]
}

function isIn({ directoryId, tenant, product }: DirectoryScope, directory: Directory): boolean {
  return (
    (directoryId ?? directory.id) === directory.id &&
    (tenant ?? directory.tenant) === directory.tenant &&
    (product ?? directory.product) === directory.product
  )
}

/** The subjects in one directory; those that were only looked up count where there is no other. */
async function subjectsIn(
  store: CandidateStore,
  directory: Directory,
  asked: string,
  named: readonly NamedResource[],
): Promise<FoundSubject[]> {
  const here = named.filter(({ directoryId }) => directoryId === directory.id)
  const subjects = await findSubjects(store, directory.id, asked, here)
  const known = subjects.filter(isKnown)
  return (known.length > 0 ? known : subjects).map((subject) => ({ directory, subject }))
}

function byRelevance({ subject: a }: FoundSubject, { subject: b }: FoundSubject): number {
  return Number(isKnown(b)) - Number(isKnown(a)) || lastRecordAt(b) - lastRecordAt(a)
}
