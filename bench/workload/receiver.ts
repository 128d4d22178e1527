import type { Taken } from '../servers/messages.ts'
import type { Server } from '../servers/server.ts'

/** The receiver as the benchmark steers it. */
export interface ReceiverControl {
  /** The endpoint that takes an event per request while it is open. */
  readonly gatedUrl: string
  /** The same for arrays of events. */
  readonly batchUrl: string
  /** The endpoint that takes two seconds for an event, until it hurries. */
  readonly slowUrl: string
  open(): Promise<void>
  close(): Promise<void>
  hurry(): Promise<void>
  /** Answers when that endpoint has taken so many events since the receiver was started. */
  taken(url: string, events: number): Promise<Taken>
}

export function receiverControl({ port }: Server): ReceiverControl {
  const origin = `http://127.0.0.1:${port}`
  const put = async (path: string) => {
    await fetch(origin + path, { method: 'PUT' })
  }
  return {
    gatedUrl: `${origin}/gated`,
    batchUrl: `${origin}/batch`,
    slowUrl: `${origin}/slow`,
    open: () => put('/open'),
    close: () => put('/close'),
    hurry: () => put('/hurry'),
    async taken(url, events) {
      const response = await fetch(`${origin}/taken?by=${new URL(url).pathname}&events=${events}`)
      return (await response.json()) as Taken
    },
  }
}
