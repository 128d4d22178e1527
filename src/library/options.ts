import type { OnEvent } from '../delivery/callback-sender.ts'
import type { DeliveryLogger } from '../delivery/observer.ts'
import type { SyncLog } from '../google/sync/runner.ts'

/**
 * The settings of the embedded service. Settings that the service reads from its environment have the same defaults.
 */
export interface RollcallOptions {
  /** `sqlite:<file>` or `postgres://…`. Default: `sqlite:./data/rollcall.db`. */
  readonly databaseUrl?: string | undefined
  /** The public address of the product's SCIM routes: `scim.endpoint` of every directory begins with it. */
  readonly externalUrl: string
  /** 32 bytes in base64 or hexadecimal; required on PostgreSQL, generated and kept beside the file on SQLite. */
  readonly encryptionKey?: string | undefined
  /** Connections to PostgreSQL. Default: 10. */
  readonly databasePoolSize?: number | undefined
  /** The address of the PostgreSQL server itself, when `databaseUrl` is that of a pooler in transaction mode. */
  readonly databaseDirectUrl?: string | undefined
  /** The API keys for `fetch`, at least 16 characters each. Without one, only keys created by an admin are accepted. */
  readonly apiKeys?: readonly string[] | undefined
  /** The token for logging in to the admin API through `fetch`; without it, that API is off. */
  readonly adminRootToken?: string | undefined
  readonly webhook?: {
    /** Timeout for the response of an endpoint, in milliseconds. Default: 15,000. */
    readonly timeoutMs?: number | undefined
    /**
     * Hosts, addresses and networks that may be endpoints although they are in a private network or on this machine.
     * Default: none, or loopback addresses if `externalUrl` is on localhost.
     */
    readonly allowPrivate?: readonly string[] | undefined
    /** The HTTP proxy for deliveries and the keys of issuers, such as `http://user:password@proxy:3128`. Default: none. */
    readonly proxy?: string | undefined
    /** The hosts that are reached without it: names with all below them, addresses and networks. Default: none. */
    readonly noProxy?: readonly string[] | undefined
    /** The maximum number of deliveries at once to one origin. Default: 32. */
    readonly concurrency?: number | undefined
    /** The name, or names, of additional headers that carry the signature in the form `t=…,s=…`. */
    readonly signatureHeader?: string | readonly string[] | undefined
    /** The maximum number of events per request in batch mode. Default: 0, which sends every event separately. */
    readonly batchSize?: number | undefined
    /** In batch mode, seconds between batches. Default: 0, which sends batches only when `events.process` is called. */
    readonly batchInterval?: number | undefined
    /** Days that a delivery stays in the delivery log. Default: 7. */
    readonly logsTtl?: number | undefined
  }
  /** The OAuth client and the addresses for pulling directories from Google Workspace. */
  readonly extdir?: {
    readonly clientId?: string | undefined
    readonly clientSecret?: string | undefined
    readonly authUrl?: string | undefined
    readonly tokenUrl?: string | undefined
    /** The root of the Directory API, before `/admin/directory/v1`. */
    readonly apiUrl?: string | undefined
    /** The percentage of a directory that a sync may delete without approval. Default: 30. */
    readonly maxDeletePercent?: number | undefined
    /** Seconds between syncs of a directory. Default: 3,600; 0 syncs only after a consent and when `sync` is called. */
    readonly cronInterval?: number | undefined
  }
  /**
   * The removal limit of directories that have no limit of their own: events are held when more removals are made
   * within the window. Default: more than 30 percent and more than 20 within 3,600 seconds; 100 percent holds none.
   */
  readonly removalLimit?: {
    readonly percent?: number | undefined
    readonly minimum?: number | undefined
    /** Seconds. */
    readonly window?: number | undefined
  }
  /** Whether `fetch` and endpoints serve products of Ory Polis: `POLIS_COMPAT`. Default: false. */
  readonly polisCompat?: boolean | undefined
  /** Receives every event in order; an event is repeated until this does not throw, also after a restart. */
  readonly onEvent?: OnEvent | undefined
  /** The maximum number of directories of a tenant for one product; 0 means unlimited. Default: 1,000. */
  readonly maxDirectoriesPerTenant?: number | undefined
  /** Days that an event is kept; an undelivered event is kept longer. Default: 30. */
  readonly eventRetentionDays?: number | undefined
  /** Days for which a deleted user who is created again is recognized; 0 means never. Default: 30. */
  readonly returnWindowDays?: number | undefined
  /** Days that an entry of the audit trail is kept. Default: 0, which keeps them forever. */
  readonly auditRetentionDays?: number | undefined
  /**
   * SCIM requests per second that `fetch` and `listener` accept of a tenant for a product; bursts have ten times as many, and 0 means
   * unlimited. Default: 100.
   */
  readonly scimRateLimit?: number | undefined
  /** Days that a SCIM request stays in the request log; 0 turns the log off and empties it. Default: 7. */
  readonly scimRequestLogTtl?: number | undefined
  /** The maximum number of SCIM requests of a directory in the request log. Default: 100,000. */
  readonly scimRequestLogMax?: number | undefined
  /** In seconds; `DEPROVISION_TARGET`. */
  readonly deprovisionTarget?: number | undefined
  /** Receives messages for the operator; a pino logger fits. Default: warnings and errors to standard error. */
  readonly log?: (DeliveryLogger & SyncLog) | undefined
}
