import { createRepetition } from '../../concurrency/repetition.ts'
import type { Schedule } from '../../concurrency/schedule.ts'
import type { DeliveryLogger } from '../../delivery/observer.ts'
import type { DirectoryScope } from '../../directory/directory.ts'
import type { VolumeStore, Volumes } from './volume-store.ts'
import { volumeUnits } from './volume-store.ts'

const intervalMs = 5_000
const movedAtOnce = 200
const removedAtOnce = 500
/** The number of periods of each length that are shown, and how many more are kept. */
const shown = { minute: 60, hour: 24, day: 30 } as const
const kept = 2

type Unit = keyof typeof volumeUnits
const units = Object.keys(volumeUnits) as Unit[]

export interface VolumeMoverParts {
  readonly store: VolumeStore
  /** Unix milliseconds. */
  readonly clock: () => number
  readonly schedule: Schedule
  readonly log: DeliveryLogger
}

/**
 * Moves what commits have counted into totals every few seconds, so that a read of a scope sums few rows; and removes totals
 * that are too old to be shown. Several processes may do so at the same time.
 */
export function createVolumeMover({ store, clock, schedule, log }: VolumeMoverParts) {
  const repetition = createRepetition(schedule, async () => {
    try {
      while ((await store.moveVolumes(movedAtOnce)) === movedAtOnce && !repetition.isClosed());
      for (const unit of units) {
        const before = clock() - kept * shown[unit] * volumeUnits[unit]
        await store.pruneVolumes(volumeUnits[unit], before, removedAtOnce)
      }
    } catch (error) {
      log.error({ err: error }, 'counts of events could not be added up; retrying')
    }
    return intervalMs
  })
  return { start: () => repetition.start(intervalMs), close: repetition.close }
}

/** The events and failed deliveries of a period, as the API shows them. */
export interface VolumeView {
  readonly at: string
  readonly events: number
  readonly failed_deliveries: number
}

/** The volumes of a scope: of each of the last 60 minutes, 24 hours and 30 days (UTC). */
export async function readVolumes(
  store: Pick<VolumeStore, 'volumes' | 'volumesSince'>,
  scope: Pick<DirectoryScope, 'tenant' | 'product'>,
  now: number,
) {
  const periods = units.map((unit) => {
    const length = volumeUnits[unit]
    return { unit: length, from: (Math.floor(now / length) - shown[unit] + 1) * length }
  })
  const [found, since] = await Promise.all([store.volumes(scope, periods), store.volumesSince()])
  const [minutes, hours, days] = found.map((one) => viewsOf(one, since, now))
  return { counted_since: new Date(since).toISOString(), minutes: minutes ?? [], hours: hours ?? [], days: days ?? [] }
}

/** Periods that ended before counting began are unknown, and left out. */
function viewsOf({ unit, from, volumes }: Volumes, since: number, now: number): VolumeView[] {
  const byStart = new Map(volumes.map((volume) => [volume.start, volume]))
  const first = Math.max(from, Math.floor(since / unit) * unit)
  const count = Math.max(0, Math.floor((now - first) / unit) + 1)
  return Array.from({ length: count }, (_, index) => {
    const start = first + index * unit
    const { events = 0, failedDeliveries = 0 } = byStart.get(start) ?? {}
    return { at: new Date(start).toISOString(), events, failed_deliveries: failedDeliveries }
  })
}
