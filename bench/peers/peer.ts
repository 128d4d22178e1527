import type { EngineName } from '../engines/engine.ts'
import type { ServerModule } from '../servers/server.ts'
import type { ScimStatuses } from '../workload/scim-calls.ts'

/** Another server with the service's interface, whose work is measured in turns with it. */
export interface Peer {
  /** The short name in the report. */
  readonly name: string
  readonly kind: 'earlier version' | 'Polis'
  readonly engines: readonly EngineName[]
  readonly module: ServerModule
  readonly nodeOptions: readonly string[]
  /** Settings in addition to those of the database. */
  readonly env: Readonly<Record<string, string>>
  readonly authorization: string
  /** Statuses that differ from the service's. */
  readonly statuses: Partial<ScimStatuses>
}
