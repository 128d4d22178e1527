import { setTimeout as pause } from 'node:timers/promises'
import type { Answer, Client } from '../../support/client.ts'
import { now } from './clock.ts'

/** The timeout of one try. If it were shorter, a busy machine would spend its time on aborted requests. */
export const tryMs = 15_000

/** The pause after the first try; it doubles with each further one, so that retries do not become a flood. */
const [firstPauseMs, longestPauseMs] = [50, 2_000]

/** The timeout of a request with all its tries: longer than any fault of a run, even if the machine is busy. */
const patienceMs = 120_000

/** The final response to a request. */
export interface Answered {
  readonly answer: Answer
  /** The number of earlier tries without a conclusive response: each may have been executed. */
  readonly uncertain: number
  /** From the first try to the response, in milliseconds. */
  readonly durationMs: number
}

/** No process has responded for two minutes. */
export class GaveUp extends Error {
  override readonly name = 'GaveUp'
}

/** Retries requests like an identity provider, although processes of the service are killed and suspended. */
export interface PatientClient {
  /** @throws GaveUp when no process responds for two minutes */
  send(request: (client: Client) => Promise<Answer>): Promise<Answered>
}

/** A client that uses one process until it fails to respond; `pick` returns the next one. */
export function createPatientClient(pick: () => Client): PatientClient {
  let client: Client | undefined
  let last = 'nothing'

  async function tryOnce(request: (client: Client) => Promise<Answer>): Promise<Answer | undefined> {
    client ??= pick()
    const answered = request(client).catch((error: unknown) => String(error))
    const answer = await Promise.race([answered, pause(tryMs, `no response within ${tryMs} ms`)])
    if (typeof answer !== 'string' && answer.status < 500 && answer.status !== 429) return answer
    last = typeof answer === 'string' ? answer : `${answer.status} ${answer.text}`
    client = undefined
    return undefined
  }

  return {
    async send(request) {
      const startedAt = now()
      const until = startedAt + patienceMs
      for (let uncertain = 0; now() < until; uncertain += 1) {
        const answer = await tryOnce(request)
        if (answer !== undefined) return { answer, uncertain, durationMs: now() - startedAt }
        await pause(Math.min(firstPauseMs * 2 ** uncertain, longestPauseMs))
      }
      throw new GaveUp(`no process has responded for ${patienceMs / 1000} s; the last result: ${last}`)
    },
  }
}
