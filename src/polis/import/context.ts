import type { ResyncStore } from '../../delivery/resync/resync-store.ts'
import type { Audited, Caller } from '../../directory/audit.ts'
import type { DirectoryStore } from '../../directory/directory-store.ts'
import type { SetupLinkStore } from '../../setup/setup-link-store.ts'
import type { Decide } from './decisions.ts'
import type { ImportStore } from './import-store.ts'
import type { Difference } from './pass.ts'
import type { PolisFilter, PolisSource } from './source.ts'

/** The modes of an import: it lists what it would do, does it, or compares both sides. */
export const importModes = ['plan', 'apply', 'verify'] as const

export type ImportMode = (typeof importModes)[number]

/** The parts of the store that an import uses. */
export type ImportDatabase = ImportStore & DirectoryStore & SetupLinkStore & Pick<ResyncStore, 'beginResync'>

/** The parts and settings that all steps of an import share. */
export interface ImportContext {
  readonly mode: ImportMode
  readonly source: PolisSource
  /** The address of Polis without credentials, by which the directories that were imported from it are remembered. */
  readonly origin: string
  readonly filter: PolisFilter
  readonly store: ImportDatabase
  readonly audited: Audited
  readonly caller: Caller
  /** The key of the digests of the tokens of setup links. */
  readonly setupLinkKey: string
  readonly newId: () => string
  readonly newSecret: () => string
  /** Unix milliseconds. */
  readonly clock: () => number
  readonly signal: AbortSignal | undefined
  readonly decide: Decide
  readonly differ: (difference: Difference) => void
  readonly onProgress: () => void
}
