import { setTimeout as pause } from 'node:timers/promises'
import type { Answer, Client } from '../../support/client.ts'
import { now } from './clock.ts'

/** How long one try may take: a held process does not answer at all. */
const tryMs = 1_500
const pauseMs = 50

/** For one request with all its tries: longer than anything that a run does to the processes. */
const patienceMs = 60_000

/** A request that was answered in the end. */
export interface Answered {
  readonly answer: Answer
  /** How many tries before got no answer, or one that tells nothing: each may have been carried out. */
  readonly uncertain: number
}

/** Sends requests to a service of which processes die and stand still, as an identity provider does: again and again. */
export interface PatientClient {
  /** @throws Error when nobody answers for a minute */
  send(request: (client: Client) => Promise<Answer>): Promise<Answered>
}

/** A client that stays with a process until that does not answer; `pick` gives it the next one. */
export function createPatientClient(pick: () => Client): PatientClient {
  let client: Client | undefined
  let last = 'nothing'

  async function tryOnce(request: (client: Client) => Promise<Answer>): Promise<Answer | undefined> {
    client ??= pick()
    const answered = request(client).catch((error: unknown) => String(error))
    const answer = await Promise.race([answered, pause(tryMs, `no answer within ${tryMs} ms`)])
    if (typeof answer !== 'string' && answer.status < 500 && answer.status !== 429) return answer
    last = typeof answer === 'string' ? answer : `${answer.status} ${answer.text}`
    client = undefined
    return undefined
  }

  return {
    async send(request) {
      const until = now() + patienceMs
      for (let uncertain = 0; now() < until; uncertain += 1) {
        const answer = await tryOnce(request)
        if (answer !== undefined) return { answer, uncertain }
        await pause(pauseMs)
      }
      throw new Error(`no process has answered for ${patienceMs / 1000} s, at last: ${last}`)
    },
  }
}
