import { adoptionAdvice, adoptionText, shortageText } from '../../delivery/hold/view.ts'
import type { OAuthClientReference } from '../../directory/directory.ts'
import { goneGroupsText } from '../../directory/google-connection.ts'
import type { SyncTrigger } from '../../google/google-store.ts'
import { expiryWarningMs } from '../../oauth/oauth-client.ts'
import { isSomebodyElse, maxRejected } from './failures.ts'
import type { FailedRequests, StoredHealth, StoredHold } from './health-store.ts'

const minute = 60_000

/** After this many failed attempts in a row, delivery counts as failing, not just retrying. */
const maxFailures = 2
/** Undelivered events older than this are a backlog, in milliseconds. */
export const backlogMs = 5 * minute
/** Time that events may wait for the first consumer to be set up, in milliseconds. */
const unconsumedMs = 60 * minute

export const healthStates = ['healthy', 'attention', 'failing'] as const

/** `attention`: an operator should check the directory. `failing`: requests, events or syncs do not come through. */
export type HealthState = (typeof healthStates)[number]

/** The reasons why a directory is not healthy. */
export const healthReasonCodes = [
  'deactivated',
  'never-connected',
  'unauthorized',
  'not-connected',
  'connection-lost',
  'sync-failed',
  'sync-held',
  'held',
  'no-consumer',
  'delivery-paused',
  'delivery-failing',
  'delivery-behind',
  'dead-events',
  'deprovisioning-overdue',
  'credential-expiring',
  'sync-not-scheduled',
  'group-gone',
] as const

export type HealthReasonCode = (typeof healthReasonCodes)[number]

export interface HealthReason {
  readonly code: HealthReasonCode
  readonly state: Exclude<HealthState, 'healthy'>
  /** The problem and its solution, in a sentence or two. */
  readonly message: string
  /** Unix milliseconds; undefined when unknown. */
  readonly since: number | undefined
}

/** A sync that the product has started keeps the directory from counting as unscheduled for this long, in milliseconds. */
const startedByProductMs = 24 * 60 * minute

/** The last sync run of a Google Workspace directory. */
export interface LastSync {
  readonly state: 'running' | 'completed' | 'held' | 'failed' | 'superseded'
  readonly startedAt: number
  readonly finishedAt: number | undefined
  readonly error: string | undefined
  readonly trigger: SyncTrigger
}

/** The sync state of a Google Workspace directory. */
export interface PulledFacts {
  readonly authorization: 'none' | 'authorized' | 'needs_authorization'
  /** Undefined before the first run. */
  readonly lastSync: LastSync | undefined
  /** Whether syncs start automatically. */
  readonly isScheduled: boolean
  /** The chosen groups that were deleted in Google. */
  readonly goneGroups?: readonly string[] | undefined
}

/** The facts that the health of a directory depends on. */
export interface HealthFacts {
  readonly stored: StoredHealth
  readonly deactivated: boolean
  readonly hasEndpoint: boolean
  /** Whether this process sends the events to an `onEvent` callback. */
  readonly hasOnEvent: boolean
  readonly createdAt: number
  readonly oauthClients: readonly OAuthClientReference[]
  /** Undefined for a directory that receives SCIM requests. */
  readonly pulled: PulledFacts | undefined
  readonly now: number
}

export interface Health {
  readonly state: HealthState
  readonly reasons: readonly HealthReason[]
}

/**
 * Decides the state of a directory and the reasons for it, the most severe first; but a hold comes before what follows from
 * it. Pure.
 */
export function decideHealth(facts: HealthFacts): Health {
  const hold = held(facts)
  const late = overdue(facts)
  const isLateByHold = hold?.since !== undefined && late?.since !== undefined && late.since > hold.since - minute
  const found = [
    deactivated(facts),
    ...(facts.pulled === undefined ? requestReasons(facts) : pullReasons(facts.pulled, facts)),
    isLateByHold ? undefined : hold,
    noConsumer(facts),
    expiringCredential(facts),
    ...(facts.hasEndpoint ? deliveryReasons(facts) : []),
    isLateByHold ? undefined : late,
  ].filter((reason) => reason !== undefined)
  const failing = found.filter(isFailing)
  const following = isLateByHold ? [hold, late] : []
  const reasons = [...following, ...failing, ...found.filter((reason) => !isFailing(reason))]
  return { state: reasons.some(isFailing) ? 'failing' : reasons.length > 0 ? 'attention' : 'healthy', reasons }
}

/** The time at which the health changes if nothing happens until then, in Unix milliseconds; undefined: never. */
export function nextChangeAt(facts: HealthFacts): number | undefined {
  const { stored, hasEndpoint, hasOnEvent, oauthClients, pulled, now } = facts
  const first = firstBehaviorAt(stored)
  const isConsumed = hasEndpoint || hasOnEvent || stored.feedReadAt !== undefined
  const unconsumedAt = isConsumed || first === undefined ? undefined : first + unconsumedMs
  const ofClients = oauthClients.flatMap(({ expiresAt = 0 }) => [expiresAt - expiryWarningMs, expiresAt])
  // Also of those that are scheduled now: the setting may change without a commit.
  const unscheduledAt = pulled?.lastSync && pulled.lastSync.startedAt + startedByProductMs
  const times = [unconsumedAt ?? 0, unscheduledAt ?? 0, ...ofClients].filter((at) => at > now)
  return times.length === 0 ? undefined : Math.min(...times)
}

