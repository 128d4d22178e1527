import type { AuditAction, Audited, AuditWrite, Caller } from '../directory/audit.ts'
import { directoryTarget } from '../directory/audit.ts'
import type { Directory } from '../directory/directory.ts'
import { DirectoryError, throwProblems } from '../directory/errors.ts'
import type { StoredEvent } from '../directory/event.ts'
import { parseInput } from '../directory/inputs.ts'
import type { Static } from '../inputs/json-schema.ts'
import { Type } from '../inputs/json-schema.ts'
import { toJsonText } from '../scim/json-text.ts'
import type { AttemptResult, Send } from './attempt.ts'
import type { DeadEventListParts } from './dead-events.ts'
import { listDeadEvents } from './dead-events.ts'
import type { EventStore, StreamChange, StreamStatus } from './event-store.ts'
import { eventObject } from './payload.ts'
import { deliveryState, outcomeOf, pauseStream, replayAfter, resumeStream, skipEvent } from './policy.ts'

const target = 'endpoint'

const sequenceOf = (description: string) => Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description })

/** The time of the first event to send again. */
export const sinceInput = Type.String({
  description: 'since: a time such as 2026-11-20T08:00:00Z; sends all events since then again.',
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,9})?)?(Z|[+-]\\d\\d:\\d\\d)$',
})

/** The events to send again: exactly one of the fields must be set. */
export const ReplayInput = Type.Object(
  {
    sequence: Type.Optional(sequenceOf('sequence: the sequence of the event to send again, a whole number from 1.')),
    from_sequence: Type.Optional(
      sequenceOf('from_sequence: the sequence of the first event to send again, a whole number from 1.'),
    ),
    since: Type.Optional(sinceInput),
  },
  { title: 'ReplayInput', examples: [{ sequence: 1 }] },
)
export type ReplayInput = Static<typeof ReplayInput>

/** The reason to skip an event. */
export const SkipInput = Type.Object(
  {
    reason: Type.String({
      description:
        'reason: why the event is skipped, for the audit trail; text of 1 to 500 characters, without control characters.',
      maxLength: 500,
      pattern: '^\\s*[^\\p{Cc}\\p{Cs}\\s][^\\p{Cc}\\p{Cs}]*$',
    }),
  },
  { title: 'SkipInput', examples: [{ reason: 'The CRM cannot store this name; the user was created by hand.' }] },
)

const integerBetween = (field: string, minimum: number, maximum: number) =>
  Type.Integer({ minimum, maximum, description: `${field}: a whole number from ${minimum} to ${maximum}.` })

/** A page of the dead events, starting after a sequence. */
export const DeadEventsInput = Type.Object({
  after: Type.Optional(integerBetween('after', 0, Number.MAX_SAFE_INTEGER)),
  limit: Type.Optional(integerBetween('limit', 1, 1000)),
})

export interface DeliveryControlParts {
  readonly store: EventStore
  readonly directories: DeadEventListParts['directories'] & { get(id: string): Promise<Directory> }
  readonly audited: Audited
  readonly send: Send
  readonly clock: () => number
  readonly newId: () => string
  /** The name of whoever paused delivery last; undefined when it is not known. */
  readonly pausedBy: (directoryId: string) => Promise<string | undefined>
  /** Called when a stream may have something to send. */
  readonly onChange: (directory: Directory) => void
}

/** The operations on the delivery of a directory's events to its endpoint. All of them are idempotent. */
export type DeliveryControl = ReturnType<typeof createDeliveryControl>

