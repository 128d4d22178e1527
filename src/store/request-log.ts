import type { NamelessRequest, RequestLogStore, RequestRecord } from '../diagnostics/requests/request-log-store.ts'
import { firstRefusal, isNameless, maxNamingLogs, withNames } from '../diagnostics/requests/request-log-store.ts'
import { createRefusedRequests } from './refused-requests.ts'
import { createReads, logOf } from './request-reads.ts'
import {
  batchesOf,
  batchLength,
  firstPositionToKeep,
  packRequests,
  refusedSubjects,
  storableSubject,
} from './requests.ts'
import type { Row } from './row.ts'
import { integer, optionalText, text } from './row.ts'
import type { Sealing } from './sealing.ts'
import { requestLocation } from './sealing.ts'
import type { LastConclusion, SqlDatabase, Statement } from './sql-database.ts'

/** The request log. Its writes need not be safe from a power failure. */
export function createRequestLog(database: SqlDatabase, sealing: Sealing): RequestLogStore {
  const { list, find } = createReads(database)
  return {
    addRequests: createAdd(database, sealing),
    listRequests: list,
    ...createRefusedRequests(database),
    async findRequest(id) {
      const found = await find(id)
      if (found === undefined) return undefined
      const values = [found.directoryId, found.request.position]
      const [row] = await database.query({ text: bodyOf, values })
      const sealed = row && optionalText(row, 'body')
      return { ...found, body: sealed === undefined ? null : sealing.open(sealed, requestLocation(id)) }
    },
    async directoriesRefusing(folded, { directoryId = null, tenant = null, product = null }) {
      const values = [storableSubject(folded), directoryId, tenant, product]
      const rows = await database.query({ text: refusing, values })
      const ids = rows.map((row) => optionalText(row, 'id')).filter((id) => id !== undefined)
      return { directoryIds: ids, isComplete: rows.length < maxNamingLogs }
    },
    pruneRequests: createPrune(database),
  }
}

const bodyOf = 'select body from request_bodies where directory_id = $1 and position = $2'

/** The directories with a refused request about the subject `$1`; null in place of those outside of the scope `$2` to `$4`. */
const refusing = `
  select (
    select d.id from directories d where d.id = s.directory_id and d.deleted <> 1
      and d.id = coalesce($2, d.id) and d.tenant = coalesce($3, d.tenant) and d.product = coalesce($4, d.product)) as id
  from refused_subjects s where s.subject between $1 and $1
  order by s.subject desc, s.directory_id desc limit ${maxNamingLogs}`

/**
 * Adds `$2` requests to a log, the first batch of which was complete at `$3`. The lock on the directory delays its deletion, whose
 * purge then sees the new rows; that on the log orders the batches of several processes.
 */
const extend = `
  insert into request_logs (directory_id, first_position, last_position, oldest_at)
  select d.id, 1, cast($2 as bigint), cast($3 as bigint) from directories d where d.id = $1 and d.deleted <> 1 for share
  on conflict (directory_id) do update set last_position = request_logs.last_position + excluded.last_position,
    oldest_at = coalesce(request_logs.oldest_at, excluded.oldest_at)
  returning first_position, last_position`

const addBatch = `
  insert into request_batches (directory_id, position, last_position, newest_at, records) values ($1, $2, $3, $4, $5)`
const addRefusedBatch = `
  insert into request_batches (directory_id, position, last_position, newest_at, records, tenant, product)
  select d.id, cast($2 as bigint), cast($3 as bigint), cast($4 as bigint), $5, d.tenant, d.product
  from directories d where d.id = $1`
const addBody = 'insert into request_bodies (directory_id, position, id, body) values ($1, $2, $3, $4)'
const addSubject = `
  insert into refused_subjects (directory_id, subject, position) values ($1, $2, $3)
  on conflict (subject, directory_id) do update set position = excluded.position`

const keepFrom = 'update request_logs set first_position = $2 where directory_id = $1'

/** The removal begins shortly before the first position of the log, so that no statement passes what earlier ones have deleted. */
const removals = [
  'delete from request_batches where directory_id = $1 and position >= $2 and position < $3 and last_position < $3',
  'delete from request_bodies where directory_id = $1 and position >= $2 and position < $3',
  'delete from refused_subjects where directory_id = $1 and position >= $2 and position < $3',
]

/** Removes what a log has before `end`, without a batch that reaches beyond it. */
function removeBefore(directoryId: string, first: number, end: number): Statement[] {
  if (end <= first) return []
  return removals.map((removal) => ({ text: removal, values: [directoryId, first - batchLength + 1, end] }))
}

