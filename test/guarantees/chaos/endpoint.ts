import { once } from 'node:events'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import type { ReceivedEvent } from '../../support/receiver.ts'
import { testSecret } from '../../support/receiver.ts'
import type { AnswerKind } from './answers.ts'
import { answer, answerKinds, chooseAnswer } from './answers.ts'
import type { Attempt } from './attempt.ts'
import { now } from './clock.ts'
import { factOf } from './facts.ts'
import { senderHeader } from './fleet.ts'

/** The endpoint of every directory, each under a path of its own. It fails at random until it is healed. */
export interface ChaosEndpoint extends AsyncDisposable {
  /** The fields of a directory that sends its events to the path of that number. */
  fieldsOf(number: number): { readonly webhook_url: string; readonly webhook_secret: string }
  /** What reached the path of that number, in the order in which it was heard out. */
  attemptsAt(number: number): readonly Attempt[]
  /** Up to which sequence number the path of that number has taken everything. */
  takenAt(number: number): number
  /** How many attempts were answered in each way. */
  readonly answered: ReadonlyMap<AnswerKind, number>
  /** How many requests had a wrong signature. */
  refusedSignatures(): number
  /** Answers promptly from now on. */
  heal(): void
}

/** What came to one path. */
interface Inbox {
  readonly attempts: Attempt[]
  taken: number
}

export async function startChaosEndpoint(random: () => number): Promise<ChaosEndpoint> {
  const webhook = new Webhook(testSecret)
  const inboxes = new Map<string, Inbox>()
  const answered = new Map(answerKinds.map((kind) => [kind, 0]))
  let refused = 0
  let isHealthy = false

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const arrivedAt = now()
    const event = verified(webhook, await text(request), request.headers)
    if (event === undefined) {
      refused += 1
      response.writeHead(401).end()
      return
    }
    const inbox = inboxAt(request.url ?? '')
    const attempt = attemptOf(event, senderOf(request.headers), arrivedAt)
    inbox.attempts.push(attempt)
    response.once('close', () => end(attempt))
    const kind = isHealthy ? 'prompt' : chooseAnswer(random)
    answered.set(kind, (answered.get(kind) ?? 0) + 1)
    await answer(kind, random, request, response, () => {
      end(attempt)
      attempt.isTaken = true
      if (attempt.sequence === inbox.taken + 1) inbox.taken += 1
    })
  }

  function inboxAt(path: string): Inbox {
    const inbox = inboxes.get(path) ?? { attempts: [], taken: 0 }
    inboxes.set(path, inbox)
    return inbox
  }

  // a sender that is killed in the middle of a request is none of the endpoint's business
  const server = createServer((request, response) => void take(request, response).catch(() => response.destroy()))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    fieldsOf: (number) => ({ webhook_url: `http://127.0.0.1:${port}/${number}`, webhook_secret: testSecret }),
    attemptsAt: (number) => inboxAt(`/${number}`).attempts,
    takenAt: (number) => inboxAt(`/${number}`).taken,
    answered,
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

function verified(webhook: Webhook, body: string, headers: IncomingHttpHeaders): ReceivedEvent | undefined {
  try {
    return webhook.verify(body, headers as Record<string, string>) as ReceivedEvent
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
    fact: factOf(event),
    endedAt: Number.POSITIVE_INFINITY,
    isTaken: false,
  }
}

function end(attempt: Attempt): void {
  attempt.endedAt = Math.min(attempt.endedAt, now())
}
