import type { WorkspaceSizes } from '../../test/unit/fake-google/generate.ts'

/** The resources that a process has used since it started. */
export interface Usage {
  /** User and system time of all its threads. */
  readonly cpuMs: number
  /** The highest resident memory. */
  readonly maxRssBytes: number
  /** Rows inserted, updated and deleted in its SQLite database; 0 without one. */
  readonly rowsWritten: number
  /** The longest block of its event loop since the last report, in CPU time; 0 unless it is watched. */
  readonly longestBlockMs: number
}

/** The requests that a path of a receiver has accepted since it started. */
export interface Accepted {
  readonly events: number
  /** Time of the last accepted request, by `monotonicMs`. */
  readonly lastAtMs: number
}

/** A command for the fake Google. */
export interface WorkspaceCommand {
  /** Fills an empty Workspace. */
  readonly fill?: WorkspaceSizes
  /** Makes this number of changes of every kind. */
  readonly changes?: number
}

/** The settings and tokens that a service needs to use a fake Google. */
export interface PulledWorkspace {
  readonly settings: Readonly<Record<string, string>>
  /** New tokens each time. */
  readonly tokens: { readonly accessToken: string; readonly refreshToken: string }
  /** The number of requests so far. */
  readonly requests: number
}

export type Message =
  | { readonly kind: 'listening'; readonly port: number }
  | { readonly kind: 'usage'; readonly usage: Usage }

/** A message of a server's process; both ends run this code. */
export function parseMessage(received: unknown): Message {
  return received as Message
}
