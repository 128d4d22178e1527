/** What a process has used since it started. */
export interface Usage {
  /** User and system time of all its threads. */
  readonly cpuMs: number
  /** The most memory that it ever had resident. */
  readonly maxRssBytes: number
}

/** What a path of a receiver has taken since it started. */
export interface Taken {
  readonly events: number
  /** When the last request that was taken arrived, by `monotonicMs`. */
  readonly lastAtMs: number
}

export type Message =
  | { readonly kind: 'listening'; readonly port: number }
  | { readonly kind: 'usage'; readonly usage: Usage }

/** A message of a server's process; both ends are this code. */
export function parseMessage(given: unknown): Message {
  return given as Message
}
