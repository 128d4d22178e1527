import type { DirectoryRevision } from '../../directory/directory.ts'
import type { DirectoryReads } from '../../directory/directory-store.ts'
import type { DirectoryType } from '../../directory/provider.ts'
import type { Decision, DecisionKind } from './decisions.ts'
import type { ImportStep, ImportStore } from './import-store.ts'
import { rowsPerImportBatch } from './import-store.ts'
import type { SeenRecords } from './seen.ts'
import { createSeenRecords, leftOutText, readable } from './seen.ts'
import type { OnUnreadable, PolisDirectory, PolisSource } from './source.ts'

/** How many records an import creates, changes and deletes, and how many stay as they are. */
export interface Tally {
  created: number
  updated: number
  deleted: number
  unchanged: number
}

export function newTally(): Tally {
  return { created: 0, updated: 0, deleted: 0, unchanged: 0 }
}

/** A record that is not the same on both sides. */
export interface Difference {
  readonly record: 'directory' | 'user' | 'group' | 'member' | 'setup-link'
  readonly directoryId: string | undefined
  readonly id: string
  /** The group of a member. */
  readonly groupId?: string | undefined
  /** Whether it is only in Polis or only here, or the fields that differ. */
  readonly what: 'missing' | 'extra' | readonly string[]
}

/** The comparison of a directory with what Polis has. What differs is written by `write`, or only counted. */
export interface Pass {
  readonly source: PolisSource
  readonly store: ImportStore & DirectoryReads
  readonly polis: PolisDirectory
  readonly directory: DirectoryRevision
  readonly directoryType: DirectoryType
  /** False while the directory is still empty: nothing is read from it then. */
  readonly holdsSomething: boolean
  readonly at: number
  readonly signal: AbortSignal | undefined
  /** Writes steps in one transaction; undefined: they are only counted. */
  readonly write: ((steps: readonly ImportStep[]) => Promise<void>) | undefined
  readonly differ: (difference: Difference) => void
  readonly decide: (kind: DecisionKind, id: string | undefined, text: string) => void
  readonly onProgress: () => void
  /** Whether all lists of the directory were read whole. */
  isWhole: boolean
  readonly users: Tally
  readonly groups: Tally
  readonly members: Tally
}

/** Makes the function by which a pass decides about records of its directory. */
export function decideIn(
  decide: (decision: Decision) => void,
  { id: directoryId, tenant, product }: PolisDirectory,
): Pass['decide'] {
  return (kind, id, text) => decide({ kind, directoryId, tenant, product, id, text })
}

/** What an import has made of a user or group. */
interface ImportedRecord {
  readonly id: string
  /** Attributes that are left out because a limit refuses them. */
  readonly refused: readonly string[]
  /** Attributes that Polis has kept and that are not stored here. */
  readonly dropped: readonly string[]
}

/** How the users or the groups of a directory are imported. */
interface RecordImport<P, I> {
  readonly record: 'user' | 'group'
  list(onUnreadable: OnUnreadable): AsyncIterable<P>
  make(record: P): I
  /** Decides what else is to be said about a record. */
  decide?(record: P, made: I): void
  write(batch: readonly I[]): Promise<void>
}

/** Imports the users or the groups of a directory, batch by batch; returns those of Polis. */
export async function importRecords<P extends { readonly id: string; readonly raw: object }, I extends ImportedRecord>(
  pass: Pass,
  { record, list, make, decide, write }: RecordImport<P, I>,
): Promise<SeenRecords> {
  const [seen, dropped] = [createSeenRecords(), createDropped()]
  const found = readable(list(seen.addUnreadable), endList(pass, record, seen))
  for await (const batch of batchesOf(found)) {
    pass.signal?.throwIfAborted()
    const made = batch
      .filter(({ id }) => isImported(pass, record, id) && seen.add(id))
      .map((one) => {
        const imported = make(one)
        const { id, refused } = imported
        if (refused.length > 0)
          pass.decide('value-refused', id, `${refused.join(', ')} of the ${record} cannot be stored, and is left out.`)
        decide?.(one, imported)
        dropped.add(imported.dropped)
        return imported
      })
    await write(made)
    pass.onProgress()
  }
  dropped.decide(pass, `${record}s`)
  if (seen.unreadable > 0) pass.decide('unreadable', undefined, leftOutText(seen.unreadable, record))
  return seen
}

/** The bytes of records that are read together, unless one alone has more. */
const bytesPerBatch = 1_000_000

/** Splits records into batches that one transaction writes. */
async function* batchesOf<T extends { readonly raw: object }>(records: AsyncIterable<T>): AsyncGenerator<T[]> {
  let [batch, bytes]: [T[], number] = [[], 0]
  for await (const record of records) {
    batch.push(record)
    bytes += JSON.stringify(record.raw).length
    if (batch.length < rowsPerImportBatch && bytes < bytesPerBatch) continue
    yield batch
    ;[batch, bytes] = [[], 0]
  }
  if (batch.length > 0) yield batch
}

/** Makes the function that notes that a list of the directory was not read whole. */
function endList(pass: Pass, record: 'user' | 'group', seen: SeenRecords): (reason: string) => void {
  return (reason) => {
    pass.isWhole = false
    seen.isWhole = false
    pass.decide('list-incomplete', undefined, `${reason} No ${record} or member of the directory is deleted.`)
  }
}

const idForm = /^[^\p{Cc}\p{Cs}]{1,256}$/u

/** Returns whether the id of a user or group can be stored; else decides that it is left out. */
function isImported({ decide }: Pass, kind: 'user' | 'group', id: string): boolean {
  if (idForm.test(id)) return true
  const text = `The ${kind} with the id ${JSON.stringify(id)} is not imported: an id has 1 to 256 characters, without control characters.`
  decide('value-refused', undefined, text)
  return false
}

/** Counts the attributes that are not stored, by their path. */
function createDropped() {
  const paths = new Map<string, number>()
  return {
    add(dropped: readonly string[]): void {
      for (const path of dropped) if (paths.has(path) || paths.size < 200) paths.set(path, (paths.get(path) ?? 0) + 1)
    },
    /** Decides about each path. @param records `users` or `groups` */
    decide({ decide }: Pass, records: string): void {
      for (const [path, count] of paths) {
        decide('attribute-dropped', undefined, `${path} of ${count} ${records} is dropped: ${reasonOf(path)}.`)
      }
    },
  }
}

function reasonOf(path: string): string {
  const [name = ''] = path.toLowerCase().split('.')
  if (name === 'password') return 'passwords are never stored'
  if (name === 'groups' || name === 'meta') return 'it follows from other records'
  return 'it has no value that SCIM would store'
}
