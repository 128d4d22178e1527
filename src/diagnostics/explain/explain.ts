import type { Directory, DirectoryScope } from '../../directory/directory.ts'
import { DirectoryError } from '../../directory/errors.ts'
import type { StoredEvent } from '../../directory/event.ts'
import { parseInput, ScopeInput } from '../../directory/inputs.ts'
import { Type } from '../../inputs/json-schema.ts'
import type { TimelineStore } from '../trace/timeline.ts'
import { absenceDecision } from './absence.ts'
import type { CandidateStore, FoundSubject, FoundSubjects } from './candidates.ts'
import { findCandidates } from './candidates.ts'
import type { Decision } from './decision.ts'
import { readEvidence } from './evidence.ts'
import type { Candidate, Explanation, Searched } from './explanation.ts'
import { explainedDirectory, explanationOf, timeText } from './explanation.ts'
import type { FactStore, RequestLogLimits } from './read-facts.ts'
import { oldestLogged, readFacts, rejectsProvider } from './read-facts.ts'
import type { Subject } from './subjects.ts'
import { isKnown, lastRecordAt, nobody } from './subjects.ts'
import { decideVerdict } from './verdict.ts'

/** The number of newest events of a subject that are examined. */
const maxEvents = 20

/** The number of candidates that are explained; the others are only listed. */
const maxExplained = 5

/** `GET /explain` */
export const ExplainInput = Type.Object({
  ...ScopeInput.properties,
  subject: Type.String({
    minLength: 1,
    maxLength: 512,
    examples: ['maya@acme.example'],
    description:
      'subject: an email address, userName, display name, external id or id of a user, or the displayName, external id or id of a group; text of 1 to 512 characters.',
  }),
})

export interface ExplainParts {
  readonly store: FactStore & CandidateStore & TimelineStore
  /** Writes observations that are still in memory. */
  readonly flush: () => Promise<unknown>
  readonly hasOnEvent: boolean
  readonly requestLog: RequestLogLimits
  /** Unix milliseconds. */
  readonly clock: () => number
}

/** Explains why a user or group did not arrive. Queries have the field names of the API and are validated here. */
export interface Explain {
  /**
   * The verdict about a subject in a scope: a directory, a tenant, a product, or everything. Of several candidates, it is
   * about one that the identity provider sent, and about the latest of these.
   *
   * @throws DirectoryError `invalid-input`, `directory-not-found`
   */
  explain(query: unknown): Promise<Explanation>
}

export function createExplain(parts: ExplainParts): Explain {
  return {
    async explain(query) {
      const { subject, ...scope } = parseInput(ExplainInput, query)
      await parts.flush()
      const found = await findCandidates(parts.store, scope, subject)
      if (found.found.length > 0) return explainFound(parts, found, subject)
      const [only, second] = found.few ?? []
      const isOnly = only !== undefined && second === undefined && found.isComplete
      return isOnly ? explainOnly(parts, only, found, subject) : explainAbsence(parts, scope, found, subject)
    },
  }
}

/** A candidate with the verdict about it. */
interface Answer extends FoundSubject {
  readonly decision: Decision
  readonly lastRequestAt: number
  readonly loggedSince: number | undefined
}

async function explainFound(parts: ExplainParts, found: FoundSubjects, asked: string): Promise<Explanation> {
  const explained = found.found.slice(0, maxExplained)
  const answers = await Promise.all(explained.map((one) => answerAbout(parts, one, asked)))
  const sorted = answers.toSorted(byRelevance)
  const [main] = sorted
  if (main === undefined) throw new Error('There is no candidate to explain.')
  const candidates = [
    ...sorted.map((answer) => candidateOf(answer, asked, answer.decision)),
    ...found.found.slice(maxExplained).map((one) => candidateOf(one, asked, undefined)),
  ]
  const { directory, subject } = main
  const explanation = explanationOf({
    ...{ directory, resource: subject.resource, evidence: await readEvidence(parts.store, directory, subject) },
    decision: main.decision,
    searched: searchedIn(found, main.loggedSince),
  })
  return { ...explanation, candidates, has_more_candidates: found.hasMore }
}

