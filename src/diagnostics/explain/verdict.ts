import type { Decision } from './decision.ts'
import { blockedDecision, changeText, isSnapshot, pendingEvent, waitingDecision } from './delivery-progress.ts'
import type { ExplainFacts, ResourceFacts } from './facts.ts'
import { refusedDecision, standingRefusal } from './refusal.ts'
import { unsentDecision } from './unsent.ts'
import { dateText, directoryName, nameOf, onDate } from './wording.ts'

/**
 * Decides why a user or group did not arrive. The first obstacle on the way decides: a deactivated directory, a
 * refusal, a request that was never made, then a problem with the delivery, and finally the present state of the
 * subject.
 */
export function decideVerdict(given: ExplainFacts): Decision {
  const facts = withoutRepeats(given)
  const { resource, events, directory } = facts
  if (directory.deactivated) return deactivatedDirectory(facts)
  const refusal = standingRefusal(facts)
  if (refusal !== undefined) return withLaterTrouble(facts, refusedDecision(facts, refusal))
  if (resource === undefined && events.length === 0 && !hasDeletion(facts)) return unsentDecision(facts)
  return withMark(
    facts,
    withLaterTrouble(facts, blockedDecision(facts) ?? heldDeletion(facts) ?? settledDecision(facts)),
  )
}

/**
 * Leaves out the snapshots of resyncs, which repeat what the provider changed earlier, unless no event reports the present
 * state. An event is no longer dead once a snapshot has reported the state after it.
 */
function withoutRepeats(facts: ExplainFacts): ExplainFacts {
  const { resource, delivery } = facts
  const repeated = facts.events.find(
    ({ type, sequence, dead }) => isSnapshot(type) && dead === undefined && sequence <= delivery.deliveredSequence,
  )
  const events = facts.events.map((event) =>
    repeated !== undefined && event.sequence < repeated.sequence ? { ...event, dead: undefined } : event,
  )
  const changes = events.filter(({ type }) => !isSnapshot(type))
  const [last] = changes
  const isReported = last !== undefined && (resource === undefined || last.createdAt >= resource.updatedAt)
  return { ...facts, events: isReported ? changes : events }
}

/** Returns whether a user without any events left was deleted. */
function hasDeletion({ requests }: ExplainFacts): boolean {
  return requests.some(({ method, status }) => method.toUpperCase() === 'DELETE' && status < 300)
}

function deactivatedDirectory(facts: ExplainFacts): Decision {
  const sentence = `${nameOf(facts)} cannot arrive: ${directoryName(facts)} is deactivated, so requests of the identity provider are refused and nothing is sent to the product.`
  return {
    ...{ verdict: 'deactivated', at: facts.requests.find(({ status }) => status === 403)?.at, sentence },
    advice: 'Activate the directory, then have the identity provider provision again.',
    action: { kind: 'activate-directory' },
    forCustomer:
      'The connection of your directory is switched off on our side. We will tell you when it is on again; then please provision again.',
  }
}

/** The verdict about a user whose deletion the last sync holds. */
function heldDeletion(facts: ExplainFacts): Decision | undefined {
  const { sync, resource } = facts
  if (sync?.isDeletionHeld !== true || resource === undefined) return undefined
  const at = sync.lastRun?.finishedAt
  const sentence = `Google no longer lists ${nameOf(facts)}${at === undefined ? '' : `, as the sync ${onDate(at)} found`}. The deletion is held, because the sync would delete too many users or groups.`
  return {
    ...{ verdict: 'held', at, sentence },
    advice: 'Check what would be deleted, then approve the deletions, or have the customer correct Google Workspace.',
    action: { kind: 'approve-deletions' },
    forCustomer: `${sentence} Please tell us whether that is intended.`,
  }
}

