import type { DeliveryTarget, EventStore, StreamStatus } from '../../delivery/event-store.ts'
import type { HoldStore } from '../../delivery/hold/hold-store.ts'
import type { Directory } from '../../directory/directory.ts'
import type { StoredEvent } from '../../directory/event.ts'
import type { GoogleStore } from '../../google/google-store.ts'
import { isSomebodyElse, maxRejected } from '../health/failures.ts'
import type { HealthStore, StoredHealth } from '../health/health-store.ts'
import type { RequestLogStore } from '../requests/request-log-store.ts'
import { maxRequestsExamined, newestRequest } from '../requests/request-log-store.ts'
import type { DeliveryFacts, EventFacts, ExplainFacts, SyncFacts } from './facts.ts'
import type { Subject } from './subjects.ts'

export type FactStore = Pick<EventStore, 'streamStatus' | 'deadEvents'> &
  Pick<GoogleStore, 'listSyncRuns' | 'heldAmong'> &
  Pick<HealthStore, 'storedHealth'> &
  Pick<HoldStore, 'getHolds'> &
  Pick<RequestLogStore, 'listRequests'>

/** What the request log keeps of a directory. */
export interface RequestLogLimits {
  /** 0: the log is off. */
  readonly days: number
  /** The number of the newest requests. */
  readonly requests: number
}

export interface FactOptions {
  readonly store: FactStore
  /** Whether events are also sent to an `onEvent` callback. */
  readonly hasOnEvent: boolean
  readonly requestLog: RequestLogLimits
  readonly now: number
}

/** Reads all facts that the verdict about a subject depends on: a few rows, whatever the size of the directory. */
export async function readFacts(
  { store, hasOnEvent, requestLog, now }: FactOptions,
  directory: Directory,
  asked: string,
  subject: Subject,
  events: readonly StoredEvent[],
): Promise<ExplainFacts> {
  const { id, name, directoryType: type, deactivated } = directory
  const target = targetOf(directory, hasOnEvent)
  const [health, newest, stream, holds, sync] = await Promise.all([
    store.storedHealth([id], 0).then((found) => found.get(id)),
    store.listRequests(id, {}, { before: newestRequest, limit: 1 }),
    target === 'none' ? undefined : store.streamStatus(id, target),
    store.getHolds(id),
    readSync(store, directory, subject),
  ])
  const [last] = newest.requests
  const lastRequestAt = last?.at ?? health?.lastRequestAt
  const loggedSince = await logBegin(store, directory, last?.position ?? 0, requestLog, now)
  return {
    ...{ now, asked, resource: subject.resource, requests: subject.requests, sync },
    directory: { name, type, deactivated, lastRequestAt, loggedSince },
    events: await eventFacts(store, id, target, stream, events),
    delivery: deliveryFacts(target, stream, health),
    holds: holds.map(({ since, reason, role, firstSequence }) => ({ since, reason, role, firstSequence })),
    failedAuthentications: health && failedAuthentications(health),
  }
}

const dayMs = 86_400_000

/** The time since when the log can have every request: it begins with the directory, and is limited in days and requests. */
export function oldestLogged(createdAt: number, { days }: RequestLogLimits, now: number): number | undefined {
  return days === 0 ? undefined : Math.max(createdAt, now - days * dayMs)
}

/** The time since when every request of a directory is searched. */
async function logBegin(
  { listRequests }: FactStore,
  { id, createdAt }: Directory,
  lastPosition: number,
  limits: RequestLogLimits,
  now: number,
): Promise<number | undefined> {
  const oldest = oldestLogged(createdAt, limits, now)
  const searched = Math.min(limits.requests, maxRequestsExamined)
  if (oldest === undefined || lastPosition <= searched) return oldest
  const { requests } = await listRequests(id, {}, { before: lastPosition - searched + 2, limit: 1 })
  return Math.max(oldest, requests[0]?.at ?? 0)
}

/** Returns whether the identity provider of a directory sends a wrong secret. */
export function rejectsProvider(health: StoredHealth | undefined): boolean {
  const failed = health && failedAuthentications(health)
  return failed !== undefined && failed.sinceLastSuccess >= maxRejected
}

/** The failed authentications of the identity provider; those of another sender explain nothing. */
function failedAuthentications(health: StoredHealth): ExplainFacts['failedAuthentications'] {
  const { failed } = health
  if (failed === undefined || isSomebodyElse(health)) return undefined
  const { sinceSuccess: sinceLastSuccess, lastAt, since, problem } = failed
  return { sinceLastSuccess, lastAt, since, problem }
}

function targetOf({ endpoint }: Directory, hasOnEvent: boolean): DeliveryTarget | 'none' {
  if (endpoint !== undefined) return 'endpoint'
  return hasOnEvent ? 'on-event' : 'none'
}

function deliveryFacts(
  target: DeliveryFacts['target'],
  stream: StreamStatus | undefined,
  health: StoredHealth | undefined,
): DeliveryFacts {
  if (target !== 'none' && stream !== undefined) {
    const { deliveredSequence, failures, failingSince, nextAttemptAt, lastError, pause } = stream
    return { target, deliveredSequence, failures, failingSince, nextAttemptAt, lastError, pause }
  }
  const idle = {
    failures: 0,
    failingSince: undefined,
    nextAttemptAt: undefined,
    lastError: undefined,
    pause: undefined,
  }
  return { ...idle, target, deliveredSequence: feedSequence(health) }
}

/** The sequence up to which the feed was read: the last one if it was read after the last change. */
function feedSequence(health: StoredHealth | undefined): number {
  const { feedReadAt, lastChangeAt = 0, lastSequence = 0 } = health ?? {}
  return feedReadAt !== undefined && feedReadAt >= lastChangeAt ? lastSequence : 0
}

/** The events, with the details of dead ones. */
async function eventFacts(
  store: FactStore,
  directoryId: string,
  target: DeliveryTarget | 'none',
  stream: StreamStatus | undefined,
  events: readonly StoredEvent[],
): Promise<EventFacts[]> {
  const hasDead = target !== 'none' && (stream?.deadEvents ?? 0) > 0
  return Promise.all(
    events.map(async ({ sequence, eventType: type, createdAt }) => {
      const [dead] = hasDead ? await store.deadEvents(directoryId, target, sequence - 1, 1) : []
      if (dead?.sequence !== sequence) return { sequence, type, createdAt, dead: undefined }
      const { diedAt: at, reason, isSkipped } = dead
      return { sequence, type, createdAt, dead: { at, reason, isSkipped } }
    }),
  )
}

async function readSync(
  store: FactStore,
  { id, google }: Directory,
  { resource }: Subject,
): Promise<SyncFacts | undefined> {
  if (google === undefined) return undefined
  const [lastRun] = await store.listSyncRuns(id, undefined, 1)
  const mayBeHeld = lastRun?.state === 'held' && resource !== undefined
  const kind = resource?.type === 'Group' ? 'group' : 'user'
  const held = mayBeHeld ? await store.heldAmong(id, lastRun.id, kind, [resource.id]) : new Set()
  return {
    isConnected: (google.refreshToken ?? google.accessToken ?? google.serviceAccount) !== undefined,
    authorizationNeeded: google.authorizationNeeded,
    lastRun,
    isDeletionHeld: held.size > 0,
  }
}
