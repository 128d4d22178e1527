import type { AccountStore } from '../admin/accounts/account-store.ts'
import type { AdminStore, KeyRotation } from '../admin/admin-store.ts'
import type { AuditStore } from '../admin/audit/audit-store.ts'
import type { ApiKeyStore } from '../admin/keys/api-key-store.ts'
import type { ConsoleSessionStore } from '../admin/sessions/session-store.ts'
import type { AdoptionStore } from '../adoption/adoption-store.ts'
import type { EventStore, RetentionStore } from '../delivery/event-store.ts'
import type { FeedStore } from '../delivery/feed/feed-store.ts'
import type { ProductFeedStore } from '../delivery/feed/product-store.ts'
import type { HoldStore } from '../delivery/hold/hold-store.ts'
import type { AttemptStore } from '../delivery/log/attempt-store.ts'
import type { DeliveryLogStore } from '../delivery/log/delivery-log-store.ts'
import type { ResyncStore } from '../delivery/resync/resync-store.ts'
import type { DeprovisioningStore } from '../diagnostics/deprovisioning/deprovisioning-store.ts'
import type { HealthCheckStore } from '../diagnostics/health/check-store.ts'
import type { HealthStore } from '../diagnostics/health/health-store.ts'
import type { HealthListStore } from '../diagnostics/health/list-store.ts'
import type { NoticeStore } from '../diagnostics/notices/notice-store.ts'
import type { VolumeStore } from '../diagnostics/overview/volume-store.ts'
import type { RequestLogStore } from '../diagnostics/requests/request-log-store.ts'
import type { TraceStore } from '../diagnostics/trace/trace-store.ts'
import type { AccountLinkStore } from '../directory/account-links.ts'
import type { DirectoryStore } from '../directory/directory-store.ts'
import type { SearchStore } from '../directory/search-store.ts'
import type { GoogleStore } from '../google/google-store.ts'
import type { MappingStore } from '../mapping/mapping-store.ts'
import type { OAuthClientStore } from '../oauth/oauth-client-store.ts'
import type { ImportStore } from '../polis/import/import-store.ts'
import type { PrivacyStore } from '../privacy/privacy-store.ts'
import type { SetupLinkStore } from '../setup/setup-link-store.ts'

/** The connections of this process that are reserved for one kind of work. */
export interface PoolCounts {
  readonly pool: 'provisioning' | 'delivery' | 'health'
  readonly inUse: number
  /** Work that waits for a connection. */
  readonly waiting: number
}

/** Everything that the service stores in a database. */
export interface Store
  extends DirectoryStore,
    AccountLinkStore,
    AdoptionStore,
    SearchStore,
    MappingStore,
    ResyncStore,
    EventStore,
    HoldStore,
    DeliveryLogStore,
    RequestLogStore,
    TraceStore,
    AttemptStore,
    FeedStore,
    ProductFeedStore,
    RetentionStore,
    NoticeStore,
    DeprovisioningStore,
    HealthStore,
    HealthCheckStore,
    HealthListStore,
    VolumeStore,
    GoogleStore,
    ImportStore,
    AdminStore,
    AccountStore,
    ApiKeyStore,
    OAuthClientStore,
    SetupLinkStore,
    ConsoleSessionStore,
    AuditStore,
    PrivacyStore,
    KeyRotation {
  getOrCreateSecret: AdminStore['getOrCreateSecret']
  /** Resolves when a write has ended, now or in the last second; rejects when it fails, or has not ended after five seconds. */
  ping(): Promise<void>
  /**
   * Reads the clock of the database server, in Unix milliseconds. Undefined on SQLite: the only process has the only
   * clock.
   */
  readonly readClock: (() => Promise<number>) | undefined
  /** The connections to PostgreSQL, by pool; none on SQLite. */
  countConnections(): readonly PoolCounts[]
  /** Time of the last `rollcall backup`, in Unix milliseconds; undefined when there was none, and on PostgreSQL. */
  lastBackupAt(): number | undefined
  /**
   * Copies an embedded database into a file of its own while it is in use, with everything that was committed before the
   * call; the encryption key is not in it. Undefined on PostgreSQL, which has tools for that.
   */
  readonly backup: ((file: string) => Promise<void>) | undefined
  /** Finishes queued work and closes the database. */
  close(): Promise<void>
}
