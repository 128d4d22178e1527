import type { PolisDirectoryType, PolisDirectoryView } from '../compat/directories.ts'

// The types that Polis' library exports for directory sync, under its names.

export type DirectoryType = PolisDirectoryType

/** A directory, with the further settings of Rollcall beside the fields of Polis. */
export type Directory = PolisDirectoryView

export interface ApiError {
  message: string
  code: number
}

export type Response<T> = { data: T; error: null; pageToken?: string } | { data: null; error: ApiError }

export interface PaginationParams {
  pageOffset?: number
  pageLimit?: number
  pageToken?: string
}

export interface User {
  id: string
  email: string
  first_name: string
  last_name: string
  active: boolean
  roles?: string[]
  raw?: Record<string, unknown>
}

export interface Group {
  id: string
  name: string
  raw?: Record<string, unknown>
}

export type UserWithGroup = User & { group: Group }

export interface GroupMembership {
  id: string
  group_id: string
  user_id: string
}

export type DirectorySyncEventType =
  | 'user.created'
  | 'user.updated'
  | 'user.deleted'
  | 'group.created'
  | 'group.updated'
  | 'group.deleted'
  | 'group.user_added'
  | 'group.user_removed'

/** An event; it also has the further fields of Rollcall's events, such as `id` and `sequence`. */
export interface DirectorySyncEvent {
  directory_id: string
  event: DirectorySyncEventType
  data: User | Group | UserWithGroup
  tenant: string
  product: string
}

export type EventCallback = (event: DirectorySyncEvent) => Promise<void>

export interface DirectorySyncRequest {
  method: string
  /** Parsed JSON, or its text. */
  body: unknown
  directoryId: string
  resourceType: string
  resourceId: string | undefined
  apiSecret: string | null
  query: { count?: number; startIndex?: number; filter?: string }
}

export interface DirectorySyncResponse {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: the type that products of Polis compile with
  data?: any
}

export interface WebhookEventLog {
  id: string
  webhook_endpoint: string
  created_at: string
  status_code?: number
  delivered?: boolean
  payload: DirectorySyncEvent | DirectorySyncEvent[]
}

export interface SetupLink {
  setupID: string
  tenant: string
  product: string
  service: 'dsync'
  name?: string
  url: string
  /** Unix milliseconds. */
  validTill: number
  webhook_url?: string
  webhook_secret?: string
}

export interface SetupLinkCreatePayload {
  name?: string
  tenant: string
  product: string
  webhook_url?: string
  webhook_secret?: string
  service: 'dsync'
  regenerate?: boolean
  expiryDays?: number
}