function createAdd(database: SqlDatabase, { seal }: Sealing): RequestLogStore['addRequests'] {
  const named = createNaming(database)
  return async (directoryId, requests, keep) => {
    const added = await named(directoryId, requests.slice(-keep))
    if (added.length === 0) return
    const batches = batchesOf(added).map((batch) => ({
      ...{
        length: batch.length,
        newest: newestAt(batch),
        records: packRequests(batch),
        subjects: refusedSubjects(batch),
      },
      isRefused: batch.some(({ status }) => status >= firstRefusal),
      bodies: batch.flatMap(({ id, body }, index) =>
        body === null ? [] : [{ index, id, body: seal(body, requestLocation(id)) }],
      ),
    }))
    const counted = { text: extend, values: [directoryId, added.length, batches[0]?.newest] }
    await database.transaction([counted], ([logs = []]): LastConclusion<undefined> => {
      const [log] = logs
      if (log === undefined) return { statements: [], answer: undefined }
      const [first, last] = [integer(log, 'first_position'), integer(log, 'last_position')]
      const toKeep = firstPositionToKeep(first, last, added.length, keep)
      const statements = removeBefore(directoryId, first, toKeep)
      if (toKeep > first) statements.push({ text: keepFrom, values: [directoryId, toKeep] })
      let position = last - added.length + 1
      for (const { length, newest, records, subjects, isRefused, bodies } of batches) {
        const values = [directoryId, position, position + length - 1, newest, records]
        statements.push({ text: isRefused ? addRefusedBatch : addBatch, values })
        for (const { index, id, body } of bodies)
          statements.push({ text: addBody, values: [directoryId, position + index, id, body] })
        for (const [subject, index] of subjects)
          statements.push({ text: addSubject, values: [directoryId, subject, position + index] })
        position += length
      }
      return { statements, answer: undefined }
    })
  }
}

function newestAt(requests: readonly RequestRecord[]): number {
  return requests.reduce((newest, { at }) => Math.max(newest, at), 0)
}

const nameOf = {
  User: 'select user_name as name from users where directory_id = $1 and id between $2 and $2 order by id limit 1',
  Group: 'select name from groups where directory_id = $1 and id between $2 and $2 order by id limit 1',
} as const

/** Names the requests that named a user or group by its id alone. */
function createNaming({ atomically }: SqlDatabase) {
  return async (directoryId: string, requests: readonly RequestRecord[]): Promise<readonly RequestRecord[]> => {
    const nameless = new Map(requests.filter(isNameless).map((request) => [keyOf(request), request]))
    if (nameless.size === 0) return requests
    const asked = [...nameless.values()].filter(({ resourceId }) => !resourceId.includes('\0'))
    const found = await atomically(
      asked.map(({ resourceType, resourceId }) => ({ text: nameOf[resourceType], values: [directoryId, resourceId] })),
    )
    const names = new Map(asked.map((request, index) => [keyOf(request), nameIn(found[index])]))
    return withNames(requests, (resourceType, resourceId) => names.get(keyOf({ resourceType, resourceId })))
  }
}

function keyOf({ resourceType, resourceId }: Pick<NamelessRequest, 'resourceType' | 'resourceId'>): string {
  return `${resourceType} ${resourceId}`
}

function nameIn([row]: readonly Row[] = []): string | undefined {
  return row && optionalText(row, 'name')
}

const oldestBatches = `
  select position, newest_at from request_batches where directory_id = $1 and position >= $2 order by position limit $3`

const settle = 'update request_logs set first_position = $2, oldest_at = $3 where directory_id = $1'

function createPrune({ query, transaction, dialect }: SqlDatabase): RequestLogStore['pruneRequests'] {
  const due = `
    select directory_id, first_position from request_logs ${dialect.indexedBy('request_logs_by_age')}
    where oldest_at < $1 order by oldest_at, directory_id limit 1`

  /** Removes batches whose requests are all older than a time, unless somebody else has just removed some. */
  async function pruneOne(directoryId: string, first: number, before: number, limit: number): Promise<number> {
    const reads = [
      { text: `${logOf} for update`, values: [directoryId] },
      { text: oldestBatches, values: [directoryId, first - batchLength + 1, limit + batchLength] },
    ]
    return transaction(reads, ([logs = [], batches = []]): LastConclusion<number> => {
      const [log] = logs
      if (log === undefined || integer(log, 'first_position') !== first) return { statements: [], answer: 0 }
      const kept = batches.find(
        (batch) => integer(batch, 'newest_at') >= before || integer(batch, 'position') >= first + limit,
      )
      const end = kept === undefined ? integer(log, 'last_position') + 1 : Math.max(first, integer(kept, 'position'))
      const oldestAt = kept === undefined ? null : integer(kept, 'newest_at')
      const settled = { text: settle, values: [directoryId, end, oldestAt] }
      return { statements: [...removeBefore(directoryId, first, end), settled], answer: end - first }
    })
  }

  return async (before, limit) => {
    let removed = 0
    for (let logs = 0; logs < limit && removed < limit; logs += 1) {
      const [log] = await query({ text: due, values: [before] })
      if (log === undefined) break
      removed += await pruneOne(text(log, 'directory_id'), integer(log, 'first_position'), before, limit - removed)
    }
    return removed
  }
}
