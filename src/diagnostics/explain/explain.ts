import type { Directory, DirectoryScope } from '../../directory/directory.ts'
import type { DirectoryRecords } from '../../directory/directory-store.ts'
import { DirectoryError } from '../../directory/errors.ts'
import type { StoredEvent } from '../../directory/event.ts'
import { parseInput, ScopeInput } from '../../directory/inputs.ts'
import { Type } from '../../inputs/json-schema.ts'
import { scopeOf } from '../../reads/paging.ts'
import type { TimelineStore } from '../trace/timeline.ts'
import type { Decision } from './decision.ts'
import { readEvidence } from './evidence.ts'
import type { Explanation } from './explanation.ts'
import { explanationOf } from './explanation.ts'
import type { FactStore } from './read-facts.ts'
import { readFacts } from './read-facts.ts'
import type { Subject, SubjectStore } from './subjects.ts'
import { findSubject } from './subjects.ts'
import { decideVerdict } from './verdict.ts'

/** The maximum number of directories of a tenant in which a subject is searched. */
const maxDirectories = 50

/** The number of newest events of a subject that are examined. */
const maxEvents = 20

/** `GET /explain` */
export const ExplainInput = Type.Object({
  ...ScopeInput.properties,
  subject: Type.String({
    minLength: 1,
    maxLength: 512,
    examples: ['maya@acme.example'],
    description:
      'subject: an email address, userName, external id or id of a user, or the displayName, external id or id of a group; text of 1 to 512 characters.',
  }),
})

export interface ExplainParts {
  readonly store: FactStore & SubjectStore & TimelineStore & Pick<DirectoryRecords, 'listDirectories'>
  /** Writes observations that are still in memory. */
  readonly flush: () => Promise<unknown>
  readonly hasOnEvent: boolean
  /** Days for which requests are kept. */
  readonly requestDays: number
  /** Unix milliseconds. */
  readonly clock: () => number
}

/** Explains why a user or group did not arrive. Queries have the field names of the API and are validated here. */
export interface Explain {
  /**
   * The verdict about a subject in the directories of a scope; the latest one, if several of them know it.
   *
   * @throws DirectoryError `invalid-input`, also when a tenant has too many directories; `directory-not-found`
   */
  explain(query: unknown): Promise<Explanation>
  /** Like `explain`; without a scope it searches all directories, if there are not too many. */
  explainAnywhere(query: unknown): Promise<Explanation>
}

export function createExplain(parts: ExplainParts): Explain {
  return {
    async explain(query) {
      const { subject, ...scope } = parseInput(ExplainInput, query)
      return explainInScope(parts, scopeOf(scope), subject)
    },
    async explainAnywhere(query) {
      const { subject, ...scope } = parseInput(ExplainInput, query)
      return explainInScope(parts, scope, subject)
    },
  }
}

async function explainInScope(parts: ExplainParts, scope: DirectoryScope, subject: string): Promise<Explanation> {
  const directories = await directoriesIn(parts, scope)
  await parts.flush()
  const answers: Answer[] = []
  for (const directory of directories) answers.push(await explainIn(parts, directory, subject))
  return (answers.toSorted(byRelevance)[0] ?? notFound()).explanation
}

interface Answer {
  readonly explanation: Explanation
  readonly decision: Decision
  /** Whether the directory has any record of the subject. */
  readonly isKnown: boolean
  readonly lastRequestAt: number
}

/**
 * Compares answers: directories that know the subject come first, then the latest verdict, then the directory that was
 * used last.
 */
function byRelevance(a: Answer, b: Answer): number {
  const known = Number(b.isKnown) - Number(a.isKnown)
  if (known !== 0) return known
  return (b.decision.at ?? 0) - (a.decision.at ?? 0) || b.lastRequestAt - a.lastRequestAt
}

async function directoriesIn({ store }: ExplainParts, scope: DirectoryScope): Promise<Directory[]> {
  const directories = await store.listDirectories(scope, { limit: maxDirectories + 1 })
  if (directories.length <= maxDirectories) return directories.length === 0 ? notFound() : directories
  const message = `This scope has more than ${maxDirectories} directories: send the directoryId of one of them.`
  throw new DirectoryError('invalid-input', message)
}

function notFound(): never {
  throw new DirectoryError('directory-not-found', 'There is no such directory.')
}

async function explainIn(parts: ExplainParts, directory: Directory, asked: string): Promise<Answer> {
  const { store, hasOnEvent, requestDays, clock } = parts
  const subject = await findSubject(store, directory.id, asked)
  const events = await readEvents(store, directory.id, subject)
  const evidence = await readEvidence(store, directory, subject)
  const facts = await readFacts({ store, hasOnEvent, requestDays, now: clock() }, directory, asked, subject, events)
  const decision = decideVerdict(facts)
  return {
    explanation: explanationOf(directory, decision, subject.resource, evidence),
    decision,
    isKnown: subject.id !== undefined || subject.requests.length > 0,
    lastRequestAt: facts.directory.lastRequestAt ?? 0,
  }
}

function readEvents(store: SubjectStore, directoryId: string, { id }: Subject): Promise<readonly StoredEvent[]> {
  if (id === undefined) return Promise.resolve([])
  return store.eventsOfResource(directoryId, id, Number.MAX_SAFE_INTEGER, maxEvents)
}
