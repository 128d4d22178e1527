import type { Collection, Filter } from 'mongodb'
import { PolisSourceError } from './errors.ts'
import { importDriver } from './import-driver.ts'
import type { NamespacePattern, PolisPage, PolisRecordStore, PolisRow } from './record-store.ts'
import { rowsPerPage } from './record-store.ts'

/** A document of Polis' collection. */
export interface PolisDocument {
  readonly _id: string
  readonly value?: { readonly value?: unknown; readonly iv?: unknown; readonly tag?: unknown }
  readonly indexes?: readonly string[]
  /** In ISO 8601. */
  readonly createdAt?: string
}

const collection = 'jacksonStore'

/** The documents that are read at once: a document of MongoDB has at most 16 MB. */
const batchSize = 50

/**
 * Reads Polis' collection `jacksonStore`.
 *
 * @param url `mongodb://…` or `mongodb+srv://…`, with the name of the database
 * @throws PolisSourceError if the driver is not installed, or the database cannot be reached
 */
export async function openMongo(url: string): Promise<PolisRecordStore> {
  const { MongoClient } = await importDriver('mongodb', () => import('mongodb'))
  const client = new MongoClient(url, { serverSelectionTimeoutMS: 20_000, readPreference: 'primary' })
  await client.connect().catch((cause: Error) => {
    throw new PolisSourceError(`The database of Polis cannot be reached: ${cause.message}`, { cause })
  })
  const found = await client
    .db()
    .listCollections({ name: collection }, { nameOnly: true, authorizedCollections: true })
    .toArray()
  if (found.length > 0)
    return createMongoRecordStore(client.db().collection<PolisDocument>(collection), () => client.close())
  await client.close()
  throw new PolisSourceError(`The database has no collection ${collection}: name the database that Polis uses.`)
}

/** Reads a collection; `close` ends its connection. */
export function createMongoRecordStore(
  documents: Collection<PolisDocument>,
  close: () => Promise<void>,
): PolisRecordStore {
  /** Reads documents in the order of their creation, as far as they go on one page. */
  async function readOldestFirst(filter: Filter<PolisDocument>, from: string | undefined): Promise<PolisPage> {
    const [time, id] = from === undefined ? [undefined, undefined] : parsePosition(from)
    // Very old documents have no time: they come first, as null does.
    const after: Filter<PolisDocument> =
      id === undefined
        ? {}
        : time === null || time === undefined
          ? { $or: [{ createdAt: { $gt: '' } }, { createdAt: { $exists: false }, _id: { $gt: id } }] }
          : { $or: [{ createdAt: { $gt: time } }, { createdAt: time, _id: { $gt: id } }] }
    const page = documents.find({ $and: [filter, after] }, { sort: { createdAt: 1, _id: 1 }, limit: batchSize })
    const found = await page.toArray()
    const last = found.length < batchSize ? undefined : found.at(-1)
    return { rows: rowsOf(found), next: last && JSON.stringify([last.createdAt ?? null, last._id]) }
  }

  return {
    readIndex: (indexKey, from) => readOldestFirst({ indexes: indexKey }, from),
    readNamespace: (namespace, from) => readOldestFirst({ _id: { $gt: `${namespace}:`, $lt: `${namespace};` } }, from),
    async walk(pattern, from) {
      const [start = ''] = pattern
      const filter = { _id: { $regex: regexOf(pattern), $gt: from ?? `${start}:`, $lt: `${start};` } }
      const found = await documents.find(filter, { sort: { _id: 1 }, limit: batchSize }).toArray()
      return { rows: rowsOf(found), next: found.length < batchSize ? undefined : found.at(-1)?._id }
    },
    async findEntries(entries) {
      const filter = { _id: { $in: [...new Set(entries.map(({ key }) => key))] } }
      const found = await documents.find(filter, { projection: { indexes: 1 }, batchSize: rowsPerPage }).toArray()
      const indexesOf = new Map(found.map(({ _id, indexes = [] }) => [_id, indexes]))
      return entries.filter(({ key, indexKey }) => indexesOf.get(key)?.includes(indexKey))
    },
    async findExisting(keys) {
      const found = await documents.find({ _id: { $in: [...keys] } }, { projection: { _id: 1 } }).toArray()
      return new Set(found.map(({ _id }) => _id))
    },
    async sampleEncrypted() {
      const filter: Filter<PolisDocument> = { _id: { $gt: 'dsync:', $lt: 'dsync;' }, 'value.iv': { $type: 'string' } }
      return rowsOf(await documents.find(filter, { limit: 5 }).toArray())
    },
    close,
  }
}

function rowsOf(found: readonly PolisDocument[]): PolisRow[] {
  return found.map(({ _id: key, value, createdAt }) => {
    const time = Date.parse(createdAt ?? '')
    return {
      key,
      value: textOf(value?.value) ?? '',
      iv: textOf(value?.iv),
      tag: textOf(value?.tag),
      createdAt: Number.isNaN(time) ? undefined : time,
    }
  })
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function parsePosition(from: string): [string | null, string] {
  const [time, id]: [string | null, string] = JSON.parse(from)
  return [time, id]
}

/** An anchored pattern for the keys of namespaces. */
function regexOf(pattern: NamespacePattern): string {
  return `^${pattern.map((part) => (part === undefined ? '.*' : RegExp.escape(part))).join(':')}:`
}
