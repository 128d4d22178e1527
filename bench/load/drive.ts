import type { Answer } from './answer.ts'
import type { Call } from './call.ts'
import { problemWith } from './call.ts'
import type { Connection } from './connection.ts'

/** How long calls took. */
export interface Timing {
  /** From the first request to the last answer. */
  readonly seconds: number
  /** Milliseconds of each call. */
  readonly latencies: Float64Array
  /** What the server's process used meanwhile; undefined when nobody looked. */
  readonly cpuMs?: number | undefined
}

export interface DriveOptions {
  /** So many calls in a row are made one after the other by one connection. Default 1. */
  readonly chain?: number
  readonly onAnswer?: (index: number, answer: Answer) => void
}

/**
 * Makes every call, each connection taking the next one when it has its answer.
 *
 * @throws Error at the first answer that is not the expected one
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
  const startedAt = performance.now()

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
      if (answered === calls.length) resolve({ seconds: (performance.now() - startedAt) / 1000, latencies })
      else if (index + 1 < end) make(connection, index + 1, end)
      else take(connection)
    })
  }

  if (calls.length === 0) resolve({ seconds: 0, latencies })
  for (const connection of connections) take(connection)
  return promise
}

/** Timings of parts, as one. */
export function joinTimings(timings: readonly Timing[]): Timing {
  const latencies = new Float64Array(timings.reduce((sum, timing) => sum + timing.latencies.length, 0))
  let offset = 0
  for (const timing of timings) {
    latencies.set(timing.latencies, offset)
    offset += timing.latencies.length
  }
  return { seconds: timings.reduce((sum, timing) => sum + timing.seconds, 0), latencies }
}
