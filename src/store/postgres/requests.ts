import type {
  FoundRequest,
  NamelessRequest,
  RequestLogStore,
  RequestRecord,
} from '../../diagnostics/requests/request-log-store.ts'
import { isNameless, maxNamingLogs, withNames } from '../../diagnostics/requests/request-log-store.ts'
import type { BatchDialect } from '../refused-requests.ts'
import type { ReadBatches } from '../request-reads.ts'
import { findBatched, listBatched } from '../request-reads.ts'
import {
  batchesOf,
  chunkBits,
  chunkLength,
  decodeBatch,
  decodeNaming,
  hasRefused,
  isSubjectTerm,
  maxTermsPerRequest,
  newestAt,
  packRequests,
  removedAtOnce,
  sealedBodies,
  term,
  termsOf,
} from '../requests.ts'
import { integer, optionalText, text } from '../row.ts'
import type { Sealing } from '../sealing.ts'
import { requestLocation } from '../sealing.ts'
import type { Database } from './database.ts'
import { binaryArray } from './parameters.ts'
import type { Reader } from './reader.ts'
import { withoutNulIds } from './reader.ts'
import { arrayParameters, columnsOf, ofDirectory, rowBy } from './sql.ts'

const bodyTypes = ['int4', 'text', 'text'] as const

/*
 * The removal begins near the first position of the log, so that no statement passes what earlier ones have deleted; the
 * order makes the planner use the primary key even when it believes that the table is empty. Bodies are deleted by their key, as
 * a rotation of keys may have replaced a row since it was read.
 */
const removeBatches = (first: string, end: string, limit: string) => `
  delete from request_batches where ${ofDirectory()} and ctid = any(array(
    select ctid from request_batches where directory_id = $1
    and position > ${first} - ${chunkLength} and position < ${end} and last_position < ${end}
    order by position limit ${limit}))`
const removeBodies = (first: string, end: string, limit: string) => `
  delete from request_bodies where directory_id = $1 and position = any(array(
    select position from request_bodies where directory_id = $1 and position >= ${first} and position < ${end}
    order by position limit ${limit}))`
/** Some terms of chunks without a batch: they are gone before the next chunk is. */
const removeChunks = (first: string, end: string) => `
  delete from request_terms where ${ofDirectory()} and ctid = any(array(
    select ctid from request_terms where directory_id = $1
    and chunk >= (${first} >> ${chunkBits}) - 2 and chunk < (${end} >> ${chunkBits}) - 1
    order by chunk, term, position limit ${maxTermsPerRequest} * (${end} - ${first})))`
/** All terms of removed batches. */
const removeTerms = (first: string, end: string) => `
  delete from request_terms where ${ofDirectory()} and ctid = any(array(
    select ctid from request_terms where directory_id = $1
    and chunk >= (${first} >> ${chunkBits}) - 2 and chunk <= ${end} >> ${chunkBits} and position < ${end}
    order by chunk, term, position))`

const [oldFirst, newFirst] = [
  'coalesce((select first_position from request_logs where directory_id = $1), 1)',
  '(select first_position from log)',
]

/**
 * `$2` how many are added, `$3` how many to keep, `$4` when the newest of them arrived, `$5` the requests, `$6` their terms,
 * `$7` to `$9` the bodies, `$10` 1 if one was refused. The lock on the directory delays its deletion, whose purge then sees these rows; that on the log
 * orders the batches of several processes.
 */
const add = `
  with directory as (
    select id, tenant, product from directories where id = $1 and deleted <> 1 for share
  ),
  log as (
    insert into request_logs as l (directory_id, first_position, last_position, oldest_at)
    select d.id, 1, $2::int8, $4::int8 from directory d
    on conflict (directory_id) do update set last_position = l.last_position + $2::int8,
      first_position = greatest(l.first_position,
        least(l.last_position + $2::int8 - $3::int8 + 1, l.first_position + $2::int8 + ${removedAtOnce})),
      oldest_at = coalesce(l.oldest_at, $4::int8)
    returning first_position, last_position, last_position - $2::int8 + 1 as position
  ),
  terms as (
    insert into request_terms (directory_id, chunk, term, position)
    select $1, l.position >> ${chunkBits}, t.term, l.position
    from log l cross join unnest((select $6::text[])) as t (term)
  ),
  bodies as (
    insert into request_bodies (directory_id, position, id, body)
    select $1, l.position + b.index, b.id, b.body
    from log l cross join unnest(${arrayParameters(7, bodyTypes)}) as b (index, id, body)
  ),
  removed_batches as (${removeBatches(oldFirst, newFirst, `$2::int8 + ${removedAtOnce}`)}),
  removed_bodies as (${removeBodies(oldFirst, newFirst, `$2::int8 + ${removedAtOnce}`)}),
  removed_terms as (${removeChunks(oldFirst, newFirst)})
  insert into request_batches (directory_id, position, last_position, newest_at, records, tenant, product)
  select $1, l.position, l.last_position, $4::int8, $5::bytea,
    case when $10::int4 = 1 then d.tenant end, case when $10::int4 = 1 then d.product end
  from log l cross join directory d`