/** Inputs use the field names of the API and are validated here. */
export function createDeliveryControl(parts: DeliveryControlParts) {
  return {
    /** @throws DirectoryError `directory-not-found` */
    status: (id: string) => statusOf(parts, id),
    /** Sends nothing until `resume`. @throws DirectoryError `directory-not-found` */
    async pause(id: string, caller: Caller) {
      const { pause } = await streamOf(parts, id)
      if (pause?.reason === 'operator') return statusOf(parts, id)
      return changeStream(parts, id, pauseStream(parts.clock()), 'delivery.paused', caller)
    },
    /** Immediately continues where the stream stopped. @throws DirectoryError `directory-not-found` */
    async resume(id: string, caller: Caller) {
      const { pause, failures } = await streamOf(parts, id)
      // A stream without problems keeps its lease: otherwise the event in flight would be sent again.
      if (pause === undefined && failures === 0) return statusOf(parts, id)
      return changeStream(parts, id, resumeStream, 'delivery.resumed', caller)
    },
    /** @throws DirectoryError `directory-not-found`, `invalid-input` */
    deadEvents: (id: string, query: unknown) => deadEvents(parts, id, query),
    /** Those of many directories, newest first. @throws DirectoryError `invalid-input`, `directory-not-found` */
    deadEventsIn: (query: unknown) => listDeadEvents(parts, query),
    /**
     * Sends events again: a single one, even if it is dead, or all from a sequence or a time onwards.
     *
     * @throws DirectoryError `directory-not-found`, `resource-not-found` when the event does not exist, `invalid-input`
     */
    replay: (id: string, input: unknown, caller: Caller) => replay(parts, id, input, caller),
    /**
     * Sets aside the event that blocks the stream, which goes on with the next one. It can be replayed.
     *
     * @throws DirectoryError `directory-not-found`, `resource-not-found` when the event does not exist, `not-blocking` when
     * it does not block the stream or is held, `invalid-input`
     */
    skip: (id: string, sequence: number, input: unknown, caller: Caller) => skip(parts, id, sequence, input, caller),
    /**
     * Makes one attempt to send a test event, which does not change the stream.
     *
     * @throws DirectoryError `directory-not-found`, `invalid-input` without an endpoint
     */
    sendTest: (id: string) => sendTest(parts, id),
  }
}

async function statusOf({ directories, store, pausedBy }: DeliveryControlParts, id: string) {
  const { deactivated, endpoint } = await directories.get(id)
  const stream = await streamOf({ store }, id)
  const by = stream.pause?.reason === 'operator' ? await pausedBy(id) : undefined
  return statusView(stream, deactivated || endpoint === undefined, by)
}

async function streamOf({ store }: Pick<DeliveryControlParts, 'store'>, id: string): Promise<StreamStatus> {
  const found = await store.streamStatus(id, target)
  if (found === undefined) throw directoryNotFound()
  return found
}

async function changeStream(
  parts: DeliveryControlParts,
  id: string,
  change: StreamChange,
  action: AuditAction,
  caller: Caller,
) {
  const directory = await parts.directories.get(id)
  const audit = auditOf(parts, directory, action, caller)
  if (!(await parts.store.changeStream(id, target, change, audit))) throw directoryNotFound()
  parts.onChange(directory)
  return statusOf(parts, id)
}

function auditOf(
  { audited, clock }: DeliveryControlParts,
  directory: Directory,
  action: AuditAction,
  caller: Caller,
): AuditWrite {
  return audited({ action, caller, target: directoryTarget(directory), at: clock() })
}

async function deadEvents({ directories, store }: DeliveryControlParts, id: string, query: unknown) {
  const { after = 0, limit = 100 } = parseInput(DeadEventsInput, query)
  const directory = await directories.get(id)
  const found = await store.deadEvents(id, target, after, limit + 1)
  const page = found.slice(0, limit)
  const rows = page.map(({ sequence, diedAt, reason, isSkipped = false, event }) => ({
    sequence,
    died_at: new Date(diedAt).toISOString(),
    reason,
    skipped: isSkipped,
    payload: eventObject(event, directory),
  }))
  return { rows, next: found.length > limit ? page.at(-1)?.sequence : undefined }
}

async function replay(parts: DeliveryControlParts, id: string, input: unknown, caller: Caller) {
  const { sequence, from_sequence: from, since } = parseInput(ReplayInput, input)
  await parts.directories.get(id)
  if ([sequence, from, since].filter((field) => field !== undefined).length !== 1) {
    throw new DirectoryError('invalid-input', 'Send exactly one of sequence, from_sequence and since.')
  }
  if (sequence !== undefined) return replayOne(parts, id, sequence, caller)
  const first = from ?? (await parts.store.sequenceAt(id, parseTime(since ?? '')))
  // Events that are no longer stored cannot be sent again: the stream would wait for them.
  const [event] = first === undefined ? [] : await parts.store.eventsAfter(id, first - 1, 1)
  if (event === undefined) return statusOf(parts, id)
  return changeStream(parts, id, replayAfter(event.sequence - 1), 'delivery.replayed', caller)
}

