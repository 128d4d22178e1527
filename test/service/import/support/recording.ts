import { readFile } from 'node:fs/promises'
import { Client } from 'pg'
import { createOpenValue } from '../../../../src/polis/import/source/encryption.ts'
import type { PolisSetupLink } from '../../../../src/polis/import/source.ts'
import { polisTables } from '../../../../tools/polis/fill.ts'
import type { PostgresDatabase } from '../../../support/postgres.ts'
import { startPostgres } from '../../../support/postgres.ts'
import type { ApiPolis } from './api-polis.ts'
import { startApiPolis } from './api-polis.ts'
import type { MemoryPolis, PolisContents } from './memory-polis.ts'
import { emptyPolis } from './memory-polis.ts'

/** A key of 32 characters, which Polis takes as they are. */
export const polisKey = 'polis-key-of-thirty-two-letters!'

/** What Polis' library has written to a database, and what it shows of that over its API. */
export interface Recording {
  /** Its name and version. */
  readonly library: string
  /** Undefined if records are in plain text. */
  readonly encryptionKey?: string | undefined
  readonly moving: readonly MovingProvider[]
  /** The ids of some records, by a name. */
  readonly made: Readonly<Record<string, string>>
  /** Oldest first. */
  readonly shown: readonly ShownDirectory[]
  readonly setupLinks: readonly PolisSetupLink[]
  /** The rows of `jackson_store` that belong to directory sync, oldest first. */
  readonly store: readonly StoreRow[]
  /** The rows of `jackson_index` in the order of their ids: key and key of the record. */
  readonly index: readonly (readonly [key: string, storeKey: string])[]
  readonly ttl: readonly object[]
}

/** A provider that has sent the first of its requests to Polis. */
export interface MovingProvider {
  readonly provider: string
  readonly sent: number
  readonly directory: { readonly id: string; readonly path: string; readonly secret: string }
  readonly captured: Readonly<Record<string, string>>
}

/** A directory with everything in it, as the API shows it. */
export interface ShownDirectory extends Omit<PolisContents, 'members'> {
  /** By group. */
  readonly members: Readonly<Record<string, string[]>>
}

export interface StoreRow {
  readonly key: string
  readonly namespace: string | null
  readonly createdAt: string
  readonly modifiedAt: string | null
  /** An object if it is not encrypted. */
  readonly value: string | object
  readonly iv?: string | null | undefined
  readonly tag?: string | null | undefined
}

export type RecordingName = 'plain' | 'encrypted'

export const recordingFile = (name: RecordingName): URL => new URL(`../recorded/${name}.json`, import.meta.url)

export async function readRecording(name: RecordingName): Promise<Recording> {
  return JSON.parse(await readFile(recordingFile(name), 'utf8'))
}

/** A database with recorded rows, and a double of the Polis that wrote them. */
export interface RecordedPolis extends AsyncDisposable {
  readonly recording: Recording
  readonly databaseUrl: string
  readonly api: ApiPolis
}

/** @param pageLimit the maximum of every page of the API */
export async function openRecordedPolis(name: RecordingName, pageLimit?: number): Promise<RecordedPolis> {
  const recording = await readRecording(name)
  const database = await openRecordedDatabase(recording)
  const api = await startApiPolis(memoryOf(recording), pageLimit)
  return {
    ...{ recording, databaseUrl: database.url, api },
    async [Symbol.asyncDispose]() {
      await api[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

/** Writes the recorded rows to a database of their own. */
export async function openRecordedDatabase({ store, index, ttl }: Recording): Promise<PostgresDatabase> {
  const database = await startPostgres({ isEmpty: true })
  const client = new Client({ connectionString: database.url })
  await client.connect()
  try {
    await client.query(polisTables)
    const texts = store.map(({ value, ...row }) => {
      return { ...row, value: typeof value === 'string' ? value : JSON.stringify(value) }
    })
    const insert = (table: string, rows: readonly object[]) =>
      client.query(`insert into ${table} select * from json_populate_recordset(null::${table}, $1)`, [
        JSON.stringify(rows),
      ])
    await insert('jackson_store', texts)
    await insert(
      'jackson_index',
      index.map(([key, storeKey], id) => ({ id: id + 1, key, storeKey })),
    )
    await insert('jackson_ttl', ttl)
    await client.query(`select setval('jackson_index_id_seq', ${index.length})`)
  } finally {
    await client.end()
  }
  return database
}

function memoryOf({ shown, setupLinks }: Recording): MemoryPolis {
  const contents = shown.map(({ members, ...one }) => ({ ...one, members: new Map(Object.entries(members)) }))
  return { ...emptyPolis(), contents, setupLinks: [...setupLinks] }
}

/** The content of a recording, in which ids, secrets and times are numbered: two runs of the library have the same. */
export function withoutIds(recording: Recording): unknown {
  const open = createOpenValue(recording.encryptionKey)
  const store = recording.store.map(({ key, namespace, value, iv, tag }) => {
    return { key, namespace, value: typeof value === 'string' ? open({ value, iv, tag }) : value }
  })
  return withChangingNumbered({ ...recording, store })
}

/** Numbers everything that two runs of the library make differently, in the order in which it is found. */
export function withChangingNumbered(recorded: object): unknown {
  const text = JSON.stringify(recorded)
  const secrets = Array.from(text.matchAll(/"secret":"([\w-]{22})"/g), ([, secret = '']) => secret)
  const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
  const changing = new RegExp([...secrets, uuid, '\\b[0-9a-f]{32,}\\b'].join('|'), 'g')
  const numbers = new Map<string, string>()
  const numbered = text.replaceAll(changing, (found) => {
    if (!numbers.has(found)) numbers.set(found, `#${numbers.size}`)
    return numbers.get(found) ?? ''
  })
  return JSON.parse(numbered.replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d\.\d+Z?|\b\d{13}\b/g, '0'))
}
