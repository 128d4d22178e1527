import type { Answer } from './answer.ts'
import type { Call } from './call.ts'
import { problemWith } from './call.ts'
import type { Connection } from './connection.ts'

/** The duration of calls. */
export interface Timing {
  /** The latency of each call in milliseconds. */
  readonly latencies: Float64Array
  /** CPU time of the server and its database; undefined if not measured. */
  readonly cpuMs?: number | undefined
}

export interface DriveOptions {
  /** The number of consecutive calls that one connection makes in order. Default 1. */
  readonly chain?: number
  readonly onAnswer?: (index: number, answer: Answer) => void
}

/**
 * Makes every call; each connection takes the next one when it has a response.
 *
 * @throws Error at the first unexpected response
 */
export function drive(
  connections: readonly Connection[],
  calls: readonly Call[],
  { chain = 1, onAnswer }: DriveOptions = {},
): Promise<Timing> {
  const { promise, resolve, reject } = Promise.withResolvers<Timing>()
  const latencies = new Float64Array(calls.length)
  let next = 0
  let answered = 0

  function take(connection: Connection): void {
    const first = next
    next += chain
    make(connection, first, Math.min(next, calls.length))
  }

  function make(connection: Connection, index: number, end: number): void {
    const call = calls[index]
    if (call === undefined) return
    const sentAt = performance.now()
    connection.send(call.bytes, (answer) => {
      latencies[index] = performance.now() - sentAt
      const problem = problemWith(call, answer)
      if (problem !== undefined || answer instanceof Error) return reject(problem)
      onAnswer?.(index, answer)
      answered += 1
      if (answered === calls.length) resolve({ latencies })
      else if (index + 1 < end) make(connection, index + 1, end)
      else take(connection)
    })
  }

  if (calls.length === 0) resolve({ latencies })
  for (const connection of connections) take(connection)
  return promise
}

/** Combines timings of parts. */
export function joinTimings(timings: readonly Timing[]): Timing {
  const latencies = new Float64Array(timings.reduce((sum, timing) => sum + timing.latencies.length, 0))
  let [offset, cpuMs] = [0, 0]
  for (const timing of timings) {
    latencies.set(timing.latencies, offset)
    offset += timing.latencies.length
    cpuMs += timing.cpuMs ?? Number.NaN
  }
  return { latencies, cpuMs }
}
