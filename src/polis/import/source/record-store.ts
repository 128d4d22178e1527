import type { StoredValue } from './encryption.ts'

/** A stored record. */
export interface PolisRow extends StoredValue {
  readonly key: string
  /** Unix milliseconds; undefined if it is not stored. */
  readonly createdAt: number | undefined
}

/** The records of a page; `next` is where the next page begins, undefined after the last. */
export interface PolisPage {
  readonly rows: readonly PolisRow[]
  readonly next: string | undefined
}

/** A record that an index has under a key. */
export interface IndexEntry {
  readonly indexKey: string
  readonly key: string
}

/** The parts of a namespace, which colons separate; undefined stands for any text. */
export type NamespacePattern = readonly (string | undefined)[]

/**
 * What is read from a database of Polis, whatever its kind. Pages have at most `rowsPerPage` records, and never more
 * bytes than those may have; no transaction is open between two of them.
 */
export interface PolisRecordStore {
  /** Reads records that an index has under a key, oldest first. */
  readIndex(indexKey: string, from: string | undefined): Promise<PolisPage>
  /** Reads the records of a namespace, oldest first. */
  readNamespace(namespace: string, from: string | undefined): Promise<PolisPage>
  /** Reads the records of all namespaces that match, each record once, in any order. */
  walk(pattern: NamespacePattern, from: string | undefined): Promise<PolisPage>
  /** Finds which of these entries an index has; at most a page of them. */
  findEntries(entries: readonly IndexEntry[]): Promise<readonly IndexEntry[]>
  /** Finds which of these records exist; at most a page of them. */
  findExisting(keys: readonly string[]): Promise<ReadonlySet<string>>
  /** Reads a few encrypted records of directory sync; none if none is encrypted. */
  sampleEncrypted(): Promise<readonly StoredValue[]>
  close(): Promise<void>
}

export const rowsPerPage = 500

/** The characters of a value that is read with its page; a longer one is read by itself. */
export const longValue = 32_768

/** Reads page by page. */
export async function* rowsOf(
  readPage: (from: string | undefined) => Promise<PolisPage>,
): AsyncGenerator<PolisRow, void> {
  let from: string | undefined
  do {
    const { rows, next } = await readPage(from)
    yield* rows
    from = next
  } while (from !== undefined)
}
