import type { DirectoryAccess } from './directory/access.ts'
import { createDirectoryAccess } from './directory/access.ts'
import type { ScimParts } from './directory/answer/answer.ts'
import { answerScim } from './directory/answer/answer.ts'
import { answerBulk } from './directory/answer/bulk/answer-bulk.ts'
import type { ScimAnswer, ScimRequest } from './directory/answer/request.ts'
import type { Directories } from './directory/directories.ts'
import { createDirectories } from './directory/directories.ts'
import type { Directory } from './directory/directory.ts'
import type { DirectoryAnswer } from './directory/directory-answer.ts'
import { directoryAnswer, scimPath } from './directory/directory-answer.ts'
import { createInTurn } from './directory/in-turn.ts'
import { newId } from './directory/new-id.ts'
import type { Reads } from './directory/reads.ts'
import { createReads } from './directory/reads.ts'
import { createTimeSlices } from './directory/time-slices.ts'
import type { OnEvent } from './events/deliver-to-callback.ts'
import { deliverToCallback } from './events/deliver-to-callback.ts'
import { deliverToEndpoint } from './events/deliver-to-endpoint.ts'
import type { Dispatcher, DispatcherOptions } from './events/dispatcher.ts'
import { createDispatcher } from './events/dispatcher.ts'
import { createEndpointClient } from './events/endpoint-client.ts'
import type { DeliveryLog, DeliveryObserver } from './events/observer.ts'
import { newEndpointSecret } from './events/signature.ts'
import { refusalOf } from './refusal.ts'
import type { Store } from './store/store.ts'
import { version } from './version.ts'

/** Hears of what the service does, for metrics. */
export interface ServiceObserver extends DeliveryObserver {
  /** Members that a request named and that nobody in its directory is. */
  membersSkipped(count: number): void
}

export interface ServiceOptions {
  readonly store: Store
  /** Where others reach the service, without a slash at the end; asked when it is needed, once the port is known. */
  readonly externalUrl: () => string
  readonly webhook: {
    readonly timeoutMs: number
    readonly blockPrivate: boolean
    readonly olderSignatureHeader: string | undefined
  }
  /** Takes every event of every directory as an endpoint does: in order, again until it does not throw. */
  readonly onEvent?: OnEvent | undefined
  readonly log: DeliveryLog
  readonly observer: ServiceObserver
}

/** The body of a bulk request, as parsed JSON, and its id. */
export type BulkInput = Pick<ScimRequest, 'body' | 'requestId'>

/** Every part of the service, put together; the library and the HTTP routes are skins over this. */
export interface Service {
  readonly store: Store
  readonly externalUrl: () => string
  readonly directories: Directories
  readonly access: DirectoryAccess
  readonly reads: Reads
  /** See `answerScim`. */
  scim(
    directoryId: string,
    secret: string | undefined,
    request: ScimRequest,
    authorized?: Directory,
  ): Promise<ScimAnswer>
  /** Answers a bulk request to a directory that the caller was let in to; see `answerBulk`. */
  scimBulk(directory: Directory, secret: string | undefined, request: BulkInput): Promise<ScimAnswer>
  answerDirectory(directory: Directory): DirectoryAnswer
  /** Says that a directory was changed and may take its events now. */
  retryDelivery(directoryId: string): void
  /** Starts the delivery of events. */
  start(): void
  /** Finishes the deliveries in flight, then closes the store. */
  close(): Promise<void>
}

/** Puts the service together over an open store. Call `start` for events to be delivered. */
export function createService({ store, externalUrl, webhook, onEvent, log, observer }: ServiceOptions): Service {
  const clock = Date.now
  const access = createDirectoryAccess(store, clock)
  const directories = createDirectories({ store, access, clock, newId, newEndpointSecret })
  const client = createEndpointClient(webhook)
  const common = { store, clock, log, observer } satisfies Partial<DispatcherOptions>
  const { olderSignatureHeader } = webhook
  const toEndpoint = deliverToEndpoint({ client, clock, version, olderSignatureHeader })
  const endpoints = createDispatcher({ ...common, target: 'endpoint', send: toEndpoint })
  const callbacks = onEvent && createDispatcher({ ...common, target: 'on-event', send: deliverToCallback(onEvent) })
  const dispatchers: readonly Dispatcher[] = callbacks === undefined ? [endpoints] : [endpoints, callbacks]

  const onCommit: ScimParts['onCommit'] = ({ id, endpoint }) => {
    if (endpoint !== undefined) endpoints.wake(id)
    callbacks?.wake(id)
  }
  const onSkippedMembers: ScimParts['onSkippedMembers'] = ({ count, ...where }) => {
    observer.membersSkipped(count)
    log.warn({ ...where, count }, 'members were skipped: nobody in the directory has these ids')
  }
  const scimParts = {
    ...{ store, newId, access, clock, externalUrl },
    ...{ inTurn: createInTurn(), slices: createTimeSlices(), onCommit, onSkippedMembers },
  }

  return {
    store,
    externalUrl,
    directories,
    access,
    reads: createReads(store, directories),
    scim: (directoryId, secret, request, authorized) => answerScim(scimParts, directoryId, secret, request, authorized),
    scimBulk: (directory, secret, request) =>
      answerBulk(
        {
          run: (one) => answerScim(scimParts, directory.id, secret, one, directory),
          refusalOf,
          onError: (error, requestId) => log.error({ requestId, err: error }, 'an operation of a bulk request failed'),
        },
        { ...request, scimUrl: `${externalUrl()}${scimPath(directory.id)}` },
      ),
    answerDirectory: (directory) => directoryAnswer(directory, externalUrl()),
    retryDelivery(directoryId) {
      for (const dispatcher of dispatchers) dispatcher.retry(directoryId)
    },
    start() {
      for (const dispatcher of dispatchers) dispatcher.start()
    },
    async close() {
      await Promise.all(dispatchers.map((dispatcher) => dispatcher.close()))
      await client.close()
      await store.close()
    },
  }
}
