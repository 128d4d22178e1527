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

/** The directories to read: one, or those of a tenant for a product. Fields have the API's names. */
export type ScopeQuery =
  | { readonly directoryId: string; readonly tenant?: string; readonly product?: string }
  | { readonly tenant: string; readonly product: string; readonly directoryId?: string }
  | { readonly product: string; readonly tenant?: never; readonly directoryId?: never }

/** The part of a list to read. */
export interface PageQuery {
  readonly pageOffset?: number
  readonly pageLimit?: number
  readonly pageToken?: string
}

export type ListQuery = ScopeQuery & PageQuery
export interface OneDirectory {
  readonly directoryId: string
}
/** One object within a scope. */
export type OneQuery = ScopeQuery & { readonly id: string }