/** The verdict when nothing blocks the events: the present state of the user or group. */
function settledDecision(facts: ExplainFacts): Decision {
  const { resource, delivery } = facts
  if (resource === undefined) return deletedDecision(facts)
  if (!resource.active) return inactiveDecision(facts, resource)
  const pending = pendingEvent(facts)
  if (pending !== undefined) return waitingDecision(facts, pending)
  const [newest] = facts.events
  const event = newest !== undefined && isSnapshot(newest.type) ? undefined : newest
  const name = nameOf(facts)
  const way = delivery.target === 'none' ? 'the product has read it from the feed' : 'the product has accepted it'
  const sentence =
    event === undefined
      ? `${name} has been stored unchanged since ${dateText(resource.updatedAt)}, and everything was delivered to the product.`
      : `${changeText(name, event)} was received, and ${way}.`
  const where = event === undefined ? 'what it did with the user' : `what it did with event ${event.sequence}`
  return {
    ...{ verdict: 'delivered', at: event?.createdAt ?? resource.updatedAt, sentence },
    advice: `Rollcall has nothing left to do. Check in the product ${where}; the id is ${resource.id}.`,
    forCustomer: `We have received ${name}, as it was ${onDate(resource.updatedAt)}. If something is missing in the product, the problem is on our side.`,
  }
}

function deletedDecision(facts: ExplainFacts): Decision {
  const deletion = facts.events.find(({ type }) => type.endsWith('.deleted'))
  const request = facts.requests.find(({ method, status }) => method.toUpperCase() === 'DELETE' && status < 300)
  const at = deletion?.createdAt ?? request?.at ?? facts.events[0]?.createdAt
  const isPending = pendingEvent(facts) !== undefined && facts.delivery.target !== 'none'
  const who = facts.sync === undefined ? 'the identity provider deleted it' : 'Google no longer listed it'
  const when = at === undefined ? '' : ` ${onDate(at)}`
  const sentence = `${nameOf(facts)} no longer exists: ${who}${when}.${isPending ? ' The deletion is about to be sent to the product.' : ''}`
  return {
    ...{ verdict: 'deleted', at, sentence },
    advice: `If that was a mistake, the administrator has to provision ${nameOf(facts)} again.`,
    forCustomer: `${sentence} If that was a mistake, please assign ${nameOf(facts)} to the application again.`,
  }
}

function inactiveDecision(facts: ExplainFacts, { updatedAt }: ResourceFacts): Decision {
  const name = nameOf(facts)
  const at = facts.events.find(({ type }) => type.startsWith('user.') && !isSnapshot(type))?.createdAt ?? updatedAt
  const isPending = pendingEvent(facts) !== undefined && facts.delivery.target !== 'none'
  const who = facts.sync === undefined ? 'the identity provider' : 'Google'
  const sentence = `${name} is inactive, as reported by ${who}; the last change was ${onDate(at)}.${isPending ? ' The change is about to be sent to the product.' : ''}`
  return {
    ...{ verdict: 'deactivated', at, sentence },
    advice: `${name} has no access until ${who} reports the user as active again.`,
    forCustomer: `${sentence} If that is a mistake, please activate ${name} in the identity provider, or assign the application again.`,
  }
}

/** Adds that a user has an address outside the allowed domains, which a product may not link to an account. */
function withMark({ resource }: ExplainFacts, decision: Decision): Decision {
  if (resource?.domainAllowed !== false) return decision
  const sentence = `${decision.sentence} One of its addresses is outside the allowed domains of the directory, and the product is told so.`
  return { ...decision, sentence }
}

/** Adds problems that keep later changes from arriving. */
function withLaterTrouble(facts: ExplainFacts, decision: Decision): Decision {
  const trouble = laterTrouble(facts, decision.at ?? 0)
  if (trouble === undefined) return decision
  return {
    ...decision,
    sentence: `${decision.sentence} ${trouble}`,
    forCustomer: `${decision.forCustomer} ${trouble}`,
  }
}

function laterTrouble({ failedAuthentications: failed, sync, requests }: ExplainFacts, at: number): string | undefined {
  if (sync?.lastRun?.state === 'failed' && (sync.lastRun.finishedAt ?? sync.lastRun.startedAt) > at) {
    return `The last sync with Google failed ${onDate(sync.lastRun.finishedAt ?? sync.lastRun.startedAt)}, so later changes may be missing.`
  }
  const last = Math.max(at, requests[0]?.at ?? 0)
  if (sync !== undefined || failed === undefined || failed.sinceLastSuccess === 0 || failed.lastAt < last)
    return undefined
  const reason = failed.problem ?? 'it sends a wrong secret'
  return `Since then, requests of the identity provider have been refused because ${reason}, the last one ${onDate(failed.lastAt)}, so later changes have not arrived.`
}
