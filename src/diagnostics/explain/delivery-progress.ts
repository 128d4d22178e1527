import { adoptionAdvice, adoptionText, shortageText } from '../../delivery/hold/view.ts'
import type { Decision } from './decision.ts'
import type { DeliveryFacts, EventFacts, ExplainFacts, HoldFacts } from './facts.ts'
import { counted, dateText, nameOf, onDate, printable } from './wording.ts'

/** The newest event of the subject that has not been delivered; undefined if there is none. */
export function pendingEvent({ events, delivery }: ExplainFacts): EventFacts | undefined {
  const [newest] = events
  return newest !== undefined && newest.sequence > delivery.deliveredSequence ? newest : undefined
}

/** The verdict when something blocks the delivery of the subject's events; undefined when nothing does. */
export function blockedDecision(facts: ExplainFacts): Decision | undefined {
  const { holds, events, delivery } = facts
  const [newest] = events
  const holding = holds.filter(({ firstSequence }) => newest !== undefined && newest.sequence >= firstSequence)
  if (newest !== undefined && holding.length > 0) return heldDecision(facts, newest, holding)
  const pending = pendingEvent(facts)
  if (pending !== undefined && delivery.target !== 'none') {
    if (delivery.failures > 0) return failingDecision(facts, pending)
    if (delivery.pause !== undefined) return pausedDecision(facts, pending, delivery.pause.at)
  }
  const dead = events.find((event) => event.dead !== undefined)
  return dead?.dead === undefined ? undefined : deadDecision(facts, dead, dead.dead)
}

function holdCause({ reason, role }: HoldFacts): string {
  if (role !== undefined) return shortageText(role)
  if (reason === 'adoption') return adoptionText
  return `the identity provider removed too many ${reason === 'users' ? 'users' : 'members of groups'} at once`
}

/** @param holds those that hold the event */
function heldDecision(facts: ExplainFacts, event: EventFacts, holds: readonly HoldFacts[]): Decision {
  const since = Math.min(...holds.map((hold) => hold.since))
  const causes = holds.map(holdCause).join(', and ')
  const sentence = `${changeText(nameOf(facts), event)} has been held since ${dateText(since)}, because ${causes}.`
  if (holds.every(({ reason }) => reason === 'adoption')) {
    const forCustomer = `${sentence} The next step is ours; you do not have to do anything.`
    return {
      verdict: 'held',
      at: since,
      sentence,
      advice: adoptionAdvice,
      action: { kind: 'release-hold' },
      forCustomer,
    }
  }
  const [changes, undone] = wordsFor(holds)
  return {
    ...{ verdict: 'held', at: since, sentence },
    advice: `Ask the administrator whether ${changes} intended. If so, release the hold; if not, have the customer undo ${undone}, then discard it.`,
    action: { kind: 'release-hold' },
    forCustomer: `${sentence} Please tell us whether ${changes} intended; if not, please undo ${undone} in the identity provider.`,
  }
}

function wordsFor(holds: readonly HoldFacts[]): readonly [changes: string, undone: string] {
  if (holds.length > 1) return ['these changes are', 'them']
  return holds[0]?.role === undefined ? ['these removals are', 'them'] : ['this change is', 'it']
}

function failingDecision(facts: ExplainFacts, event: EventFacts): Decision {
  const { failures, failingSince, nextAttemptAt, pause, lastError } = facts.delivery
  const since = failingSince ?? event.createdAt
  const reason = lastError === undefined ? '' : ` (${printable(lastError)})`
  const next =
    pause !== undefined
      ? `Delivery has been paused since ${dateText(pause.at)}.`
      : nextAttemptAt === undefined
        ? 'The next attempt is due.'
        : `The next attempt is due ${onDate(nextAttemptAt)}.`
  const sentence = `${changeText(nameOf(facts), event)} was received, but the product has not accepted events of this directory since ${dateText(since)}: ${counted(failures, 'failed attempt')}${reason}. ${next}`
  const resume = pause === undefined ? 'Events are then sent automatically' : 'Then resume delivery: everything is sent'
  return {
    ...{ verdict: 'failing', at: since, sentence },
    advice: `${repairText(facts.delivery)} ${resume}, in order; nothing is lost.`,
    ...failingAction(facts.delivery),
    forCustomer: `${changeText(nameOf(facts), event)} has reached us. The problem is on our side, and we are fixing it. Nothing is lost, and you do not have to do anything.`,
  }
}

