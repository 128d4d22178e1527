import { isOutsideDetail } from '../../directory/allowed-domains.ts'
import { isUndefinedDetail } from '../../scim/errors.ts'
import { fold } from '../../scim/fold.ts'
import type { Decision } from './decision.ts'
import type { ExplainFacts, RequestFacts, ResourceFacts } from './facts.ts'
import { nameOf, onDate, printable } from './wording.ts'

const reads: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Returns whether a request only reads; searches may be a POST (RFC 7644 §3.4.3). */
export function isLookup({ method, path }: Pick<RequestFacts, 'method' | 'path'>): boolean {
  return reads.has(method.toUpperCase()) || /\/\.search(\?|$)/i.test(path)
}

export function isRefused({ status }: Pick<RequestFacts, 'status'>): boolean {
  return status >= 400
}

/** The last refused request, unless a later request about the subject has succeeded. */
export function standingRefusal({ requests, resource, events }: ExplainFacts): RequestFacts | undefined {
  const writes = requests.filter((request) => !isLookup(request))
  const lastChange = writes.find((request) => !isRefused(request))
  const known = lastChange?.at ?? resource?.updatedAt ?? events[0]?.createdAt
  const refusals = writes.length > 0 || known !== undefined ? writes : requests.filter(({ status }) => status !== 404)
  const refusal = refusals.find(isRefused)
  if (refusal === undefined || lastChange === undefined) return isAfter(refusal, known) ? refusal : undefined
  return requests.indexOf(refusal) < requests.indexOf(lastChange) ? refusal : undefined
}

function isAfter(refusal: RequestFacts | undefined, known: number | undefined): boolean {
  return refusal !== undefined && (known === undefined || refusal.at >= known)
}

/** The user or group that already has the name in a refused request. */
export function holderOf({ resource }: ExplainFacts, refusal: RequestFacts): ResourceFacts | undefined {
  const isTaken = refusal.status === 409 && refusal.method.toUpperCase() === 'POST'
  if (!isTaken || resource === undefined) return undefined
  return refusal.subject === null || fold(refusal.subject) === fold(resource.name) ? resource : undefined
}

/** The verdict about a refused request. */
export function refusedDecision(facts: ExplainFacts, refusal: RequestFacts): Decision {
  const name = nameOf({ ...facts, resource: holderOf(facts, refusal) === undefined ? facts.resource : undefined })
  const holder = holderOf(facts, refusal)
  const { status, detail } = refusal
  const reason = detail === null ? '' : `: ${printable(detail).replace(/\.?$/, '')}`
  const what = isLookup(refusal)
    ? `looked for ${name}`
    : `${actions[refusal.method.toUpperCase()] ?? 'sent a change to'} ${name}`
  const held =
    holder === undefined
      ? ''
      : ` The name belongs to the ${holder.type.toLowerCase()} ${holder.id}, created ${onDate(holder.createdAt)}.`
  const sentence = `The identity provider ${what} ${onDate(refusal.at)}, and the request was refused with ${status}${reason}.${held}`
  const { advice, forCustomer } = remedyFor(refusal, name, holder)
  return {
    ...{ verdict: 'refused', at: refusal.at, sentence, advice },
    action: { kind: 'show-request', requestId: refusal.id },
    forCustomer: `${sentence} ${forCustomer}`,
  }
}

const actions: Readonly<Record<string, string>> = { POST: 'sent', DELETE: 'asked to delete' }

interface Remedy {
  readonly advice: string
  readonly forCustomer: string
}

function remedyFor(refusal: RequestFacts, name: string, holder: ResourceFacts | undefined): Remedy {
  const { status, scimType, detail } = refusal
  const trace = 'The recorded request shows what was sent.'
  if (status === 409 && holder !== undefined) {
    return {
      advice: `Find out whether both are the same person. If so, the identity provider has to match existing users by userName; otherwise one of them needs a different userName. ${trace}`,
      forCustomer: `If both are the same person, have the identity provider match existing users by userName, or remove the assignment and assign ${name} again; otherwise give one of them a different userName.`,
    }
  }
  if (isOutsideDetail(detail)) {
    return {
      advice: `If the domain belongs to this customer, add it to the allowed domains; otherwise the refusal is right. ${trace}`,
      forCustomer: 'Please use an address of one of these domains, or tell us which other domain is yours.',
    }
  }
  if (isUndefinedDetail(detail)) {
    return {
      advice: `The directory is strict: the administrator has to remove this attribute from the mapping of the identity provider. If the customer does not ask for a strict directory, turn strict SCIM requests off in its settings. ${trace}`,
      forCustomer: 'Please remove this attribute from the mapping of the identity provider, then provision again.',
    }
  }
  const remedy = remedies[status] ?? remedies[scimType === 'uniqueness' ? 409 : status < 500 ? 400 : 500]
  return remedy === undefined ? { advice: trace, forCustomer: '' } : { ...remedy, advice: `${remedy.advice} ${trace}` }
}

const remedies: Readonly<Record<number, Remedy>> = {
  400: {
    advice: 'The administrator has to correct the attribute mapping of the identity provider.',
    forCustomer: 'Please correct this value or the attribute mapping in the identity provider, then provision again.',
  },
  403: {
    advice: 'The directory was deactivated then and is active now: have the identity provider send it again.',
    forCustomer: 'The connection was switched off at that time; please provision again.',
  },
  404: {
    advice:
      'The identity provider still uses the id of something that does not exist here: it has to be provisioned again.',
    forCustomer: 'Please remove the assignment in the identity provider and assign it again, or restart provisioning.',
  },
  409: {
    advice: 'Another user or group had the same name: one of them needs a different name.',
    forCustomer: 'Please make the name unique in the identity provider, then provision again.',
  },
  412: {
    advice:
      'The identity provider had an outdated version; the change succeeds when it reads the current one and sends the change again.',
    forCustomer: 'Please provision again.',
  },
  413: {
    advice: 'The request was larger than SCIM_BODY_LIMIT allows.',
    forCustomer: 'The identity provider sent too much in one request; we are checking the limit.',
  },
  429: {
    advice: 'The identity provider sent requests faster than SCIM_RATE_LIMIT allows; it should retry this one.',
    forCustomer: 'The identity provider sends requests too fast; it should retry this request automatically.',
  },
  500: {
    advice: 'The service could not handle the request; the log of the service has the reason under this id.',
    forCustomer: 'This is a problem on our side; the identity provider should retry the request automatically.',
  },
}
