import type { Directory, DirectoryScope } from '../../directory/directory.ts'
import type { DirectoryReads, DirectoryRecords } from '../../directory/directory-store.ts'
import { DirectoryError } from '../../directory/errors.ts'
import type { NamedResource, SearchStore } from '../../directory/search-store.ts'
import type { HealthListStore } from '../health/list-store.ts'
import type { NamingLogs, RequestLogStore } from '../requests/request-log-store.ts'
import { foldedSubject } from '../requests/request-log-store.ts'
import type { TraceStore } from '../trace/trace-store.ts'
import type { Subject, SubjectStore } from './subjects.ts'
import { findSubjects, isKnown, lastRecordAt } from './subjects.ts'

/** The maximum number of directories, and of stored users and groups, that are examined for one query. */
const maxExamined = 8

/** Of these, directories without a stored one that requests name: it was refused, deleted or only looked up there. */
const maxOnlyRequested = 4

/** A scope with at most this many directories is searched directory by directory where no index covers all of them. */
const fewDirectories = 50

export type CandidateStore = Pick<DirectoryRecords, 'getDirectory' | 'getDirectories'> &
  Pick<DirectoryReads, 'listDirectoriesInScope'> &
  Pick<RequestLogStore, 'directoriesNaming'> &
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
  /** Whether all of them could be searched. */
  readonly isComplete: boolean
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
  if (first.length === 0) throw new DirectoryError('directory-not-found', noDirectoryText(scope))
  const few = first.length <= fewDirectories ? first.map(({ id }) => id) : undefined
  const [directories, named, naming, ofResource] = await Promise.all([
    few?.length ?? countDirectories(store, scope),
    store.findNamed(scope, asked, maxExamined + 1),
    store.directoriesNaming(foldedSubject(asked), few === undefined ? { scope } : { directoryIds: few }),
    store.directoryOfResource(asked),
  ])
  const ids = directoriesToExamine(
    few?.length === 1 ? few : [ofResource].filter((id) => id !== undefined),
    named,
    naming,
  )
  const examined = await store.getDirectories(ids.slice(0, maxExamined))
  const inScope = [...examined.values()].filter((directory) => isIn(scope, directory))
  const found = await Promise.all(
    inScope.map((directory) => subjectsIn(store, directory, asked, named.slice(0, maxExamined))),
  )
  return {
    ...{ directories, few },
    isComplete: naming.isComplete,
    found: found.flat().toSorted(byRelevance),
    hasMore: ids.length > maxExamined || named.length > maxExamined || !naming.isComplete,
  }
}

async function countDirectories({ countHealth }: CandidateStore, scope: DirectoryScope): Promise<number> {
  return (await countHealth(scope)).reduce((total, { directories }) => total + directories, 0)
}

/** The ids in the order in which directories are examined, each once. */
function directoriesToExamine(
  certain: readonly string[],
  named: readonly NamedResource[],
  naming: NamingLogs,
): string[] {
  const stored = new Set(named.map(({ directoryId }) => directoryId))
  const onlyRequested = naming.directoryIds.filter((id) => !stored.has(id))
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