/** Compares answers: subjects that the identity provider sent come first, then the latest verdict. */
function byRelevance(a: Answer, b: Answer): number {
  const known = Number(isKnown(b.subject)) - Number(isKnown(a.subject))
  return known || (b.decision.at ?? 0) - (a.decision.at ?? 0) || b.lastRequestAt - a.lastRequestAt
}

function candidateOf({ directory, subject }: FoundSubject, asked: string, decision: Decision | undefined): Candidate {
  const { type = null, id = null, resource } = subject
  const at = decision === undefined ? lastRecordAt(subject) : decision.at
  return {
    ...{ type, id, name: resource?.name ?? asked, directory: explainedDirectory(directory) },
    ...{ verdict: decision?.verdict ?? null, at: timeText(at) },
  }
}

function searchedIn({ directories, isComplete }: FoundSubjects, loggedSince: number | undefined): Searched {
  return { directories, complete: isComplete, requests_since: timeText(loggedSince) }
}

/** The explanation in a scope of one directory, which does not know the subject. */
async function explainOnly(parts: ExplainParts, id: string, found: FoundSubjects, asked: string): Promise<Explanation> {
  const directory = await parts.store.getDirectory(id)
  if (directory === undefined) throw new DirectoryError('directory-not-found', 'There is no such directory.')
  const { decision, loggedSince } = await answerAbout(parts, { directory, subject: nobody }, asked)
  const evidence = await readEvidence(parts.store, directory, nobody)
  return explanationOf({ decision, directory, resource: undefined, evidence, searched: searchedIn(found, loggedSince) })
}

/** The explanation when none of several directories knows the subject. */
async function explainAbsence(
  { store, requestLog, clock }: ExplainParts,
  scope: DirectoryScope,
  found: FoundSubjects,
  asked: string,
): Promise<Explanation> {
  const loggedSince = oldestLogged(0, requestLog, clock())
  const rejecting = await rejectingAmong(store, found.few ?? [])
  const { directories, isComplete } = found
  const searchedRequests = Math.min(requestLog.requests, found.searchedRequests)
  return explanationOf({
    decision: absenceDecision({ asked, scope, directories, isComplete, loggedSince, searchedRequests, rejecting }),
    ...{ directory: undefined, resource: undefined, evidence: [], searched: searchedIn(found, loggedSince) },
  })
}

/** The names of the directories whose identity provider sends a wrong secret. */
async function rejectingAmong(store: ExplainParts['store'], ids: readonly string[]): Promise<string[]> {
  const health = await store.storedHealth(ids, 0)
  const rejecting = ids.filter((id) => rejectsProvider(health.get(id)))
  const directories = await Promise.all(rejecting.map((id) => store.getDirectory(id)))
  return directories.flatMap((directory) => (directory === undefined ? [] : [directory.name]))
}

async function answerAbout(parts: ExplainParts, found: FoundSubject, asked: string): Promise<Answer> {
  const { store, hasOnEvent, requestLog, clock } = parts
  const { directory, subject } = found
  const events = await readEvents(store, directory, subject)
  const facts = await readFacts({ store, hasOnEvent, requestLog, now: clock() }, directory, asked, subject, events)
  const { lastRequestAt = 0, loggedSince } = facts.directory
  return { ...found, decision: decideVerdict(facts), lastRequestAt, loggedSince }
}

function readEvents(
  store: ExplainParts['store'],
  { id: directoryId }: Directory,
  { id }: Subject,
): Promise<readonly StoredEvent[]> {
  if (id === undefined) return Promise.resolve([])
  return store.eventsOfResource(directoryId, id, Number.MAX_SAFE_INTEGER, maxEvents)
}