/** The rows of batches: see `createRefusedRequests`. */
export const batchDialect: BatchDialect = {
  key: ['directory_id', 'position'],
  keyValues: ['$2', '$3'],
  ...{ directory: 'x.directory_id', first: 'x.position', directoryColumn: 'id' },
}

const columns = 'b.position, b.records, l.first_position'

const newest = `
  select ${columns} from request_logs l cross join lateral (
    select b.position, b.records from request_batches b
    where b.directory_id = $1 and b.position < $2 and b.last_position >= l.first_position
    order by b.position desc limit $3) b
  where l.directory_id = $1`

/** The batches with a term, chunk by chunk. `$4` to `$5` are the terms. */
const ofTerms = (condition: string) => `
  select ${columns} from request_logs l cross join lateral (
    select t.position
    from generate_series(
      (least($2::int8, l.last_position + 1) - 1) >> ${chunkBits}, (l.first_position - ${chunkLength}) >> ${chunkBits}, -1
    ) as c (chunk) cross join lateral (
      select distinct t.position from request_terms t
      where t.directory_id = $1 and t.chunk = c.chunk and ${condition} and t.position < $2
      order by t.position desc limit $3) t
    limit $3) t
  ${rowBy('request_batches', 'b', 'position', 't.position', 'b.position, b.last_position, b.records')}
  where l.directory_id = $1 and b.last_position >= l.first_position
  order by b.position desc`
const ofOneTerm = ofTerms('t.term = $4 and $5::text is not null')
const ofManyTerms = ofTerms('t.term >= $4 and t.term <= $5')

const names = `
  select k.type, k.id, coalesce(u.user_name, g.name) as name
  from unnest(${arrayParameters(2, ['text', 'text'])}) as k (type, id)
  left join lateral (
    select u.user_name from users u where u.directory_id = $1 and u.id between k.id and k.id and k.type = 'User'
    order by u.id limit 1) u on true
  left join lateral (
    select g.name from groups g where g.directory_id = $1 and g.id between k.id and k.id and k.type = 'Group'
    order by g.id limit 1) g on true`

const namingTerms = `from request_terms t where t.term = $1 and ${isSubjectTerm}`

/** The directories among `$2` with the term `$1`. */
const namingAmong = `
  select d.id from unnest($2::text[]) as k (id) cross join lateral (
    select d.id from directories d where d.id between k.id and k.id and d.deleted <> 1 order by d.id limit 1) d
  cross join lateral (
    select t.directory_id ${namingTerms} and t.directory_id = d.id order by t.term, t.directory_id limit 1) t
  order by d.id desc`

/** The directories with the term `$1`, visited one by one; null in place of those outside of the scope `$2` to `$4`. */
const namingInScope = `
  with recursive named (directory_id, visited) as (
    (select t.directory_id, 1 ${namingTerms} order by t.term desc, t.directory_id desc limit 1)
    union all
    select t.directory_id, n.visited + 1 from named n cross join lateral (
      select t.directory_id ${namingTerms} and t.directory_id < n.directory_id
      order by t.term desc, t.directory_id desc limit 1) t
    where n.visited < ${maxNamingLogs}
  )
  select d.id from named n left join lateral (
    select d.id from directories d where d.id between n.directory_id and n.directory_id and d.deleted <> 1
      and d.id = coalesce($2, d.id) and d.tenant = coalesce($3, d.tenant) and d.product = coalesce($4, d.product)
    order by d.id limit 1) d on true
  order by n.visited`

const directoriesLike =
  'select id from directories where right(id, 6) between $1 and $1 and deleted = 0 order by right(id, 6) limit 20'
const bodyOf = 'select body from request_bodies where directory_id = $1 and position = $2'

const due = `
  select directory_id, first_position from request_logs where oldest_at < $1
  order by oldest_at, directory_id limit 1`

/** Removes about `$4` requests from position `$2` on: batches whose requests are all older than `$3`. */
const prune = `
  with log as (
    select directory_id from request_logs where directory_id = $1 and first_position = $2 for update
  ),
  step as (
    select r.position, r.last_position, r.newest_at,
      bool_and(r.newest_at < $3::int8 and r.position < $2::int8 + $4::int8) over (order by r.position) as is_old
    from log l cross join lateral (
      select position, last_position, newest_at from request_batches
      where directory_id = l.directory_id and position > $2::int8 - ${chunkLength} and last_position >= $2::int8
      order by position limit $4::int8 + 1) r
  ),
  old as (
    select coalesce(max(last_position) + 1, $2::int8) as end_position from step where is_old
  ),
  removed_batches as (${removeBatches('$2::int8', '(select end_position from old)', '$4::int8')}),
  removed_bodies as (${removeBodies('$2::int8', '(select end_position from old)', `$4::int8 + ${chunkLength}`)}),
  removed_terms as (${removeTerms('$2::int8', '(select end_position from old)')})
  update request_logs l set first_position = o.end_position,
    oldest_at = case when l.last_position >= o.end_position
      then coalesce((select s.newest_at from step s where not s.is_old order by s.position limit 1), l.oldest_at) end
  from old o
  where l.directory_id = $1 and exists (select from log)
  returning o.end_position - $2::int8 as count`

