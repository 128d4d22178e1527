import type { Directory } from '../../directory/directory.ts'
import type { DeliveryRecorder } from '../log/recorder.ts'
import { eventPayload } from '../payload.ts'
import type { Batch, Send } from '../send.ts'
import type { EndpointClient } from './client.ts'
import { signingSecrets } from './endpoint-secrets.ts'
import { olderSignature, signatureHeaders } from './signature.ts'

export interface EndpointSenderOptions {
  readonly client: Pick<EndpointClient, 'post'>
  /** Unix milliseconds. */
  readonly clock: () => number
  /** Of Rollcall, for `user-agent`. */
  readonly version: string
  /** The name of the header that carries the older form of the signature; without it there is none. */
  readonly olderSignatureHeader?: string | undefined
  /** Whether every body is a list of events (design §7.3). */
  readonly isBatched?: boolean
  /** Takes what became of every attempt, for directories whose deliveries are logged. */
  readonly recorder?: DeliveryRecorder | undefined
}

/** Sends events to the endpoint of their directory, signed by Standard Webhooks. */
export function createEndpointSender({
  client,
  clock,
  version,
  olderSignatureHeader,
  isBatched = false,
  recorder,
}: EndpointSenderOptions): Send {
  const fixed = { 'content-type': 'application/json', 'user-agent': `Rollcall/${version}` }
  return async (directory, parcel, attempt, signal) => {
    const { endpoint } = directory
    if (endpoint === undefined) return { kind: 'failed', reason: 'the directory has no endpoint', latencyMs: 0 }
    const body = isBatched ? batchPayload(parcel, directory) : eventPayload(parcel[0], directory)
    const id = isBatched ? batchId(parcel) : parcel[0].id
    const atMs = clock()
    const { url, secret } = endpoint
    const secrets = signingSecrets(endpoint, atMs)
    const signed = signatureHeaders({ id, timestamp: Math.floor(atMs / 1000), body, secrets })
    const older = olderSignatureHeader && { [olderSignatureHeader]: olderSignature({ secret, body, atMs }) }
    const delivery = await client.post(url, { ...fixed, ...signed, ...older }, body, signal)
    if (directory.logWebhookEvents) recorder?.record({ directory, events: parcel, attempt, delivery, payload: body })
    return delivery
  }
}

function batchPayload(parcel: Batch, directory: Directory): string {
  return `[${parcel.map((event) => eventPayload(event, directory)).join(',')}]`
}

/** The same for the same events, and for no others: where they begin and where they end. */
function batchId(parcel: Batch): string {
  const [first] = parcel
  return `${first.id}-${(parcel.at(-1) ?? first).sequence}`
}
