import type { TracedDelivery } from '../../tracing/delivery-span.ts'
import type { Tracing } from '../../tracing/tracing.ts'
import type { Batch, Send } from '../attempt.ts'
import { lastSequenceOf } from '../attempt.ts'
import type { DeliveryRecorder } from '../log/recorder.ts'
import type { EventDirectory } from '../payload.ts'
import { eventPayload } from '../payload.ts'
import type { EndpointClient } from './client.ts'
import { postWithHeaders } from './client.ts'
import { directoryHeaders } from './directory-headers.ts'
import { olderSignature, signatureHeaders, signingSecrets } from './signature.ts'

export interface EndpointSenderOptions {
  readonly client: Pick<EndpointClient, 'post'>
  /** Unix milliseconds. */
  readonly clock: () => number
  /** The version of Rollcall in `user-agent`. */
  readonly version: string
  /** The names of the headers for the older form of the signature; without one only the Standard Webhooks form is sent. */
  readonly olderSignatureHeaders?: readonly string[] | undefined
  /** Translates a payload, for products that expect another form. */
  readonly translate?: ((payload: string) => string) | undefined
  /** Whether a body is always a JSON array of events. */
  readonly isBatched?: boolean
  /** Records the attempts of directories that have a delivery log. */
  readonly recorder?: DeliveryRecorder | undefined
  readonly tracing?: Tracing | undefined
}

/** Sends events to the endpoints of their directories, signed as in Standard Webhooks. */
export function createEndpointSender({
  client,
  clock,
  version,
  olderSignatureHeaders = [],
  translate = (payload) => payload,
  isBatched = false,
  recorder,
  tracing,
}: EndpointSenderOptions): Send {
  const fixedHeaders = { 'content-type': 'application/json', 'user-agent': `Rollcall/${version}` }
  return async (directory, batch, attempt, signal) => {
    const { endpoint } = directory
    if (endpoint === undefined) return { kind: 'failed', reason: 'the directory has no endpoint', latencyMs: 0 }
    const body = translate(isBatched ? batchPayload(batch, directory) : eventPayload(batch[0], directory))
    const id = isBatched ? batchId(batch) : batch[0].id
    const atMs = clock()
    const { url, secret } = endpoint
    const secrets = signingSecrets(endpoint, atMs)
    const signed = signatureHeaders({ id, timestamp: Math.floor(atMs / 1000), body, secrets })
    const older = olderSignatureHeaders.length === 0 ? undefined : olderSignature({ secret, body, atMs })
    const olderHeaders = older && Object.fromEntries(olderSignatureHeaders.map((name) => [name, older]))
    const span = tracing?.startDelivery(tracedDelivery(directory, url, batch, attempt))
    const headers = { ...fixedHeaders, ...directoryHeaders(directory), ...signed, ...olderHeaders, ...span?.headers }
    const post = () => postWithHeaders(client, endpoint, headers, body, signal)
    const result = await (span === undefined ? post() : span.run(post))
    span?.end(result.kind === 'response' ? result.status : undefined)
    if (directory.logWebhookEvents) recorder?.record({ directory, events: batch, attempt, result, payload: body })
    return result
  }
}

function batchPayload(batch: Batch, directory: EventDirectory): string {
  return `[${batch.map((event) => eventPayload(event, directory)).join(',')}]`
}

/** An id derived from the first event and the last sequence: the same for a retry, different for any other batch. */
function batchId(batch: Batch): string {
  return `${batch[0].id}-${lastSequenceOf(batch)}`
}

function tracedDelivery({ id }: EventDirectory, url: string, batch: Batch, attempt: number): TracedDelivery {
  return { directoryId: id, events: batch, attempt, host: new URL(url).hostname }
}
