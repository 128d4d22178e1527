import type { DuePage } from '../delivery/event-store.ts'
import type { AuditWrite } from '../directory/audit.ts'
import type { DirectoryRevision, MappingReference } from '../directory/directory.ts'
import type { DirectoryChanged, DirectoryPosition } from '../directory/directory-store.ts'
import type { GroupReference } from '../directory/group.ts'
import type { User } from '../directory/user.ts'

/** A directory, or a product, whose mapping is the default of its directories. */
export type MappingOwner = { readonly directoryId: string } | { readonly product: string }

/** The mapping of a directory or product. */
export interface StoredMapping {
  /** The mapping in effect; undefined: none. */
  readonly reference: MappingReference | undefined
  /** The JSON of the mapping in effect. */
  readonly document: string | undefined
  /** The JSON of the product's mapping that it extends; undefined also when the product has none. */
  readonly extended: string | undefined
  /** The number of the last version of the owner's own mapping, including removals; 0 if there is none. */
  readonly lastVersion: number
}

/** A version of a mapping. */
export interface MappingVersion {
  readonly version: number
  /** JSON; undefined: the mapping was removed. */
  readonly document: string | undefined
  /** Unix milliseconds. */
  readonly createdAt: number
  /** The name of the caller who made it. */
  readonly createdBy: string | undefined
}

export interface NewMappingVersion extends MappingVersion {
  readonly requestId: string
}

/** The last run over the users of a directory. Times are Unix milliseconds. */
export interface MappingRun {
  readonly evaluated: number
  readonly changed: number
  /** The number of users when it began. */
  readonly total: number
  readonly startedAt: number
  readonly completedAt: number | undefined
}

/** A product whose directories get its last mapping one after the other. */
export interface Rollout {
  readonly product: string
  readonly version: number
  /** The last directory that has it, in creation order. */
  readonly passed: DirectoryPosition
}

/** The most users that a step of a run evaluates. */
export interface RunLimits {
  readonly users: number
}

/** A user with the sequence of its row and all groups that it is a direct member of. */
export interface UserToEvaluate {
  readonly user: User
  readonly position: number
  readonly groups: readonly GroupReference[]
}

/** The storage of mappings and of the runs that apply them. Every version is kept. */
export interface MappingStore {
  /** The mapping in effect; undefined when there is no such directory. A product always has an answer. */
  getMapping(owner: MappingOwner): Promise<StoredMapping | undefined>
  /** The versions of the owner's own mapping, newest first, before a version. */
  listMappingVersions(owner: MappingOwner, before: number, limit: number): Promise<MappingVersion[]>
  /**
   * Stores the version that follows the last one of the owner, and begins what applies it: a run over the users of a directory, or
   * the rollout to the directories of a product. Its audit entry is committed with it. `version-mismatch`: it does not follow
   * the last version.
   */
  putMapping(
    owner: MappingOwner,
    version: NewMappingVersion,
    audit?: AuditWrite,
  ): Promise<'stored' | 'version-mismatch' | 'directory-not-found'>
  /** The users of a directory after a position, in the order of their list, fewer if they are long. */
  usersToEvaluate(directoryId: string, after: number, limit: number): Promise<UserToEvaluate[]>
  /** The last run of a directory. */
  getMappingRun(directoryId: string): Promise<MappingRun | undefined>
  /** Calls back with each directory in which a change by this process has begun a run, after its commit. */
  onMappingRun(listener: (directory: DirectoryRevision) => void): void
  /** The directories with a run under way, ordered by id, after `after`. */
  listMappingRuns(after: string, limit: number): Promise<DuePage>
  /** The number of directories with a run under way. */
  countMappingRuns(): Promise<number>
  /**
   * Evaluates the next users of a directory's run and commits what changes, with the events and the progress, under the directory's lock.
   * `idle`: no run is under way.
   */
  stepMappingRun(
    directory: DirectoryRevision,
    limits: RunLimits,
    now: number,
  ): Promise<RunStep | 'idle' | DirectoryChanged>
  /** Some products whose rollout is under way. */
  listRollouts(limit: number): Promise<Rollout[]>
  /**
   * Gives the product's last mapping to one of its directories that has none of its own, or one that extends it, and begins the run; false:
   * nothing to do.
   */
  inheritMapping(directoryId: string, now: number): Promise<boolean>
  /** Notes how far a rollout is; without a position it is complete. No effect when the product has a newer mapping. */
  passRollout(rollout: Omit<Rollout, 'passed'>, passed: DirectoryPosition | undefined): Promise<void>
}

export interface RunStep {
  readonly run: MappingRun
  /** The number of users evaluated, and for how many of them something changed. */
  readonly evaluated: number
  readonly changed: number
}