/** The action that `repairText` asks for; an `onEvent` callback has none as long as delivery is not paused. */
function failingAction({ target, pause }: DeliveryFacts): Pick<Decision, 'action'> {
  if (pause !== undefined) return { action: { kind: 'resume-delivery' } }
  return target === 'on-event' ? {} : { action: { kind: 'test-endpoint' } }
}

function repairText({ target, lastError = '' }: DeliveryFacts): string {
  if (target === 'on-event') return 'Find out why the event handler of the product fails.'
  const isRefused = /^answered 40[13]$/.test(lastError)
  const secret = isRefused ? ': check that it verifies signatures with the signing secret of this directory' : ''
  return `Fix the endpoint of the directory${secret}, and try it with a test event.`
}

function pausedDecision(facts: ExplainFacts, event: EventFacts, pausedAt: number): Decision {
  const sentence = `${changeText(nameOf(facts), event)} was received, but is waiting because delivery to the product has been paused since ${dateText(pausedAt)}.`
  return {
    ...{ verdict: 'waiting', at: pausedAt, sentence },
    advice: 'Resume delivery: all waiting events are sent, in order.',
    action: { kind: 'resume-delivery' },
    forCustomer: `${changeText(nameOf(facts), event)} has reached us and is waiting for maintenance on our side; you do not have to do anything.`,
  }
}

function deadDecision(facts: ExplainFacts, event: EventFacts, dead: NonNullable<EventFacts['dead']>): Decision {
  const name = nameOf(facts)
  if (dead.isSkipped === true) return skippedDecision(facts, event, dead)
  const sentence = `${changeText(name, event)} was received, but the product refused it repeatedly (${printable(dead.reason)}), so it was set aside ${onDate(dead.at)}.`
  return {
    ...{ verdict: 'dead', at: dead.at, sentence },
    advice: 'Find out why the product rejects the event, then send it again.',
    action: { kind: 'replay', sequence: event.sequence },
    forCustomer: `${changeText(name, event)} has reached us, but our product could not process it. The problem is on our side; you do not have to do anything.`,
  }
}

function skippedDecision(facts: ExplainFacts, event: EventFacts, dead: NonNullable<EventFacts['dead']>): Decision {
  const change = changeText(nameOf(facts), event)
  const sentence = `${change} was received, but the product has not accepted it, and an operator skipped it ${onDate(dead.at)}: ${printable(dead.reason).replace(/\.?$/, '')}.`
  return {
    ...{ verdict: 'dead', at: dead.at, sentence },
    advice: 'If the product can process it now, send the event again.',
    action: { kind: 'replay', sequence: event.sequence },
    forCustomer: `${change} has reached us, but we have set it aside on our side; you do not have to do anything.`,
  }
}

/** The verdict when the newest event is not delivered yet although nothing blocks it. */
export function waitingDecision(facts: ExplainFacts, event: EventFacts): Decision {
  const name = nameOf(facts)
  const change = changeText(name, event)
  const at = event.createdAt
  const isSent = facts.delivery.target !== 'none'
  const sentence = isSent
    ? `${change} was received, and is about to be sent to the product.`
    : `${change} was received, and is waiting for the product to read it from the feed: the directory has no endpoint.`
  return {
    ...{ verdict: 'waiting', at, sentence },
    advice: isSent
      ? 'Events are sent within seconds; in batch mode, with the next batch. Try again in a moment.'
      : 'Set an endpoint for the events of the directory, or have the product read the feed.',
    ...(isSent ? {} : { action: { kind: 'set-endpoint' } }),
    forCustomer: `${change} has reached us; you do not have to do anything.`,
  }
}

const changes: Readonly<Record<string, string>> = {
  'user.created': 'The new user',
  'group.created': 'The new group',
  'user.updated': 'The change to user',
  'group.updated': 'The change to group',
  'user.deleted': 'The deletion of user',
  'user.erased': 'The erasure of user',
  'group.deleted': 'The deletion of group',
  'group.user_added': 'The new membership of',
  'group.user_removed': 'The end of a membership of',
}

/** Returns whether an event of a resync repeats the state of a user, a group or a membership. */
export function isSnapshot(type: string): boolean {
  return type.endsWith('.snapshot')
}

/** `The change of user maya (event 7, on …)` */
export function changeText(name: string, { type, sequence, createdAt }: EventFacts): string {
  return `${changes[type] ?? 'The present state of'} ${name} (event ${sequence}, ${onDate(createdAt)})`
}
