import type { AttemptResult, Send } from '../../../../src/delivery/attempt.ts'
import { createObservedList } from './observed-list.ts'
import { response } from './samples.ts'

/** An attempt in flight that ends under the control of the test. */
export interface Sending {
  readonly directoryId: string
  readonly sequence: number
  /** The sequences of all events of the batch. */
  readonly sequences: readonly number[]
  readonly url: string | undefined
  end(result?: AttemptResult): void
}

/** A `send` whose attempts end under the control of the test, or immediately with the result of `answer`. */
export function createManualSend(answer?: (sending: Sending) => AttemptResult | undefined) {
  const sendings = createObservedList<Sending>()
  const send: Send = ({ id, endpoint }, batch) => {
    const { promise, resolve } = Promise.withResolvers<AttemptResult>()
    const end = (result: AttemptResult = response(200)) => resolve(result)
    const sequences = batch.map(({ sequence }) => sequence)
    const sending = { directoryId: id, sequence: batch[0].sequence, sequences, url: endpoint?.url, end }
    sendings.add(sending)
    const result = answer?.(sending)
    if (result !== undefined) end(result)
    return promise
  }
  return { send, sendings }
}
