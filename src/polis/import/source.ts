/**
 * What an import reads from Polis. Records are as Polis stores them, decrypted and parsed; nothing is decided here. Each
 * list is read page by page: no implementation holds more than a page, and nothing is ever written. A list that was not
 * read whole ends with `IncompleteList`.
 */
export interface PolisSource {
  /** All directories of the filter, oldest first. Unreadable ones are reported whatever the filter. */
  directories(filter: PolisFilter, onUnreadable?: OnUnreadable): AsyncIterable<PolisDirectory>
  /** The users that the index assigns to a directory, oldest first. */
  users(directory: PolisDirectory, onUnreadable?: OnUnreadable): AsyncIterable<PolisUser>
  /** The groups that the index assigns to a directory, oldest first. */
  groups(directory: PolisDirectory, onUnreadable?: OnUnreadable): AsyncIterable<PolisGroup>
  /** The ids of the users of a group, oldest membership first; they need not exist. */
  members(directory: PolisDirectory, groupId: string, onUnreadable?: OnUnreadable): AsyncIterable<string>
  setupLinks(filter: PolisFilter, onUnreadable?: OnUnreadable): AsyncIterable<PolisSetupLink>
  /** The events that wait in the queue of batch mode, oldest first. A running Polis does not show them: none. */
  queuedEvents(filter: PolisFilter): AsyncIterable<PolisQueuedEvent>
  /** The records that cannot be imported into any directory, found by one walk over the namespaces of the filter. */
  problems(filter: PolisFilter): AsyncIterable<PolisProblem>
  /** Finds which of these records, at most 200, Polis has: readable or not, and whatever its lists say. */
  existing(kind: PolisRecordKind, directory: PolisScope, ids: readonly string[]): Promise<ReadonlySet<string>>
  close(): Promise<void>
}

/** Receives the key of a record of a list that cannot be read, and is left out of it. */
export type OnUnreadable = (key: string) => void

export type PolisRecordKind = 'directory' | 'user' | 'group' | 'setup-link'

/** The directory that records belong to; that of a setup link has no id. */
export interface PolisScope {
  readonly id: string
  readonly tenant: string
  readonly product: string
}

/** Selects directories; undefined: any. */
export interface PolisFilter {
  readonly tenant?: string | undefined
  readonly product?: string | undefined
}

/** A directory as Polis stores it, with its names of fields. */
export interface PolisDirectory {
  readonly id: string
  readonly name: string
  readonly tenant: string
  readonly product: string
  /** One of Polis’ types, such as `okta-scim-v2` or `google`, or what an older version has stored. */
  readonly type: string
  readonly log_webhook_events: boolean
  readonly webhook: { readonly endpoint: string; readonly secret: string }
  readonly scim: { readonly path: string; readonly secret: string }
  readonly deactivated: boolean
  readonly google_domain?: string | undefined
  readonly google_access_token?: string | undefined
  readonly google_refresh_token?: string | undefined
}

export interface PolisUser {
  readonly id: string
  readonly email: string
  readonly first_name: string
  readonly last_name: string
  readonly active: boolean
  readonly roles?: readonly string[] | undefined
  /** The body that the identity provider sent last, with `id`. */
  readonly raw: Readonly<Record<string, unknown>>
  /** When Polis created the record, in Unix milliseconds; undefined if the source does not say. */
  readonly createdAt: number | undefined
}

export interface PolisGroup {
  readonly id: string
  readonly name: string
  readonly raw: Readonly<Record<string, unknown>>
  readonly createdAt: number | undefined
}

export interface PolisSetupLink {
  readonly setupID: string
  readonly tenant: string
  readonly product: string
  readonly service: string
  readonly name?: string | undefined
  /** Unix milliseconds. */
  readonly validTill: number
  /** The address with the token of 48 hexadecimal digits at its end. */
  readonly url: string
  readonly webhook_url?: string | undefined
  readonly webhook_secret?: string | undefined
}

export interface PolisQueuedEvent {
  readonly id: string
  /** Unix milliseconds. */
  readonly createdAt: number
  /** The payload as Polis would send it: `event`, `tenant`, `product`, `directory_id`, `data`. */
  readonly payload: Readonly<Record<string, unknown>>
}

/** A record that no directory leads to, or that cannot be read. */
export interface PolisProblem {
  readonly kind: 'unreadable' | 'without-directory' | 'stale-index'
  /** The kind of record, and its key in Polis’ store. */
  readonly record: 'directory' | 'user' | 'group' | 'member' | 'setup-link' | 'event'
  readonly key: string
  readonly tenant?: string | undefined
  readonly product?: string | undefined
  readonly id?: string | undefined
  readonly reason: string
}
