import type { LoggedDelivery } from './store.ts'

const maxBatchRows = 100
const maxBatchLength = 1_000_000

/** A delivery that waits to be written. */
export interface Unwritten {
  readonly delivery: LoggedDelivery
  /** How often writing it has failed. */
  readonly failures: number
}

/** What is written at once: deliveries of one directory, as no transaction spans two. */
export interface Batch {
  readonly directoryId: string
  readonly unwritten: Unwritten[]
}

/** Splits deliveries into batches that are small enough to let other work through. */
export function batchesOf(all: readonly Unwritten[]): Batch[] {
  const byDirectory = Map.groupBy(all, ({ delivery }) => delivery.directoryId)
  return [...byDirectory].flatMap(([directoryId, ofOne]) =>
    split(ofOne).map((unwritten) => ({ directoryId, unwritten })),
  )
}

/** About how much memory a delivery takes, in characters. */
export function lengthOf({ payload, responseBody }: LoggedDelivery): number {
  return 500 + (payload?.length ?? 0) + responseBody.length
}

function split(all: readonly Unwritten[]): Unwritten[][] {
  const parts: Unwritten[][] = []
  let [part, length]: [Unwritten[], number] = [[], 0]
  for (const one of all) {
    length += lengthOf(one.delivery)
    if (part.length === 0 || part.length === maxBatchRows || length > maxBatchLength) {
      part = []
      length = lengthOf(one.delivery)
      parts.push(part)
    }
    part.push(one)
  }
  return parts
}
