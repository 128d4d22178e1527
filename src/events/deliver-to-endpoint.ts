import type { EndpointClient } from './endpoint-client.ts'
import { eventPayload } from './payload.ts'
import type { Send } from './send.ts'
import { olderSignature, signatureHeaders } from './signature.ts'

export interface EndpointDelivery {
  readonly client: Pick<EndpointClient, 'post'>
  /** Unix milliseconds. */
  readonly clock: () => number
  /** Of Rollcall, for `user-agent`. */
  readonly version: string
  /** The name of the header that carries the older form of the signature; without it there is none. */
  readonly olderSignatureHeader?: string | undefined
}

/** Sends events to the endpoint of their directory, signed by Standard Webhooks. */
export function deliverToEndpoint({ client, clock, version, olderSignatureHeader }: EndpointDelivery): Send {
  const fixed = { 'content-type': 'application/json', 'user-agent': `Rollcall/${version}` }
  return async (directory, event, signal) => {
    const { endpoint } = directory
    if (endpoint === undefined) return { kind: 'failed', reason: 'the directory has no endpoint', latencyMs: 0 }
    const body = eventPayload(event, directory)
    const atMs = clock()
    const { url, secret } = endpoint
    const signed = signatureHeaders({ id: event.id, timestamp: Math.floor(atMs / 1000), body, secrets: [secret] })
    const older = olderSignatureHeader && { [olderSignatureHeader]: olderSignature({ secret, body, atMs }) }
    return client.post(url, { ...fixed, ...signed, ...older }, body, signal)
  }
}
