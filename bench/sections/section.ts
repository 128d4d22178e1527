import type { Engine } from '../engines/engine.ts'
import type { Connection } from '../load/connection.ts'
import type { Scale } from '../options.ts'
import type { Peer } from '../peers/peer.ts'
import type { Row } from '../report/row.ts'
import type { Seeded, SeedPlan } from '../seed/plan.ts'

/** A database with seeded directories. */
export interface SeededDatabase {
  readonly env: Readonly<Record<string, string>>
  readonly directories: readonly Seeded[]
}

/** The context of a section. */
export interface Bench {
  readonly engine: Engine
  readonly scale: Scale
  /** The servers that the service is compared with, besides the bare engine. */
  readonly peers: readonly Peer[]
  /** The database with the large directory, created at the first call. */
  large(): Promise<{ readonly env: Readonly<Record<string, string>>; readonly directory: Seeded }>
  seed(plans: readonly SeedPlan[]): Promise<SeededDatabase>
  /** Reports progress. */
  say(text: string): void
}

export type Section = (bench: Bench) => Promise<Row[]>
export type Connections = readonly Connection[]
