/** The places that a key, such as a tenant, uses of a limited number. */
export interface Usage {
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

/** Returns whether a key may take one more place: one is free, and the key stays within its share. */
export function mayTake(places: number, { taken, takenByKey, othersWait }: Usage): boolean {
  return taken < places && takenByKey < (othersWait ? fairShare(places) : loneShare(places))
}
