import type { DirectoryScope } from '../../directory/directory.ts'

/** The lengths of the periods that are counted, in milliseconds. */
export const volumeUnits = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const

/** The events and failed deliveries of a period. */
export interface Volume {
  /** When the period began, in Unix milliseconds. */
  readonly start: number
  readonly events: number
  /** Attempts to send events that failed. */
  readonly failedDeliveries: number
}

/** The periods of one length that are read. */
export interface VolumePeriods {
  readonly unit: number
  /** The start of the first, in Unix milliseconds. */
  readonly from: number
}

/** The volumes of the requested periods; periods without any are left out. */
export interface Volumes extends VolumePeriods {
  readonly volumes: readonly Volume[]
}

/**
 * The storage of how many events and failed deliveries there are. Each commit of events, and each record of a failed attempt,
 * counts itself in the same transaction.
 */
export interface VolumeStore {
  /** The volumes of a scope, which is everything, a product, a tenant, or both; as of one moment. */
  volumes(scope: Pick<DirectoryScope, 'tenant' | 'product'>, periods: readonly VolumePeriods[]): Promise<Volumes[]>
  /** When counting began, in Unix milliseconds. */
  volumesSince(): Promise<number>
  /** Adds the counts of up to `limit` directories and minutes to the totals of their scopes; returns how many. */
  moveVolumes(limit: number): Promise<number>
  /** Removes up to `limit` totals of periods that began before a time; returns how many. */
  pruneVolumes(unit: number, before: number, limit: number): Promise<number>
}
