import type { ReceiverControl } from '../workload/receiver.ts'
import type { Call } from './call.ts'
import { problemWith } from './call.ts'
import type { Connection } from './connection.ts'
import type { Timing } from './drive.ts'
import { monotonicMs } from './monotonic.ts'

/**
 * Makes calls that cause one event each, waiting for each event at the receiver's fast endpoint. The latencies are
 * from the response to the arrival of the event; 0 if the event arrived first.
 */
export async function measureDelays(
  connection: Connection,
  calls: readonly Call[],
  receiver: ReceiverControl,
): Promise<Timing> {
  const latencies = new Float64Array(calls.length)
  const { events: before } = await receiver.received(receiver.fastUrl, 0)
  for (const [index, call] of calls.entries()) {
    const answeredAt = await makeOne(connection, call)
    const { lastAtMs } = await receiver.received(receiver.fastUrl, before + index + 1)
    latencies[index] = Math.max(0, lastAtMs - answeredAt)
  }
  return { latencies }
}

/** Makes one call; returns the time of the response. */
function makeOne(connection: Connection, call: Call): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  connection.send(call.bytes, (answer) => {
    const problem = problemWith(call, answer)
    if (problem === undefined) resolve(monotonicMs())
    else reject(problem)
  })
  return promise
}
