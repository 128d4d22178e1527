import type { PauseReason } from '../../delivery/event-store.ts'
import type { DirectoryType } from '../../directory/provider.ts'
import type { SyncRun } from '../../google/google-store.ts'

/** What is known about one subject in one directory. Times are Unix milliseconds; lists are the newest entries, newest first. */
export interface ExplainFacts {
  readonly now: number
  /** The name or id that was asked for. */
  readonly asked: string
  readonly directory: DirectoryFacts
  /** The user or group as it is stored now; undefined when there is none. */
  readonly resource: ResourceFacts | undefined
  /** The SCIM requests about it. */
  readonly requests: readonly RequestFacts[]
  /** Its events, those of its memberships included. */
  readonly events: readonly EventFacts[]
  readonly delivery: DeliveryFacts
  /** The hold of the directory; undefined when nothing is held. */
  readonly hold: HoldFacts | undefined
  readonly failedAuthentications: FailedAuthenticationFacts | undefined
  /** Undefined for directories that are provisioned over SCIM. */
  readonly sync: SyncFacts | undefined
}

export interface DirectoryFacts {
  readonly name: string
  readonly type: DirectoryType
  readonly deactivated: boolean
  /** When the identity provider last sent a request that was authenticated. */
  readonly lastRequestAt: number | undefined
  /** How many days requests are kept. */
  readonly requestDays: number
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
}

export interface RequestFacts {
  readonly id: string
  readonly at: number
  readonly method: string
  /** Below the directory's SCIM address. */
  readonly path: string
  readonly status: number
  readonly scimType: string | null
  readonly detail: string | null
  /** The name that it was about. */
  readonly subject: string | null
}

export interface EventFacts {
  readonly sequence: number
  readonly type: string
  readonly createdAt: number
  /** Set while it is a dead event of the directory's target. */
  readonly dead?: { readonly at: number; readonly reason: string } | undefined
}

/** How far the events of the directory have been delivered. */
export interface DeliveryFacts {
  /** Where they are sent; `none`: the consumer has to read the feed. */
  readonly target: 'endpoint' | 'on-event' | 'none'
  /** Every event up to this sequence was delivered or set aside; with `none`, read from the feed, if that is known. */
  readonly deliveredSequence: number
  /** Consecutive failed attempts. */
  readonly failures: number
  readonly failingSince: number | undefined
  readonly nextAttemptAt: number | undefined
  /** Why the last attempt failed, if that is known. */
  readonly lastError: string | undefined
  readonly pause: { readonly reason: PauseReason; readonly at: number } | undefined
}

export interface HoldFacts {
  readonly since: number
  readonly reason: 'users' | 'memberships'
  /** The first event that is held. */
  readonly firstSequence: number
}

export interface FailedAuthenticationFacts {
  /** How many requests were refused since the last one that was accepted. */
  readonly sinceLastSuccess: number
  /** When the last one was refused. */
  readonly lastAt: number
  /** When the first of those since the last success was refused, if that is known. */
  readonly since: number | undefined
}

/** The state of a Google Workspace directory. */
export interface SyncFacts {
  readonly isConnected: boolean
  /** Why an administrator has to consent again; undefined when nobody has to. */
  readonly authorizationNeeded: string | undefined
  readonly lastRun: Pick<SyncRun, 'state' | 'startedAt' | 'finishedAt' | 'error'> | undefined
  /** Whether the last run would have deleted the resource and holds that. */
  readonly isDeletionHeld: boolean
}
