import type { Delivery } from '../../../src/events/delivery.ts'
import type { Send } from '../../../src/events/send.ts'
import { createGathering } from './gathering.ts'
import { answered } from './samples.ts'

/** One event under way to a target that answers when the test says so. */
export interface Sending {
  readonly directoryId: string
  readonly sequence: number
  readonly url: string | undefined
  end(delivery?: Delivery): void
}

/** A `send` whose deliveries end by hand, or at once with what `answer` gives. */
export function createManualSend(answer?: (sending: Sending) => Delivery | undefined) {
  const sendings = createGathering<Sending>()
  const send: Send = ({ id, endpoint }, [{ sequence }]) => {
    const { promise, resolve } = Promise.withResolvers<Delivery>()
    const end = (delivery: Delivery = answered(200)) => resolve(delivery)
    const sending = { directoryId: id, sequence, url: endpoint?.url, end }
    sendings.add(sending)
    const delivery = answer?.(sending)
    if (delivery !== undefined) end(delivery)
    return promise
  }
  return { send, sendings }
}
