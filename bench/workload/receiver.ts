import type { Accepted } from '../servers/messages.ts'
import type { Server } from '../servers/server.ts'

const patienceMs = 120_000

/** Controls the receiver. */
export interface ReceiverControl {
  /** The endpoint that accepts events at once. */
  readonly fastUrl: string
  /** The endpoint that takes two seconds for an event, until it is to hurry. */
  readonly slowUrl: string
  /** The endpoint that never responds. */
  readonly hangingUrl: string
  hurry(): Promise<void>
  /**
   * Waits until an endpoint has accepted this many events since the receiver started.
   *
   * @throws Error after two minutes
   */
  received(url: string, events: number): Promise<Accepted>
}

export function receiverControl({ port }: Server): ReceiverControl {
  const origin = `http://127.0.0.1:${port}`
  return {
    fastUrl: `${origin}/fast`,
    slowUrl: `${origin}/slow`,
    hangingUrl: `${origin}/hang`,
    async hurry() {
      await fetch(`${origin}/hurry`, { method: 'PUT' })
    },
    async received(url, events) {
      const path = new URL(url).pathname
      const signal = AbortSignal.timeout(patienceMs)
      const response = await fetch(`${origin}/received?by=${path}&events=${events}`, { signal }).catch((cause) => {
        throw new Error(`${path} has not received ${events} events within ${patienceMs / 1000} s`, { cause })
      })
      return (await response.json()) as Accepted
    },
  }
}