/** The request log on PostgreSQL. */
export function postgresRequests(
  database: Database,
  reader: Reader,
  sealing: Sealing,
): Omit<RequestLogStore, 'refusedRequests'> {
  const { rows, row } = reader
  const named = createNaming(database)
  const read = createRead(reader)

  async function directoriesWith(suffix: string): Promise<string[]> {
    return (await rows({ text: directoriesLike, values: [suffix] })).map((one) => text(one, 'id'))
  }

  async function withBody(found: Omit<FoundRequest, 'body'>): Promise<FoundRequest> {
    const one = await row({ text: bodyOf, values: [found.directoryId, found.request.position] })
    const sealed = one && optionalText(one, 'body')
    return { ...found, body: sealed === undefined ? null : sealing.open(sealed, requestLocation(found.request.id)) }
  }

  return {
    async addRequests(directoryId, requests, keep) {
      const batches = batchesOf(await named(directoryId, requests.slice(-keep)))
      if (batches.length === 0) return
      await database.atomically(
        batches.map((batch) => ({ text: add, values: [directoryId, ...addedValues(batch, keep, sealing)] })),
      )
    },
    listRequests: (directoryId, filter, part) => listBatched(read, directoryId, filter, part),
    async findRequest(id) {
      const found = await findBatched(read, directoriesWith, id)
      return found && withBody(found)
    },
    directoriesNaming: createDirectoriesNaming(reader),
    pruneRequests: createPrune(database, reader),
  }
}

function createRead({ rows }: Reader): ReadBatches {
  return async (directoryId, terms, { before, limit }) => {
    const part = [directoryId, before, limit]
    if (terms === undefined) return (await rows({ text: newest, values: part })).map(decodeBatch)
    const statement = terms.first === terms.last ? ofOneTerm : ofManyTerms
    return (await rows({ text: statement, values: [...part, terms.first, terms.last] })).map(decodeBatch)
  }
}

/** Names the requests that named a user or group by its id alone, with one statement. */
function createNaming({ query }: Database) {
  return async (directoryId: string, requests: readonly RequestRecord[]): Promise<readonly RequestRecord[]> => {
    const keys = withoutNulIds([...new Set(requests.filter(isNameless).map(keyOf))])
    if (keys.length === 0) return requests
    const values = columnsOf(['text', 'text'], keys.map(typeAndId))
    const found = await query({ text: names, values: [directoryId, ...values] })
    const nameByKey = new Map(
      found.map((one) => [`${text(one, 'type')} ${text(one, 'id')}`, optionalText(one, 'name')]),
    )
    return withNames(requests, (type, id) => nameByKey.get(`${type} ${id}`))
  }
}

function keyOf({ resourceType, resourceId }: NamelessRequest): string {
  return `${resourceType} ${resourceId}`
}

function typeAndId(key: string): [type: string, id: string] {
  const space = key.indexOf(' ')
  return [key.slice(0, space), key.slice(space + 1)]
}

/** The parameters of `add` from `$2` on. */
function addedValues(batch: readonly RequestRecord[], keep: number, sealing: Sealing): unknown[] {
  const bodies = sealedBodies(batch, sealing).map(({ index, id, body }) => [index, id, body])
  const [records, terms] = [Buffer.from(packRequests(batch)), binaryArray('text', termsOf(batch))]
  const isRefused = Number(hasRefused(batch))
  return [batch.length, keep, newestAt(batch), records, terms, ...columnsOf(bodyTypes, bodies), isRefused]
}

function createDirectoriesNaming({ rows }: Reader): RequestLogStore['directoriesNaming'] {
  return async (folded, searched) => {
    const subject = term.subject(folded)
    if ('directoryIds' in searched) {
      const found = await rows({ text: namingAmong, values: [subject, withoutNulIds(searched.directoryIds)] })
      return { directoryIds: found.map((one) => text(one, 'id')), isComplete: true }
    }
    const { directoryId = null, tenant = null, product = null } = searched.scope
    return decodeNaming(await rows({ text: namingInScope, values: [subject, directoryId, tenant, product] }))
  }
}

function createPrune({ query }: Database, { row }: Reader): RequestLogStore['pruneRequests'] {
  return async (before, limit) => {
    let removed = 0
    for (let logs = 0; logs < limit && removed < limit; logs += 1) {
      const log = await row({ text: due, values: [before] })
      if (log === undefined) break
      const values = [log['directory_id'], log['first_position'], before, limit - removed]
      const [pruned] = await query({ text: prune, values })
      removed += pruned === undefined ? 0 : integer(pruned, 'count')
    }
    return removed
  }
}
