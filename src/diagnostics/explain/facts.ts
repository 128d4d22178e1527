import type { PauseReason } from '../../delivery/event-store.ts'
import type { EventHoldReason, HeldRole } from '../../delivery/hold/hold-store.ts'
import type { DirectoryType } from '../../directory/provider.ts'
import type { ReturnedFrom } from '../../directory/resource.ts'
import type { SyncRun } from '../../google/google-store.ts'

/**
 * The facts about one subject in one directory. Times are Unix milliseconds; lists have the newest entries, newest
 * first.
 */
export interface ExplainFacts {
  readonly now: number
  /** The name or id in the query. */
  readonly asked: string
  readonly directory: DirectoryFacts
  /** The user or group as it is stored now; undefined when there is none. */
  readonly resource: ResourceFacts | undefined
  /** The SCIM requests about it. */
  readonly requests: readonly RequestFacts[]
  /** Its events, including those of its memberships. */
  readonly events: readonly EventFacts[]
  readonly delivery: DeliveryFacts
  /** The holds of the directory, by their first events; none when nothing is held. */
  readonly holds: readonly HoldFacts[]
  readonly failedAuthentications: FailedAuthenticationFacts | undefined
  /** Undefined for directories that are provisioned over SCIM. */
  readonly sync: SyncFacts | undefined
}

export interface DirectoryFacts {
  readonly name: string
  readonly type: DirectoryType
  readonly deactivated: boolean
  /** Time of the identity provider's last authenticated request. */
  readonly lastRequestAt: number | undefined
  /** The time since when the request log has every request; undefined while it is off. */
  readonly loggedSince: number | undefined
}

export interface ResourceFacts {
  readonly type: 'User' | 'Group'
  readonly id: string
  /** The userName or displayName. */
  readonly name: string
  /** Always true for a group. */
  readonly active: boolean
  readonly createdAt: number
  readonly updatedAt: number
  /** The deleted user as which the user was recognized when it was created. */
  readonly returnedFrom?: ReturnedFrom | undefined
  /** False if an address of the user is outside the allowed domains. */
  readonly domainAllowed?: false | undefined
}

export interface RequestFacts {
  readonly id: string
  readonly at: number
  readonly method: string
  /** The path below the directory's SCIM address. */
  readonly path: string
  readonly status: number
  readonly scimType: string | null
  readonly detail: string | null
  /** The name of the user or group that the request was about. */
  readonly subject: string | null
}

export interface EventFacts {
  readonly sequence: number
  readonly type: string
  readonly createdAt: number
  /** Set while it is a dead event of the directory's target. */
  readonly dead?: { readonly at: number; readonly reason: string; readonly isSkipped?: boolean | undefined } | undefined
}

/** The progress of the delivery of the directory's events. */
export interface DeliveryFacts {
  /** The receiver of the events; `none`: the consumer has to read the feed. */
  readonly target: 'endpoint' | 'on-event' | 'none'
  /** Every event up to this sequence was delivered or became dead; with `none`, it was read from the feed, if known. */
  readonly deliveredSequence: number
  /** Consecutive failed attempts. */
  readonly failures: number
  readonly failingSince: number | undefined
  readonly nextAttemptAt: number | undefined
  /** The reason why the last attempt failed, if known. */
  readonly lastError: string | undefined
  readonly pause: { readonly reason: PauseReason; readonly at: number } | undefined
}

export interface HoldFacts {
  readonly since: number
  readonly reason: EventHoldReason
  /** The role that too few users have; only of the reason `roles`. */
  readonly role?: HeldRole | undefined
  /** The sequence of the first held event. */
  readonly firstSequence: number
}

export interface FailedAuthenticationFacts {
  /** The number of requests refused since the last accepted one. */
  readonly sinceLastSuccess: number
  /** Time of the last refusal. */
  readonly lastAt: number
  /** Time of the first refusal since the last success, if known. */
  readonly since: number | undefined
  /** What was wrong with the last one, if it was more than a wrong or missing secret. */
  readonly problem?: string | undefined
}

/** The state of a Google Workspace directory. */
export interface SyncFacts {
  readonly isConnected: boolean
  /** The reason why an administrator has to consent again; undefined when that is not needed. */
  readonly authorizationNeeded: string | undefined
  readonly lastRun: Pick<SyncRun, 'state' | 'startedAt' | 'finishedAt' | 'error'> | undefined
  /** Whether the last run holds the deletion of the resource. */
  readonly isDeletionHeld: boolean
}
