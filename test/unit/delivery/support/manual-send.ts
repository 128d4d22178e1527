import type { AttemptResult, Send } from '../../../../src/delivery/attempt.ts'
import { createGathering } from './gathering.ts'
import { response } from './samples.ts'

/** One event under way to a target that answers when the test says so. */
export interface Sending {
  readonly directoryId: string
  readonly sequence: number
  /** Of every event of the parcel. */
  readonly sequences: readonly number[]
  readonly url: string | undefined
  end(delivery?: AttemptResult): void
}

/** A `send` whose deliveries end by hand, or at once with what `answer` gives. */
export function createManualSend(answer?: (sending: Sending) => AttemptResult | undefined) {
  const sendings = createGathering<Sending>()
  const send: Send = ({ id, endpoint }, parcel) => {
    const { promise, resolve } = Promise.withResolvers<AttemptResult>()
    const end = (delivery: AttemptResult = response(200)) => resolve(delivery)
    const sequences = parcel.map(({ sequence }) => sequence)
    const sending = { directoryId: id, sequence: parcel[0].sequence, sequences, url: endpoint?.url, end }
    sendings.add(sending)
    const delivery = answer?.(sending)
    if (delivery !== undefined) end(delivery)
    return promise
  }
  return { send, sendings }
}
