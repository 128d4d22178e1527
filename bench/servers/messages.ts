import type { WorkspaceSizes } from '../../test/unit/fake-google/generate.ts'

/** What a process has used since it started. */
export interface Usage {
  /** User and system time of all its threads. */
  readonly cpuMs: number
  /** The most memory that it ever had resident. */
  readonly maxRssBytes: number
  /** Rows that its SQLite has inserted, updated and deleted; 0 without one. */
  readonly rowsWritten: number
}

/** What a path of a receiver has taken since it started. */
export interface Taken {
  readonly events: number
  /** When the last request that was taken arrived, by `monotonicMs`. */
  readonly lastAtMs: number
}

/** What a fake Google is to do, before it tells how it is. */
export interface WorkspaceCommand {
  /** Fills an empty Workspace with so many. */
  readonly fill?: WorkspaceSizes
  /** Makes so many changes of every kind. */
  readonly changes?: number
}

/** A fake Google, as a service needs to know it. */
export interface PulledWorkspace {
  readonly settings: Readonly<Record<string, string>>
  /** New ones each time. */
  readonly tokens: { readonly accessToken: string; readonly refreshToken: string }
  /** So many it was asked until now. */
  readonly requests: number
}

export type Message =
  | { readonly kind: 'listening'; readonly port: number }
  | { readonly kind: 'usage'; readonly usage: Usage }

/** A message of a server's process; both ends are this code. */
export function parseMessage(given: unknown): Message {
  return given as Message
}
