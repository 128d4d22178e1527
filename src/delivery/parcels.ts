import type { StoredEvent } from '../directory/event.ts'
import type { Batch } from './send.ts'

/**
 * Cuts events into what is sent together, in order.
 *
 * @param size how many at most
 * @param firstEnd the last event of the first parcel when that is an attempt again, so that it is the same as before
 */
export function parcelsOf(events: readonly StoredEvent[], size: number, firstEnd: number | undefined): Batch[] {
  const parcels: Batch[] = []
  let rest = events
  while (rest.length > 0) {
    const isAgain = parcels.length === 0 && firstEnd !== undefined
    const again = isAgain ? rest.filter(({ sequence }) => sequence <= firstEnd).length : 0
    const [first, ...others] = rest.slice(0, again > 0 ? again : size)
    if (first === undefined) return parcels
    parcels.push([first, ...others])
    rest = rest.slice(1 + others.length)
  }
  return parcels
}
