import type { RollcallClient } from './client.ts'
import type { ComparedField, ComparedText } from './user-digest.ts'
import { bucketOf, comparedFields, createBucketDigests } from './user-digest.ts'
import { wait } from './waiting.ts'

/** The compared fields of a user. A field that is missing is null. */
export interface ComparedUser {
  /** The id of the user in Rollcall. */
  readonly id: string
  readonly active?: boolean | number | null | undefined
  readonly email?: string | null | undefined
  readonly first_name?: string | null | undefined
  readonly last_name?: string | null | undefined
  readonly account_id?: string | number | bigint | null | undefined
  /** A list, or a text that is joined by commas. */
  readonly roles?: readonly string[] | string | null | undefined
}

/** The product's own rows, in any order. */
export type ComparedRows = AsyncIterable<ComparedUser> | Iterable<ComparedUser>

export interface CompareOptions {
  readonly client: Pick<RollcallClient, 'GET' | 'users'>
  readonly directoryId: string
  /** The fields that must be the same. */
  readonly fields: readonly ComparedField[]
  /**
   * The product's own rows of the directory. A function is called up to three times, and the rows of buckets that differ are kept in memory.
   * Without a function, all are.
   */
  readonly rows: ComparedRows | (() => ComparedRows)
  /**
   * Milliseconds after which users who differ are read again on both sides, if `rows` is a function: those who are the same by then had an
   * event on its way, and are not reported. Default: 5,000; 0: never.
   */
  readonly recheckAfterMs?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/** A user who is not the same on both sides. `missing`: only Rollcall has it; `extra`: only the rows do. */
export interface UserDifference {
  readonly id: string
  readonly kind: 'missing' | 'extra' | 'different'
  /** The fields in Rollcall. */
  readonly ours?: ComparedUser
  /** The fields in the rows. */
  readonly theirs?: ComparedUser
}

/** The rows are added up in the most buckets, and compared in as many as fit their number. */
const bucketCounts = [16, 32, 64, 128, 256, 512, 1024, 2048, 4096] as const
const [maxBuckets, usersPerBucket] = [4096, 16] as const

/** Users per request. */
const pageSize = 1_000

/** This number of buckets, or half as many as the list has pages, are read one by one; if more differ, the list is read. */
const fewBuckets = 8

/**
 * Compares the users of a directory with the product's own rows. Digests show which buckets of users differ, and only these are read.
 *
 * @throws RollcallError when the service refuses a request; TypeError for rows that cannot be compared, such as two with the same id
 */
export async function* compareUsers(options: CompareOptions): AsyncGenerator<UserDifference, void, undefined> {
  const { client, directoryId, fields, rows, recheckAfterMs = 5_000, signal } = options
  requireFields(fields)
  const canRepeat = typeof rows === 'function'
  const kept: ComparedUser[] = []
  const digests = createBucketDigests(maxBuckets)
  for await (const row of canRepeat ? rows() : rows) {
    const user = picked(row, fields)
    digests.add(user.id, textsOf(user, fields))
    if (!canRepeat) kept.push(user)
    // Lets others run, also when the rows are in memory.
    if (digests.users() % pageSize === 0) await wait(0, signal)
    signal?.throwIfAborted()
  }
  const buckets = bucketCounts.find((count) => count * usersPerBucket >= digests.users()) ?? maxBuckets
  const query = { fields: fields.join(), buckets }
  const { data } = await client.GET('/{id}/digest', { params: { path: { id: directoryId }, query }, signal })
  const own = digests.list(buckets)
  const isSame = (bucket: number) =>
    own[bucket]?.count === data.buckets[bucket]?.count && own[bucket]?.digest === data.buckets[bucket]?.digest
  const differing = new Set([...own.keys()].filter((bucket) => !isSame(bucket)))
  const readsList = differing.size > Math.max(fewBuckets, data.users / (2 * pageSize))
  const source = canRepeat ? rows : () => kept

  /** The users of some buckets who differ, by id. */
  async function differencesIn(some: ReadonlySet<number>): Promise<Map<string, UserDifference>> {
    const differences = new Map<string, UserDifference>()
    if (some.size === 0) return differences
    const rest = await rowsIn(source(), ({ id }) => some.has(bucketOf(id, buckets)), options)
    const selections = readsList ? [{}] : [...some].map((bucket) => ({ bucket, buckets }))
    for (const selection of selections) {
      for await (const user of client.users({ directoryId, ...selection }, { pageSize, signal })) {
        const { id } = user
        if (readsList && !some.has(bucketOf(id, buckets))) continue
        const [ours, theirs] = [picked(user, fields), rest.get(id)]
        rest.delete(id)
        if (theirs === undefined) differences.set(id, { id, kind: 'missing', ours })
        else if (textsOf(ours, fields).some((text, index) => text !== textsOf(theirs, fields)[index]))
          differences.set(id, { id, kind: 'different', ours, theirs })
      }
    }
    for (const [id, theirs] of rest) differences.set(id, { id, kind: 'extra', theirs })
    return differences
  }

  const found = await differencesIn(differing)
  if (!canRepeat || found.size === 0 || recheckAfterMs === 0) return yield* found.values()
  await wait(recheckAfterMs, signal)
  signal?.throwIfAborted()
  const again = await differencesIn(new Set(Array.from(found.keys(), (id) => bucketOf(id, buckets))))
  for (const [id, difference] of again) if (found.has(id)) yield difference
}

/** The rows that are needed, by id. @throws TypeError for two with the same id: their bucket never seems to be the same */
async function rowsIn(rows: ComparedRows, isIn: (row: ComparedUser) => boolean, { fields, signal }: CompareOptions) {
  const byId = new Map<string, ComparedUser>()
  for await (const row of rows) {
    signal?.throwIfAborted()
    const user = picked(row, fields)
    if (byId.has(user.id)) throw new TypeError(`compareUsers: two rows have the id ${user.id}.`)
    if (isIn(user)) byId.set(user.id, user)
  }
  return byId
}

/** The compared fields alone. @throws TypeError without an id */
function picked(row: ComparedUser, fields: readonly ComparedField[]): ComparedUser {
  if (typeof row?.id !== 'string' || row.id === '')
    throw new TypeError('compareUsers: each row needs id, the id of the user in Rollcall.')
  return { id: row.id, ...Object.fromEntries(fields.map((field) => [field, row[field] ?? null])) }
}

function textsOf(row: ComparedUser, fields: readonly ComparedField[]): ComparedText[] {
  return fields.map((field) => textOf(row, field))
}

/** @throws TypeError for a value that the field cannot have */
function textOf(row: ComparedUser, field: ComparedField): ComparedText {
  const value = row[field] ?? null
  // Without such a name, a user has an empty text in Rollcall.
  if (value === null) return field === 'first_name' || field === 'last_name' ? '' : null
  if (field === 'active' && (typeof value === 'boolean' || value === 0 || value === 1)) return String(Boolean(value))
  if (field === 'roles' && Array.isArray(value)) return value.toSorted().join()
  if (field === 'account_id' && typeof value !== 'object' && typeof value !== 'boolean') return String(value)
  if (field !== 'active' && typeof value === 'string') return value
  throw new TypeError(
    `compareUsers: ${field} of the row ${row.id} cannot be compared, as it is ${JSON.stringify(value)}.`,
  )
}

/** Checks the fields at run time, as products in JavaScript have no types. */
function requireFields(fields: readonly ComparedField[]): void {
  const isKnown = fields.every((field) => comparedFields.includes(field))
  if (isKnown && fields.length > 0 && new Set(fields).size === fields.length) return
  throw new TypeError(`compareUsers needs fields: one or more of ${comparedFields.join(', ')}, each once.`)
}