function isFailing({ state }: HealthReason): boolean {
  return state === 'failing'
}

type Found = HealthReason | undefined

function deactivated({ deactivated: isDeactivated }: HealthFacts): Found {
  if (!isDeactivated) return undefined
  const message =
    'The directory is deactivated: requests are refused and no further events are sent. Activate it to continue.'
  return { code: 'deactivated', state: 'attention', message, since: undefined }
}

function requestReasons({ stored, createdAt }: HealthFacts): Found[] {
  const { failed, lastRequestAt } = stored
  if (failed !== undefined && failed.sinceSuccess > 0) {
    const isElse = isSomebodyElse(stored)
    const isFailing = failed.sinceSuccess >= maxRejected && !isElse
    const message = isElse
      ? 'Requests with a wrong or missing secret arrive in addition to those of the identity provider, which have the right one. They come from somebody else, or from a second configuration, and have no effect. If they are yours, correct the secret.'
      : rejectedMessage(failed)
    return [{ code: 'unauthorized', state: isFailing ? 'failing' : 'attention', message, since: failed.since }]
  }
  if (lastRequestAt !== undefined) return []
  const message =
    'No request has arrived yet: enter the SCIM address and the secret of this directory in the identity provider, and test the connection there.'
  return [{ code: 'never-connected', state: 'attention', message, since: createdAt }]
}

/** What was wrong with the last requests, and what to do. */
function rejectedMessage({ sinceSuccess, problem }: FailedRequests): string {
  const last = `The last ${times(sinceSuccess)}`
  return problem === undefined
    ? `${last} had a wrong or missing secret: enter the SCIM secret of this directory in the identity provider, or rotate it if it is lost.`
    : `${last} could not be authenticated: ${problem}. Correct the identity provider, or the OAuth client of this directory.`
}

function times(count: number): string {
  return count === 1 ? 'request' : `${count} requests`
}

/** The client whose secret has expired or expires first. */
function expiringCredential({ oauthClients, now }: HealthFacts): Found {
  const [first] = oauthClients
    .flatMap(({ id, expiresAt }) => (expiresAt === undefined ? [] : [{ id, expiresAt }]))
    .sort((a, b) => a.expiresAt - b.expiresAt)
  if (first === undefined || first.expiresAt - expiryWarningMs > now) return undefined
  const at = new Date(first.expiresAt).toISOString()
  const message =
    first.expiresAt > now
      ? `The secret of the OAuth client ${first.id} expires at ${at}: create another client, enter it in the identity provider, then delete this one.`
      : `The secret of the OAuth client ${first.id} has expired, at ${at}: enter another client in the identity provider if it still uses this one, then delete it.`
  return { code: 'credential-expiring', state: 'attention', message, since: first.expiresAt - expiryWarningMs }
}

function pullReasons(pulled: PulledFacts, facts: HealthFacts): Found[] {
  const { authorization, lastSync } = pulled
  return [
    connectionReason(authorization, lastSync, facts.createdAt),
    lastSync && syncReason(lastSync),
    goneReason(pulled),
    unscheduledReason(pulled, facts),
  ]
}

/** A product may start the syncs itself: by the cron route, or as a library. */
function unscheduledReason({ authorization, lastSync, isScheduled }: PulledFacts, facts: HealthFacts): Found {
  if (isScheduled || facts.deactivated || authorization !== 'authorized') return undefined
  const isByProduct = lastSync?.trigger === 'cron' || lastSync?.trigger === 'library'
  if (isByProduct && facts.now - lastSync.startedAt < startedByProductMs) return undefined
  const message =
    'No sync is scheduled, so changes in Google Workspace do not arrive by themselves: set DSYNC_EXTDIR_CRON_INTERVAL to more than 0, or have a scheduler of your own start syncs at least once a day.'
  return { code: 'sync-not-scheduled', state: 'attention', message, since: lastSync?.finishedAt }
}

function connectionReason(
  authorization: PulledFacts['authorization'],
  lastSync: LastSync | undefined,
  createdAt: number,
): Found {
  if (authorization === 'authorized') return undefined
  if (authorization === 'none') {
    const message =
      'The directory is not connected to Google Workspace yet: send an authorization URL to the administrator, or set a service account.'
    return { code: 'not-connected', state: 'attention', message, since: createdAt }
  }
  const message =
    'Google no longer accepts the credentials of this directory: an administrator has to authorize it again.'
  return { code: 'connection-lost', state: 'failing', message, since: lastSync?.finishedAt }
}

