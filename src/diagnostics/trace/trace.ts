import type { AttemptStore } from '../../delivery/log/attempt-store.ts'
import { eventObject } from '../../delivery/payload.ts'
import type { Directory } from '../../directory/directory.ts'
import { DirectoryError } from '../../directory/errors.ts'
import { TokenPagingInput } from '../../directory/inputs.ts'
import { isText, isWhole, pageTokens } from '../../reads/page.ts'
import { parseQuery } from '../../reads/paging.ts'
import type { RollcallEvent } from '../../webhooks/event.ts'
import type { BodyOmitted, FoundRequest, RequestLogStore } from '../requests/request-log-store.ts'
import type { RequestView } from '../requests/view.ts'
import { requestView } from '../requests/view.ts'
import type { ResourceChange } from './change.ts'
import { changeOf } from './change.ts'
import type { DeliveryAttemptView } from './deliveries.ts'
import { deliveriesOf } from './deliveries.ts'
import type { TracedEvent, TracePosition, TraceStore } from './trace-store.ts'
import { traceStart } from './trace-store.ts'

const eventsPerPage = 100

const traceTokens = pageTokens<TracePosition>({ requestId: isText, sequence: isWhole })

/** The effects of a request or sync run. */
export interface Trace {
  /** Null for a sync run, for a request of the directory-sync API, and for a request that is not in the log. */
  readonly request: (RequestView & { readonly body: unknown; readonly body_omitted: BodyOmitted | null }) | null
  /** One for each event of the page that reports a change. */
  readonly changes: readonly ResourceChange[]
  readonly events: readonly (RollcallEvent & { readonly deliveries: readonly DeliveryAttemptView[] })[]
}

export interface TracePage {
  readonly data: Trace
  /** The token of the next events. */
  readonly pageToken: string | undefined
}

export interface TracesParts {
  readonly store: Pick<RequestLogStore, 'findRequest'> & TraceStore & Pick<AttemptStore, 'attemptsOf'>
  /** @throws DirectoryError `directory-not-found` */
  readonly directoryOf: (id: string) => Promise<Directory>
  /** Writes buffered records. */
  readonly flush: () => Promise<unknown>
}

/** Traces of requests as the API offers them. Queries have the field names of the API and are validated here. */
export type Traces = ReturnType<typeof createTraces>

export function createTraces({ store, directoryOf, flush }: TracesParts) {
  return {
    /**
     * The trace of a request: at most 100 of its events, unless the query has another limit.
     *
     * @param isVisible whether the caller may read a directory
     * @throws DirectoryError `invalid-input`, `resource-not-found`
     */
    async get(requestId: string, query: unknown, isVisible: (directory: Directory) => boolean): Promise<TracePage> {
      const { pageLimit: limit = eventsPerPage, pageToken } = parseQuery(TokenPagingInput, query)
      const after = traceTokens.read(pageToken) ?? traceStart
      await flush()
      const found = await store.findRequest(requestId)
      const read = await store.eventsOfRequest(requestId, after, limit + 1)
      const events = read.filter((event) => belongsTo(requestId, event)).slice(0, limit)
      const directoryId = found?.directoryId ?? events[0]?.directoryId ?? (await store.directoryOfRun(requestId))
      const directory = directoryId === undefined ? undefined : await visibleDirectory(directoryId)
      if (directory === undefined || !isVisible(directory)) throw notFound()
      const last = read.length > events.length ? events.at(-1)?.event : undefined
      return {
        data: await traceOf(directory, found, events),
        pageToken: last && traceTokens.write(last),
      }
    },
  }

  async function visibleDirectory(id: string): Promise<Directory | undefined> {
    return directoryOf(id).catch((error: unknown) => {
      if (error instanceof DirectoryError) return undefined
      throw error
    })
  }

  async function traceOf(
    directory: Directory,
    found: FoundRequest | undefined,
    traced: readonly TracedEvent[],
  ): Promise<Trace> {
    const events = traced.map(({ event }) => event)
    const sequences = events.map(({ sequence }) => sequence)
    const deliveries = await deliveriesOf(store, directory.id, sequences)
    return {
      request: found === undefined ? null : foundRequestView(found),
      changes: events.map(changeOf).filter((change) => change !== undefined),
      events: events.map((event) => ({
        ...eventObject(event, directory),
        deliveries: deliveries.get(event.sequence) ?? [],
      })),
    }
  }
}

/** Returns whether an event was caused by a request, or by an operation of a bulk request. */
function belongsTo(requestId: string, { event }: TracedEvent): boolean {
  return event.requestId === requestId || event.requestId.startsWith(`${requestId}.`)
}

function foundRequestView({ request, body }: FoundRequest): NonNullable<Trace['request']> {
  return {
    ...requestView(request),
    body: body === null ? null : (JSON.parse(body) as unknown),
    body_omitted: request.bodyOmitted,
  }
}

function notFound(): DirectoryError {
  return new DirectoryError(
    'resource-not-found',
    'There is no request or sync run with this id, or it is no longer recorded.',
  )
}
