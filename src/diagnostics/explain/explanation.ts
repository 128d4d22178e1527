import type { Directory } from '../../directory/directory.ts'
import type { ReturnedFrom } from '../../directory/resource.ts'
import { isObject, own } from '../../scim/json.ts'
import type { TimelineEntry } from '../trace/timeline.ts'
import type { Action, Decision, Verdict } from './decision.ts'
import { callFor, verdicts } from './decision.ts'
import type { ResourceFacts } from './facts.ts'

/** An explanation as the API returns it. */
export interface Explanation {
  readonly verdict: Verdict
  /** ISO 8601, in UTC: the time of the deciding incident; null when nothing has happened. */
  readonly at: string | null
  /** The observation, with its time. It can be sent to the customer. */
  readonly sentence: string
  /** The action that the operator should take. */
  readonly advice: string
  /** The call that the advice asks for; null when it is not a single one. */
  readonly action: ExplainedAction | null
  /** The observation and the advice, for the customer's administrator. */
  readonly for_customer: string
  /** The user or group as it is stored now. */
  readonly subject: ExplainedSubject | null
  /** The directory that the verdict is about; null when none of several directories knows the subject. */
  readonly directory: ExplainedDirectory | null
  /** The newest entries of its timeline. */
  readonly evidence: readonly TimelineEntry[]
  /**
   * The users and groups that the query may mean, the one that the verdict is about first; empty when none is known. Ask
   * for one of them by the id of its directory and, as the subject, its own id.
   */
  readonly candidates: readonly Candidate[]
  /** Whether there are more candidates. */
  readonly has_more_candidates: boolean
  readonly searched: Searched
}

export interface ExplainedSubject {
  readonly type: 'User' | 'Group'
  readonly id: string
  readonly name: string
  /** The deleted user as which it was recognized when it was created. */
  readonly returned_from?: ReturnedFrom
  /** An address is outside the allowed domains. */
  readonly domain_allowed?: false
}

/** A user or group that a query may mean. */
export interface Candidate {
  /** Null when requests named it without saying what it is. */
  readonly type: 'User' | 'Group' | null
  /** Null when it was never stored: ask for it by its name. */
  readonly id: string | null
  /** The present name, or the name in the query. */
  readonly name: string
  readonly directory: ExplainedDirectory
  /** Null when there are so many candidates that this one was not explained. */
  readonly verdict: Verdict | null
  /** ISO 8601, in UTC: the time of the deciding incident, or of the newest record. */
  readonly at: string | null
}

/** What was searched for the subject. */
export interface Searched {
  /** The number of directories in the scope. */
  readonly directories: number
  /** Whether all of them could be searched. */
  readonly complete: boolean
  /** ISO 8601, in UTC: requests are kept since then; null while the request log is off. */
  readonly requests_since: string | null
}

export interface ExplainedAction extends Pick<Action, 'kind' | 'sequence'> {
  readonly directory_id: string
  readonly request_id?: string
  /** The method, path and body of the call, such as `POST /01a2…/resume`. */
  readonly call: string
}

export interface ExplainedDirectory {
  readonly id: string
  readonly name: string
  readonly tenant: string
  readonly product: string
  readonly type: string
}

/** What an explanation consists of, besides its candidates. */
export interface ExplanationParts {
  readonly decision: Decision
  readonly directory: Directory | undefined
  readonly resource: ResourceFacts | undefined
  readonly evidence: readonly TimelineEntry[]
  readonly searched: Searched
}

export function explanationOf({ decision, directory, resource, evidence, searched }: ExplanationParts): Explanation {
  const { verdict, at, sentence, advice, action, forCustomer } = decision
  return {
    ...{ verdict, at: timeText(at), sentence, advice, for_customer: forCustomer },
    action: action === undefined || directory === undefined ? null : explainedAction(action, directory),
    subject: resource === undefined ? null : explainedSubject(resource),
    directory: directory === undefined ? null : explainedDirectory(directory),
    evidence,
    ...{ candidates: [], has_more_candidates: false, searched },
  }
}

function explainedSubject({ type, id, name, returnedFrom, domainAllowed }: ResourceFacts): ExplainedSubject {
  return {
    ...{ type, id, name },
    ...(returnedFrom === undefined ? {} : { returned_from: returnedFrom }),
    ...(domainAllowed === undefined ? {} : { domain_allowed: domainAllowed }),
  }
}

function explainedAction(given: Action, { id }: Directory): ExplainedAction {
  const { requestId, ...action } = given
  const request = requestId === undefined ? {} : { request_id: requestId }
  return { ...action, directory_id: id, ...request, call: callFor(given, id) }
}

export function explainedDirectory({ id, name, tenant, product, directoryType: type }: Directory): ExplainedDirectory {
  return { id, name, tenant, product, type }
}

/** ISO 8601, in UTC; null when undefined. */
export function timeText(at: number | undefined): string | null {
  return at === undefined ? null : new Date(at).toISOString()
}

/** Returns whether a value has the form of an explanation; another version of the service may send a different one. */
export function isExplanation(value: unknown): value is Explanation {
  if (!isObject(value)) return false
  const texts = ['sentence', 'advice', 'for_customer'].every((name) => typeof own(value, name) === 'string')
  const isKnown = verdicts.some((verdict) => verdict === own(value, 'verdict'))
  const lists = ['evidence', 'candidates'].every((name) => Array.isArray(own(value, name)))
  const isPlace = own(value, 'directory') === null || isObject(own(value, 'directory'))
  return texts && isKnown && lists && isPlace
}
