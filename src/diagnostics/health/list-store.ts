import type { DirectoryScope } from '../../directory/directory.ts'
import type { DirectoryType } from '../../directory/provider.ts'

/** Severities from the lowest up to, but without, the highest. */
export interface SeverityRange {
  readonly from: number
  readonly to: number
}

/** The directories of one severity, with the same other facts. */
export interface HealthCount {
  readonly severity: number
  readonly isHeld: boolean
  readonly isDeactivated: boolean
  readonly directories: number
}

/** The conditions on directories in a list; each is optional. */
export interface HealthFilter extends DirectoryScope {
  readonly severities?: SeverityRange | undefined
  readonly severityOneOf?: readonly [number, number] | undefined
  readonly type?: DirectoryType | undefined
  readonly isHeld?: boolean | undefined
  readonly isOverdue?: boolean | undefined
  readonly isDeactivated?: boolean | undefined
  /** The beginning of the name or tenant, in any case of the letters A to Z, or an id. */
  readonly search?: string | undefined
}

/** `worst` first, by `name`, by the last event (`changed`, newest first), or in the order of creation. */
export const healthOrders = ['created', 'worst', 'name', 'changed'] as const
export type HealthOrder = (typeof healthOrders)[number]

/** The position of a directory in a list: the value that it is ordered by, and its id. */
export interface HealthPosition {
  readonly value: number | string
  readonly id: string
}

export interface HealthListPart {
  readonly order: HealthOrder
  readonly after?: HealthPosition | undefined
  readonly offset?: number | undefined
  readonly limit: number
}

/** The storage of lists and counts over the health of many directories. */
export interface HealthListStore {
  /** The numbers of directories of a scope. */
  countHealth(scope: DirectoryScope): Promise<HealthCount[]>
  listHealth(filter: HealthFilter, part: HealthListPart): Promise<HealthPosition[]>
  /** The length of such a list; counts up to `limit`. */
  countListed(filter: HealthFilter, limit: number): Promise<number>
  /** The number of overdue deprovisionings in the directories of a scope; counts up to `limit`. */
  countOverdue(scope: DirectoryScope, until: number, limit: number): Promise<number>
}
