import type { Static } from 'typebox'
import { Type } from 'typebox'
import type { AuditAction, Audited, AuditWrite, Caller } from '../directory/audit.ts'
import { directoryTarget } from '../directory/audit.ts'
import type { Directory } from '../directory/directory.ts'
import { DirectoryError, refuseProblems } from '../directory/errors.ts'
import type { StoredEvent } from '../directory/event.ts'
import { parseInput } from '../directory/inputs.ts'
import type { JsonObject } from '../scim/json.ts'
import { toJsonText } from '../scim/json-text.ts'
import { eventObject } from './payload.ts'
import { outcomeOf } from './policy.ts'
import type { Send } from './send.ts'
import type { EventStore, StreamChange, StreamStatus } from './store.ts'
import { paused, resumed, rewound } from './stream-changes.ts'

const target = 'endpoint'

/** Which events are to be sent again: one, or all from a place or a time on. */
export const ReplayInput = Type.Object({
  sequence: Type.Optional(
    Type.Integer({ minimum: 1, description: 'sequence: the number of one event, to be sent once more by itself.' }),
  ),
  from_sequence: Type.Optional(
    Type.Integer({ minimum: 1, description: 'from_sequence: send everything from this number on once more.' }),
  ),
  since: Type.Optional(
    Type.String({
      description: 'since: a time such as 2026-11-20T08:00:00Z; everything from then on is sent once more.',
      pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,9})?)?(Z|[+-]\\d\\d:\\d\\d)$',
    }),
  ),
})
export type ReplayInput = Static<typeof ReplayInput>

const wholeNumber = (field: string, least: number, most: number) =>
  Type.Integer({ minimum: least, maximum: most, description: `${field}: a whole number from ${least} to ${most}.` })

/** Which part of the dead events to list: behind a sequence number. */
export const DeadEventsInput = Type.Object({
  after: Type.Optional(wholeNumber('after', 0, Number.MAX_SAFE_INTEGER)),
  limit: Type.Optional(wholeNumber('limit', 1, 1000)),
})

export interface DeliveryControlParts {
  readonly store: EventStore
  readonly directories: { get(id: string): Promise<Directory> }
  readonly audited: Audited
  readonly send: Send
  readonly clock: () => number
  readonly newId: () => string
  /** Told that a stream may go on. */
  readonly onChange: (directoryId: string) => void
}

/** What an operator does with the delivery of a directory's events to its endpoint; each verb is safe to repeat. */
export type DeliveryControl = ReturnType<typeof createDeliveryControl>