function syncReason({ state, error, startedAt, finishedAt = startedAt }: LastSync): Found {
  if (state === 'failed') {
    const message = `The last sync failed: ${error ?? 'the reason is unknown.'}`
    return { code: 'sync-failed', state: 'failing', message, since: finishedAt }
  }
  if (state !== 'held') return undefined
  const message =
    'The last sync holds deletions, because there are too many: check them in its list, then approve the run or correct Google Workspace.'
  return { code: 'sync-held', state: 'attention', message, since: finishedAt }
}

function goneReason({ goneGroups = [], lastSync }: PulledFacts): Found {
  if (goneGroups.length === 0) return undefined
  const message = goneGroupsText(goneGroups)
  return { code: 'group-gone', state: 'attention', message, since: lastSync?.finishedAt }
}

/** The holds that hold an event: that of a directory whose users are to be linked begins before there is any. */
export function holdsOfEvents({ holds, lastSequence }: StoredHealth): readonly StoredHold[] {
  return holds.filter(({ firstSequence }) => firstSequence <= lastSequence)
}

function held({ stored }: HealthFacts): Found {
  const holds = holdsOfEvents(stored)
  if (holds.length === 0) return undefined
  const isIntended = holds.every(({ reason }) => reason === 'adoption')
  const advice = isIntended
    ? `. ${adoptionAdvice}`
    : ': check whether that is intended, then release or discard the hold.'
  const message = `The events of this directory are held, because ${holds.map(holdCause).join(', and ')}${advice}`
  return { code: 'held', state: 'attention', message, since: Math.min(...holds.map(({ since }) => since)) }
}

function holdCause({ reason, role, removals }: StoredHold): string {
  if (role !== undefined) return shortageText(role)
  if (reason === 'adoption') return adoptionText
  const [count, after] = removals === 0 ? ['too many', ' and are back now'] : [removals, '']
  return `${count} ${reason} were removed within a short time${after}`
}

function noConsumer({ stored, hasEndpoint, hasOnEvent, now }: HealthFacts): Found {
  if (hasEndpoint || hasOnEvent || stored.feedReadAt !== undefined) return undefined
  const first = firstBehaviorAt(stored)
  if (first === undefined || now - first < unconsumedMs) return undefined
  const message =
    'Nobody receives the events of this directory: set an endpoint, or read the feed. If the product only reads users and groups, this needs no action.'
  return { code: 'no-consumer', state: 'attention', message, since: first }
}

function firstBehaviorAt({ behaviors }: StoredHealth): number | undefined {
  const first = Math.min(...Object.values(behaviors).map((observed) => observed?.firstAt ?? Number.POSITIVE_INFINITY))
  return Number.isFinite(first) ? first : undefined
}

function deliveryReasons(facts: HealthFacts): Found[] {
  return [pausedReason(facts) ?? failingReason(facts) ?? behindReason(facts), deadReason(facts)]
}

const pauses = {
  gone: 'the endpoint answered 410. Set another endpoint, or resume delivery when it works again.',
  failing: 'every attempt has failed for five days. Fix the endpoint, then resume delivery.',
  operator: 'an operator paused it. Resume delivery to continue.',
} as const

function pausedReason({ stored: { stream } }: HealthFacts): Found {
  if (stream.pause === undefined) return undefined
  const { reason, at } = stream.pause
  const message = `Delivery is paused: ${pauses[reason]}`
  return { code: 'delivery-paused', state: reason === 'operator' ? 'attention' : 'failing', message, since: at }
}

function failingReason({ stored: { stream } }: HealthFacts): Found {
  const { failures, failingSince: since, lastError } = stream
  if (failures === 0) return undefined
  const error = lastError === undefined ? '' : `: the endpoint ${lastError}`
  const message = `The last ${failures === 1 ? 'attempt' : `${failures} attempts`} to send an event failed${error}. Check the endpoint; events wait and are sent in order.`
  return { code: 'delivery-failing', state: failures >= maxFailures ? 'failing' : 'attention', message, since }
}

/** Ignores deactivated and held directories: they send nothing, which has a reason of its own. */
function behindReason({ stored: { oldestUndeliveredAt: since, holds }, deactivated, now }: HealthFacts): Found {
  if (deactivated || holds.length > 0 || since === undefined || now - since < backlogMs) return undefined
  const message =
    'Events have been waiting for more than five minutes: the endpoint is slow or, in batch mode, nobody has called for a delivery. Check the endpoint and the running processes.'
  return { code: 'delivery-behind', state: 'attention', message, since }
}

function deadReason({ stored: { deadEvents, deadSince: since } }: HealthFacts): Found {
  if (deadEvents === 0) return undefined
  const events = deadEvents === 1 ? 'An event was' : `${deadEvents} events were`
  const message = `${events} set aside, rejected by the endpoint permanently or skipped by somebody: see the dead events, fix the endpoint, and replay them.`
  return { code: 'dead-events', state: 'attention', message, since }
}

function overdue({ stored: { overdue: count, overdueSince: since } }: HealthFacts): Found {
  if (count === 0) return undefined
  const who = count === 1 ? 'a user' : `${count} users`
  const message = `The product was not notified in time that ${who} lost access, and may still let them in. See the overdue deprovisionings.`
  return { code: 'deprovisioning-overdue', state: 'failing', message, since }
}
