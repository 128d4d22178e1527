/** The places that a key, such as a tenant, uses of a limited number. */
export interface Usage {
  /** The places that the key needs; 1 by default. */
  readonly size?: number
  readonly taken: number
  readonly takenByKey: number
  /** Whether other keys are waiting for a place. */
  readonly othersWait: boolean
}

/** The maximum number of places of a key while others wait: a quarter, but at least one. */
export function fairShare(places: number): number {
  return Math.max(1, Math.floor(places / 4))
}

/**
 * The maximum number of places of a key while nobody else waits: a quarter stays free, so that the next key starts at
 * once.
 */
export function loneShare(places: number): number {
  return places - Math.floor(places / 4)
}

/** Whether a key may take the places that it needs. */
export function mayTake(places: number, usage: Usage): boolean {
  return isFree(places, usage) && isWithinShare(places, usage)
}

/** Whether enough places are free, regardless of shares. */
export function isFree(places: number, { size = 1, taken }: Usage): boolean {
  return taken + size <= places
}

/** Whether a key stays within its share if it takes the places. */
export function isWithinShare(places: number, { size = 1, takenByKey, othersWait }: Usage): boolean {
  return takenByKey + size <= (othersWait ? fairShare(places) : loneShare(places))
}