/** Makes the operator's verbs. Inputs are in the API's field names and are checked here. */
export function createDeliveryControl(parts: DeliveryControlParts) {
  const { store, directories, audited, clock, onChange } = parts

  /** @throws DirectoryError `directory-not-found` */
  async function status(id: string) {
    const { deactivated, endpoint } = await directories.get(id)
    return statusAnswer(await stream(id), deactivated || endpoint === undefined)
  }

  async function stream(id: string): Promise<StreamStatus> {
    const found = await store.streamStatus(id, target)
    if (found === undefined) throw notFound()
    return found
  }

  async function written(id: string, action: AuditAction, caller: Caller): Promise<AuditWrite> {
    return audited({ action, caller, target: directoryTarget(await directories.get(id)), at: clock() })
  }

  async function change(id: string, how: StreamChange, action: AuditAction, caller: Caller) {
    if (!(await store.changeStream(id, target, how, await written(id, action, caller)))) throw notFound()
    onChange(id)
    return status(id)
  }

  return {
    status,
    /** Sends nothing more until `resume`. @throws DirectoryError `directory-not-found` */
    pause: async (id: string, caller: Caller) =>
      (await stream(id)).pause?.reason === 'operator'
        ? status(id)
        : change(id, paused(clock()), 'delivery.paused', caller),
    /** Goes on where the stream stopped, at once. @throws DirectoryError `directory-not-found` */
    resume: async (id: string, caller: Caller) =>
      isStopped(await stream(id)) ? change(id, resumed, 'delivery.resumed', caller) : status(id),
    /** @throws DirectoryError `directory-not-found`, `invalid-input` */
    async deadEvents(id: string, query: unknown) {
      const { after = 0, limit = 100 } = parseInput(DeadEventsInput, query)
      const directory = await directories.get(id)
      const found = await store.deadEvents(id, target, after, limit + 1)
      const rows = found.slice(0, limit)
      const next = found.length > limit ? rows.at(-1)?.sequence : undefined
      return { rows: rows.map((one) => deadEventAnswer(one, directory)), next }
    },
    /**
     * Sends events once more: one by itself, also when it is dead; or the stream from a place or a time on.
     *
     * @throws DirectoryError `directory-not-found`, `resource-not-found` for an event that there is not, `invalid-input`
     */
    async replay(id: string, input: unknown, caller: Caller) {
      const fields = parseInput(ReplayInput, input)
      await directories.get(id)
      const { sequence, from_sequence: from, since } = fields
      if ([sequence, from, since].filter((given) => given !== undefined).length !== 1) {
        throw new DirectoryError('invalid-input', 'Send one of sequence, from_sequence and since.')
      }
      if (sequence !== undefined) return replayOne(id, sequence, caller)
      const first = from ?? (await store.sequenceAt(id, timeIn(since ?? '')))
      return first === undefined ? status(id) : change(id, rewound(first - 1), 'delivery.replayed', caller)
    },
    /**
     * Makes one attempt to send an event that tells of nothing, and says what came of it.
     *
     * @throws DirectoryError `directory-not-found`, `invalid-input` without an endpoint
     */
    async sendTest(id: string) {
      const directory = await directories.get(id)
      if (directory.endpoint === undefined) {
        throw new DirectoryError('invalid-input', 'The directory has no endpoint: set webhook_url first.')
      }
      const delivery = await parts.send(directory, [testEvent(parts)], 1, new AbortController().signal)
      const isDelivered = outcomeOf(delivery) === 'delivered'
      const answered = delivery.kind === 'answered'
      return {
        delivered: isDelivered,
        status_code: answered ? delivery.status : null,
        latency_ms: Math.round(delivery.latencyMs),
        error: answered ? (isDelivered ? null : `answered ${delivery.status}`) : delivery.reason,
      }
    },
  }

  async function replayOne(id: string, sequence: number, caller: Caller) {
    const audit = await written(id, 'delivery.replayed', caller)
    if (!(await store.requestReplay(id, target, sequence, clock(), audit))) {
      throw new DirectoryError('resource-not-found', 'There is no event with this sequence number, or no more.')
    }
    onChange(id)
    return status(id)
  }
}

/** What flows is not interrupted: the event under way would be sent again. */
function isStopped({ pause, failures }: StreamStatus): boolean {
  return pause !== undefined || failures > 0
}

function statusAnswer(stream: StreamStatus, isOff: boolean) {
  const { deliveredSequence, lastSequence, failures, nextAttemptAt, pause } = stream
  return {
    state: isOff ? 'off' : pause !== undefined ? 'paused' : failures > 0 ? 'failing' : 'flowing',
    delivered_sequence: deliveredSequence,
    last_sequence: lastSequence,
    undelivered: lastSequence - deliveredSequence,
    failures,
    failing_since: timeOf(stream.failingSince),
    next_attempt_at: pause === undefined ? timeOf(nextAttemptAt) : null,
    paused: pause === undefined ? null : { reason: pause.reason, at: new Date(pause.at).toISOString() },
    dead_events: stream.deadEvents,
  } as const
}

/** @throws DirectoryError `invalid-input` for what looks like a time, such as the 45th of a month */
function timeIn(since: string): number {
  const time = Date.parse(since)
  if (Number.isNaN(time)) refuseProblems([{ field: 'since', message: 'since: there is no such time.' }])
  return time
}

function timeOf(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString()
}

type DeadEventRow = Awaited<ReturnType<EventStore['deadEvents']>>[number]

function deadEventAnswer({ sequence, diedAt, reason, event }: DeadEventRow, directory: Directory) {
  return { sequence, died_at: new Date(diedAt).toISOString(), reason, payload: eventObject(event, directory) }
}

/** It stands outside of the sequence. */
function testEvent({ newId, clock }: Pick<DeliveryControlParts, 'newId' | 'clock'>): StoredEvent {
  const data: JsonObject = { message: 'This is a test: nothing has changed.' }
  const id = newId()
  return { id, sequence: 0, eventType: 'endpoint.test', createdAt: clock(), requestId: id, data: toJsonText(data) }
}

function notFound(): DirectoryError {
  return new DirectoryError('directory-not-found', 'There is no such directory.')
}
