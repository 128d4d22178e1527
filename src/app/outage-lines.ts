import { isDatabaseTrouble } from '../store/errors.ts'

/** The shortest time between two lines about the database with the same message, in milliseconds. */
const intervalMs = 1_000

/**
 * Decides which lines are written: in an outage every part of the service reports the same error, for every directory. Returns
 * the details to write, those of a line that stands for others with their number; undefined for a line that is not written.
 */
export type LimitLine = (details: object, message: string) => object | undefined

/** @param monotonicMs monotonic milliseconds */
export function createLineLimit(monotonicMs: () => number = () => performance.now()): LimitLine {
  const kinds = new Map<string, { writtenAt: number; omitted: number }>()
  return (details, message) => {
    if (!('err' in details && isDatabaseTrouble(details.err))) return details
    const kind = kinds.get(message) ?? { writtenAt: Number.NEGATIVE_INFINITY, omitted: 0 }
    kinds.set(message, kind)
    if (monotonicMs() - kind.writtenAt < intervalMs) {
      kind.omitted += 1
      return undefined
    }
    const { omitted } = kind
    kinds.set(message, { writtenAt: monotonicMs(), omitted: 0 })
    return omitted === 0 ? details : { ...details, omitted }
  }
}
