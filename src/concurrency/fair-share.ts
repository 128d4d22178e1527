/** What a key, such as a tenant, holds of a limited number of places. */
export interface Usage {
  /** The places that the key needs; 1 by default. */
  readonly size?: number
  readonly taken: number
  readonly takenByKey: number
  /** Whether other keys are waiting for a place. */
  readonly othersWait: boolean
}

/** The most places of a key while others wait: a quarter, but at least one. */
export function fairShare(places: number): number {
  return Math.max(1, Math.floor(places / 4))
}

/** The most places of a key while nobody else waits: a quarter stays free, so that the next key starts at once. */
export function loneShare(places: number): number {
  return places - Math.floor(places / 4)
}

/** Whether a key may take the places that it needs. */
export function mayTake(places: number, usage: Usage): boolean {
  return isFree(places, usage) && isWithinShare(places, usage)
}

/** Whether so many places are free, whoever takes them. */
export function isFree(places: number, { size = 1, taken }: Usage): boolean {
  return taken + size <= places
}

/** Whether a key stays within its share when it takes the places. */
export function isWithinShare(places: number, { size = 1, takenByKey, othersWait }: Usage): boolean {
  return takenByKey + size <= (othersWait ? fairShare(places) : loneShare(places))
}
