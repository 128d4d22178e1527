import type { LoggedRequest } from '../diagnostics/requests/request-log-store.ts'
import type { AuditWrite, CallerKind } from '../directory/audit.ts'
import type { Directory } from '../directory/directory.ts'
import type { Cause, StoredEvent } from '../directory/event.ts'

/**
 * The places of a directory that may hold personal data, in the order in which an erasure visits them: first what is delivered,
 * then what is recorded about it.
 */
export const personalPlaces = [
  'users',
  'groups',
  'events',
  'dead_events',
  'delivery_streams',
  'deliveries',
  'delivery_attempts',
  'request_bodies',
  'request_batches',
  'sync_runs',
  'operator_notices',
  'deprovisionings',
  'removed_users',
  'deleted_users',
  'adoption_accounts',
  'setup_links',
  'directory_mappings',
] as const

export type PersonalPlace = (typeof personalPlaces)[number]

type Value = string | number | null

/** A row of a place: the columns that may hold personal data, and those that say what it is about. */
export interface PersonalRow {
  /** Its position in the place. */
  readonly key: readonly unknown[]
  /** Encrypted columns are decrypted. */
  readonly values: Readonly<Record<string, Value>>
  /** The requests of a row of `request_batches`. */
  readonly requests: readonly LoggedRequest[]
}

/** The new content of a row: other values, other requests, or none. */
export type RowChange =
  | { readonly row: PersonalRow; readonly values: Readonly<Record<string, Value>> }
  | { readonly row: PersonalRow; readonly requests: readonly LoggedRequest[] }
  | { readonly row: PersonalRow; readonly isRemoved: true }

/** The number of rows in each kind of place. */
export interface ErasedPlaces {
  readonly users: number
  readonly groups: number
  readonly events: number
  readonly dead_events: number
  readonly deliveries: number
  readonly requests: number
  readonly sync_runs: number
  readonly holds: number
  readonly audit: number
}

/** A user, present or deleted, who is the person. */
export interface PersonUser {
  readonly directoryId: string
  readonly userId: string
}

/** The plan of an erasure, stored encrypted until it is finished. */
export interface ErasurePlan {
  /** The subject of the request. */
  readonly subject: string
  readonly requestId: string
  readonly users: readonly PersonUser[]
  /** Texts that name the person wherever they occur. */
  readonly identifying: readonly string[]
  /** Further texts from the person's attributes. */
  readonly others: readonly string[]
  /** The receipt of the erasure that is repeated after a restore. */
  readonly repeated?: string
  /** The ids of users to erase even if they are active. */
  readonly includeActive?: readonly string[]
}

/** An erasure, without personal data. */
export interface ErasureRecord {
  readonly id: string
  readonly tenant: string
  readonly product: string
  /** Unix milliseconds. */
  readonly startedAt: number
  readonly callerKind: CallerKind
  readonly callerId: string | undefined
  readonly callerName: string | undefined
  readonly reason: string | undefined
  readonly places: ErasedPlaces
}

/** An erasure that is not finished. */
export interface OpenErasure extends ErasureRecord {
  readonly plan: ErasurePlan
}

export interface FinishedErasure extends ErasureRecord {
  /** Unix milliseconds. */
  readonly finishedAt: number
  readonly receipt: string
}

/** The end of an erasure. */
export interface ErasureEnd {
  readonly at: number
  readonly places: ErasedPlaces
  /** A JWS: see `receipt.ts`. */
  readonly receipt: string
}

/** A place in the list of erasures, which begins with the newest. */
export type ErasurePosition = Pick<ErasureRecord, 'startedAt' | 'id'>

/** The storage of what export and erasure read and change. */
export interface PrivacyStore {
  /** The rows of a place of a directory in the order of their keys, after one of them. */
  personalRows(
    place: PersonalPlace,
    directoryId: string,
    after: PersonalRow['key'] | undefined,
    limit: number,
  ): Promise<PersonalRow[]>
  /**
   * Changes rows of a place, and stores how many rows an erasure has changed so far, in one transaction. Rows that somebody
   * else has changed since they were read stay as they are: false when there is one, and the rows must be read again.
   */
  changePersonalRows(
    place: PersonalPlace,
    directoryId: string,
    changes: readonly RowChange[],
    erasure: { readonly id: string; readonly places: ErasedPlaces },
  ): Promise<boolean>
  /** Returns whether another holder of leases may be sending events of the directory that it has read before. */
  isSentByOthers(directoryId: string, holder: string): Promise<boolean>
  /**
   * Appends `user.erased` to the events of a directory unless it is the last event of the user; undefined then, and when the
   * directory is deleted.
   */
  appendErased(user: PersonUser, cause: Cause): Promise<StoredEvent | undefined>

  addErasure(erasure: OpenErasure): Promise<void>
  /** Removes an erasure that has not changed anything. */
  dropErasure(id: string): Promise<void>
  /** Finishes an erasure and removes its plan; false when it is finished already. */
  finishErasure(id: string, end: ErasureEnd, audit: AuditWrite): Promise<boolean>
  /** Changes the texts of a finished erasure that may name somebody who is erased later. */
  changeErasureTexts(id: string, texts: Pick<ErasureRecord, 'reason' | 'callerName'>): Promise<void>
  /** Returns whether the database knows that an erasure is finished. */
  isErasureFinished(id: string): Promise<boolean>
  /** The erasures that are not finished, in the order of their ids. */
  openErasures(limit: number): Promise<OpenErasure[]>
  /** The finished erasures of a tenant and product, or all, newest first. */
  listErasures(
    scope: Pick<Directory, 'tenant' | 'product'> | undefined,
    before: ErasurePosition | undefined,
    limit: number,
  ): Promise<FinishedErasure[]>
  /**
   * Overwrites what remains of changed and deleted rows in the files of the database; rejects when something may be left. On
   * PostgreSQL, vacuuming does that.
   */
  overwriteErased(): Promise<void>
}
