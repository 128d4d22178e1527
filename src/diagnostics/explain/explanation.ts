import type { Directory } from '../../directory/directory.ts'
import { isObject, own } from '../../scim/json.ts'
import type { TimelineEntry } from '../trace/timeline.ts'
import type { Decision, Verdict } from './decision.ts'
import { verdicts } from './decision.ts'
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
  /** The observation and the advice, for the customer's administrator. */
  readonly for_customer: string
  /** The user or group as it is stored now. */
  readonly subject: { readonly type: 'User' | 'Group'; readonly id: string; readonly name: string } | null
  readonly directory: ExplainedDirectory
  /** The newest entries of its timeline. */
  readonly evidence: readonly TimelineEntry[]
}

export interface ExplainedDirectory {
  readonly id: string
  readonly name: string
  readonly tenant: string
  readonly product: string
  readonly type: string
}

export function explanationOf(
  { id, name, tenant, product, directoryType: type }: Directory,
  decision: Decision,
  resource: ResourceFacts | undefined,
  evidence: readonly TimelineEntry[],
): Explanation {
  const { verdict, at, sentence, advice, forCustomer } = decision
  return {
    verdict,
    at: at === undefined ? null : new Date(at).toISOString(),
    ...{ sentence, advice, for_customer: forCustomer },
    subject: resource === undefined ? null : { type: resource.type, id: resource.id, name: resource.name },
    directory: { id, name, tenant, product, type },
    evidence,
  }
}

/** Whether a value has the form of an explanation; another version of the service may send a different one. */
export function isExplanation(value: unknown): value is Explanation {
  if (!isObject(value)) return false
  const texts = ['sentence', 'advice', 'for_customer'].every((name) => typeof own(value, name) === 'string')
  const isKnown = verdicts.some((verdict) => verdict === own(value, 'verdict'))
  return texts && isKnown && isObject(own(value, 'directory')) && Array.isArray(own(value, 'evidence'))
}
