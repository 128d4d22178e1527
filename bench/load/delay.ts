import type { ReceiverControl } from '../workload/receiver.ts'
import type { Call } from './call.ts'
import { problemWith } from './call.ts'
import type { Connection } from './connection.ts'
import type { Timing } from './drive.ts'
import { monotonicMs } from './monotonic.ts'

/**
 * Makes calls of one event each, the next when the receiver's gated endpoint has taken the event of the one before. The latencies are those from the
 * answer to the call until the event's arrival at the receiver; 0 when the event was there first.
 */
export async function measureDelays(
  connection: Connection,
  calls: readonly Call[],
  receiver: ReceiverControl,
): Promise<Timing> {
  const latencies = new Float64Array(calls.length)
  const startedAt = monotonicMs()
  const { events: before } = await receiver.taken(receiver.gatedUrl, 0)
  for (const [index, call] of calls.entries()) {
    const answeredAt = await makeOne(connection, call)
    const { lastAtMs } = await receiver.taken(receiver.gatedUrl, before + index + 1)
    latencies[index] = Math.max(0, lastAtMs - answeredAt)
  }
  return { seconds: (monotonicMs() - startedAt) / 1000, latencies }
}

/** Makes one call; answers when it was answered. */
function makeOne(connection: Connection, call: Call): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  connection.send(call.bytes, (answer) => {
    const problem = problemWith(call, answer)
    if (problem === undefined) resolve(monotonicMs())
    else reject(problem)
  })
  return promise
}