async function replayOne(parts: DeliveryControlParts, id: string, sequence: number, caller: Caller) {
  const directory = await parts.directories.get(id)
  const audit = auditOf(parts, directory, 'delivery.replayed', caller)
  if (!(await parts.store.requestReplay(id, target, sequence, parts.clock(), audit))) {
    throw eventNotFound()
  }
  parts.onChange(directory)
  return statusOf(parts, id)
}

function eventNotFound(): DirectoryError {
  return new DirectoryError('resource-not-found', 'There is no event with this sequence, or it is no longer stored.')
}

async function skip(parts: DeliveryControlParts, id: string, sequence: number, input: unknown, caller: Caller) {
  const { reason } = parseInput(SkipInput, input)
  const { store, directories, audited, clock } = parts
  const directory = await directories.get(id)
  const [dead] = await store.deadEvents(id, target, sequence - 1, 1)
  if (dead?.sequence === sequence && dead.isSkipped === true) return statusOf(parts, id)
  const stream = await streamOf(parts, id)
  if (sequence > stream.lastSequence) throw eventNotFound()
  // An event that is not held cannot become held later: a hold begins with a new event.
  const [event] = await store.eventsAfter(id, sequence - 1, 1)
  if (event?.sequence !== sequence && sequence > stream.deliveredSequence) throw isHeld()
  const isOff = directory.deactivated || directory.endpoint === undefined
  const [draft, change] = [
    { caller, target: directoryTarget(directory), at: clock() },
    { from: null, to: sequence },
  ]
  const changes = { skipped: change, reason: { from: null, to: reason } }
  const audit = audited({ action: 'delivery.skipped', ...draft, changes })
  if (isOff || !(await store.changeStream(id, target, skipEvent(sequence, reason, draft.at), audit))) {
    throw isNotBlocking(stream)
  }
  parts.onChange(directory)
  return statusOf(parts, id)
}

function isHeld(): DirectoryError {
  const message = 'This event is held: release or discard the hold. Only an event that blocks delivery can be skipped.'
  return new DirectoryError('not-blocking', message)
}

function isNotBlocking({ deliveredSequence }: StreamStatus): DirectoryError {
  const message = `This event does not block delivery: only the next event of a directory, now ${deliveredSequence + 1}, can be skipped, while its attempts fail or delivery is paused.`
  return new DirectoryError('not-blocking', message)
}

/** @throws DirectoryError `invalid-input` for an impossible time, such as the 45th of a month */
function parseTime(since: string): number {
  const time = Date.parse(since)
  if (Number.isNaN(time)) throwProblems([{ field: 'since', message: 'since: this time does not exist.' }])
  return time
}

async function sendTest({ directories, send, newId, clock }: DeliveryControlParts, id: string) {
  const directory = await directories.get(id)
  if (directory.endpoint === undefined) {
    throw new DirectoryError('invalid-input', 'The directory has no endpoint: set webhook_url first.')
  }
  const result = await send(directory, [testEvent(newId(), clock())], 1, new AbortController().signal)
  return testView(result)
}

/** Creates a test event. Sequence 0 is outside the directory's sequence. */
function testEvent(id: string, createdAt: number): StoredEvent {
  const data = toJsonText({ message: 'This is a test: nothing has changed.' })
  return { id, sequence: 0, eventType: 'endpoint.test', createdAt, requestId: id, data }
}

function testView(result: AttemptResult) {
  const outcome = outcomeOf(result)
  return {
    delivered: outcome === 'delivered',
    status_code: result.kind === 'response' ? result.status : null,
    latency_ms: Math.round(result.latencyMs),
    error: outcome === 'delivered' ? null : outcome.reason,
  }
}

function statusView(stream: StreamStatus, isOff: boolean, by: string | undefined) {
  const { deliveredSequence, lastSequence, failures, nextAttemptAt, pause } = stream
  return {
    state: deliveryState(stream, { isOff, isHeld: stream.isHeld }),
    delivered_sequence: deliveredSequence,
    last_sequence: lastSequence,
    undelivered: lastSequence - deliveredSequence,
    failures,
    failing_since: isoTime(stream.failingSince),
    next_attempt_at: pause === undefined ? isoTime(nextAttemptAt) : null,
    paused: pause === undefined ? null : { reason: pause.reason, at: new Date(pause.at).toISOString(), by: by ?? null },
    dead_events: stream.deadEvents,
  } as const
}

function isoTime(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString()
}

function directoryNotFound(): DirectoryError {
  return new DirectoryError('directory-not-found', 'There is no such directory.')
}
