import type { Directory, DirectoryScope } from '../../directory/directory.ts'
import type { DirectoryReads, DirectoryRecords } from '../../directory/directory-store.ts'
import { DirectoryError } from '../../directory/errors.ts'
import type { NamedResource, SearchStore } from '../../directory/search-store.ts'
import type { RequestLogStore } from '../requests/request-log-store.ts'
import { foldedSubject } from '../requests/request-log-store.ts'
import type { TraceStore } from '../trace/trace-store.ts'
import type { Subject, SubjectStore } from './subjects.ts'
import { findSubjects, isKnown, lastRecordAt } from './subjects.ts'

/** The maximum number of directories and of stored users and groups that are examined for one query. */
const maxDirectories = 20
const maxNamed = 20

/** A scope with at most this many directories is searched directory by directory where no index covers all of them. */
const fewDirectories = 50

export type CandidateStore = Pick<DirectoryRecords, 'getDirectory' | 'countDirectories'> &
  Pick<DirectoryReads, 'listDirectoriesInScope'> &
  Pick<RequestLogStore, 'directoriesNaming'> &
  Pick<TraceStore, 'directoryOfResource'> &
  Pick<SearchStore, 'findNamed'> &
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
  /** Whether all of them could be searched. */
  readonly isComplete: boolean
  /** Known ones first, then the latest. */
  readonly found: readonly FoundSubject[]
  readonly hasMore: boolean
}

/**
 * Finds what a query may mean in the directories of a scope. Indexes over all directories say where to look: of stored users
 * and groups, of the names in requests, and of events.
 *
 * @throws DirectoryError `directory-not-found` when the scope has no directory
 */
export async function findCandidates(
  store: CandidateStore,
  scope: DirectoryScope,
  asked: string,
): Promise<FoundSubjects> {
  const first = await store.listDirectoriesInScope(scope, { limit: fewDirectories + 1 })
  if (first.length === 0) throw new DirectoryError('directory-not-found', 'There is no such directory.')
  const few = first.length <= fewDirectories ? first.map(({ id }) => id) : undefined
  const [directories, named, naming, ofResource] = await Promise.all([
    few?.length ?? store.countDirectories(scope),
    store.findNamed(scope, asked, maxNamed + 1),
    store.directoriesNaming(foldedSubject(asked), few === undefined ? { scope } : { directoryIds: few }),
    store.directoryOfResource(asked),
  ])
  const ids = new Set([
    ...(few?.length === 1 ? few : []),
    ...(ofResource === undefined ? [] : [ofResource]),
    ...named.found.map(({ directoryId }) => directoryId),
    ...naming.directoryIds,
  ])
  const examined = await Promise.all([...ids].slice(0, maxDirectories).map((id) => store.getDirectory(id)))
  const inScope = examined.filter((directory) => directory !== undefined).filter((directory) => isIn(scope, directory))
  const found = await Promise.all(inScope.map((directory) => subjectsIn(store, directory, asked, named.found)))
  return {
    ...{ directories, few },
    isComplete: named.isComplete && naming.isComplete,
    found: found.flat().toSorted(byRelevance),
    hasMore: ids.size > maxDirectories || named.found.length > maxNamed || !naming.isComplete,
  }
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
