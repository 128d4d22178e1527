import { createHash } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import type { ReceivedEvent } from '../../support/receiver.ts'
import type { Attempt } from './attempt.ts'
import { changeOf } from './changes.ts'
import { now } from './clock.ts'
import { senderHeader } from './fleet.ts'
import type { ResponseKind } from './responses.ts'
import { chooseResponse, respond, responseKinds } from './responses.ts'

/** The endpoint of every directory, each with its own path. It fails at random until it is fixed. */
export interface ChaosEndpoint extends AsyncDisposable {
  /** The fields of a directory that sends its events to the path with this number. */
  fieldsOf(number: number): { readonly webhook_url: string; readonly webhook_secret: string }
  /** The attempts received at the path with this number, in the order in which their bodies were complete. */
  attemptsAt(number: number): readonly Attempt[]
  /** The sequence number up to which the path with this number has accepted all events. */
  acceptedAt(number: number): number
  /** The number of responses of each kind. */
  readonly responses: ReadonlyMap<ResponseKind, number>
  /** The number of requests with a wrong signature. */
  refusedSignatures(): number
  /** Makes all further responses prompt. */
  heal(): void
}

/** The state of one path. */
interface Inbox {
  readonly attempts: Attempt[]
  accepted: number
}

/** @param isHanging whether the path with this number never responds before the endpoint is fixed */
export async function startChaosEndpoint(
  random: () => number,
  isHanging: (number: number) => boolean,
): Promise<ChaosEndpoint> {
  const inboxes = new Map<string, Inbox>()
  const responses = new Map(responseKinds.map((kind) => [kind, 0]))
  let refused = 0
  let isHealthy = false

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const arrivedAt = now()
    const path = request.url ?? ''
    const event = verified(path, await text(request), request.headers)
    if (event === undefined) {
      refused += 1
      response.writeHead(401).end()
      return
    }
    const inbox = inboxAt(path)
    const attempt = attemptOf(event, senderOf(request.headers), arrivedAt)
    inbox.attempts.push(attempt)
    response.once('close', () => end(attempt))
    const kind = isHealthy ? 'prompt' : isHanging(numberOf(path)) ? 'no response' : chooseResponse(random)
    responses.set(kind, (responses.get(kind) ?? 0) + 1)
    await respond(kind, random, request, response, () => {
      end(attempt)
      attempt.isAccepted = true
      if (attempt.sequence === inbox.accepted + 1) inbox.accepted += 1
    })
  }

  function inboxAt(path: string): Inbox {
    const inbox = inboxes.get(path) ?? { attempts: [], accepted: 0 }
    inboxes.set(path, inbox)
    return inbox
  }

  // A sender may be killed in the middle of a request.
  const server = createServer((request, response) => void take(request, response).catch(() => response.destroy()))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    fieldsOf: (number) => ({
      webhook_url: `http://127.0.0.1:${port}/${number}`,
      webhook_secret: secretOf(`/${number}`),
    }),
    attemptsAt: (number) => inboxAt(`/${number}`).attempts,
    acceptedAt: (number) => inboxAt(`/${number}`).accepted,
    responses,
    refusedSignatures: () => refused,
    heal() {
      isHealthy = true
    },
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

const numberOf = (path: string): number => Number(path.slice(1))

/** Each path has its own secret: a request that is signed for another one is rejected. */
function secretOf(path: string): string {
  return `whsec_${createHash('sha256').update(path).digest('base64')}`
}

function verified(path: string, body: string, headers: IncomingHttpHeaders): ReceivedEvent | undefined {
  try {
    return new Webhook(secretOf(path)).verify(body, headers as Record<string, string>) as ReceivedEvent
  } catch {
    return undefined
  }
}

function senderOf(headers: IncomingHttpHeaders): string {
  const name = Object.keys(headers).find((one) => one.startsWith(senderHeader))
  return name?.slice(senderHeader.length) ?? 'unknown'
}

function attemptOf(event: ReceivedEvent, process: string, arrivedAt: number): Attempt {
  const { directory_id: directoryId, sequence, id: eventId } = event
  return {
    ...{ process, directoryId, sequence, eventId, arrivedAt },
    createdAt: Date.parse(event.created_at),
    change: changeOf(event),
    endedAt: Number.POSITIVE_INFINITY,
    isAccepted: false,
  }
}

function end(attempt: Attempt): void {
  attempt.endedAt = Math.min(attempt.endedAt, now())
}
