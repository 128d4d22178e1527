import { systemCaller } from '../directory/audit.ts'
import type { ServiceParts } from '../service-parts.ts'

/** The parts of the service that the library calls. */
export interface LibraryParts extends ServiceParts {
  readonly store: {
    /** Undefined on PostgreSQL. */
    readonly backup: ((file: string) => Promise<void>) | undefined
  }
  close(): Promise<void>
}

/** The caller that the audit trail names for changes made through the library. */
export const caller = systemCaller('library')

/** Which directories a call may see, and which part of a list it reads, in the API's field names. */
export interface ListQuery {
  readonly tenant?: string
  readonly product?: string
  readonly directoryId?: string
  readonly pageOffset?: number
  readonly pageLimit?: number
  readonly pageToken?: string
}

export type ScopeQuery = Pick<ListQuery, 'tenant' | 'product' | 'directoryId'>
export type OneDirectory = Required<Pick<ListQuery, 'directoryId'>>
/** One object within a scope. */
export type OneQuery = ScopeQuery & { readonly id: string }
