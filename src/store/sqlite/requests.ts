import type { DatabaseSync } from 'node:sqlite'
import type { FoundRequest, RequestLogStore } from '../../diagnostics/requests/request-log-store.ts'
import { maxNamingLogs, withNames } from '../../diagnostics/requests/request-log-store.ts'
import type { BatchDialect } from '../refused-requests.ts'
import type { ReadBatches } from '../request-reads.ts'
import { findBatched, listBatched } from '../request-reads.ts'
import {
  batchesOf,
  chunkBits,
  chunkLength,
  decodeBatch,
  decodeNaming,
  firstPositionToKeep,
  hasRefused,
  isSubjectTerm,
  maxTermsPerRequest,
  newestAt,
  packRequests,
  sealedBodies,
  term,
  termsOf,
} from '../requests.ts'
import type { Row } from '../row.ts'
import { integer, optionalText, text } from '../row.ts'
import type { Sealing } from '../sealing.ts'
import { requestLocation } from '../sealing.ts'
import type { GroupCommit } from './group-commit.ts'
import { rowKey, sequenceBits } from './row-key.ts'

const chunkOf = (key: number): number => Math.floor(key / chunkLength)
const positionIn = (key: string) => `(${key} & ${2 ** sequenceBits - 1})`

/** The rows of batches: see `createRefusedRequests`. */
export const batchDialect: BatchDialect = {
  key: ['row_key'],
  keyValues: [`($2 << ${sequenceBits}) + $3`],
  directory: `cast(x.row_key >> ${sequenceBits} as text)`,
  ...{ first: positionIn('x.row_key'), directoryColumn: 'number' },
}

/** The request log on SQLite. */
export function sqliteRequests(
  db: DatabaseSync,
  commits: GroupCommit,
  sealing: Sealing,
): Omit<RequestLogStore, 'refusedRequests'> {
  const read = createRead(db)
  const directoriesLike = db.prepare('select id from directories where substr(id, -6) = ? and deleted = 0 limit 20')
  const bodyOf = db.prepare(`
    select b.body from directory_state s join request_bodies b on b.row_key = (s.number << ${sequenceBits}) + ?2
    where s.directory_id = ?1`)

  function withBody(found: Omit<FoundRequest, 'body'>): FoundRequest {
    const row = bodyOf.get(found.directoryId, found.request.position)
    const sealed = row && optionalText(row, 'body')
    return { ...found, body: sealed === undefined ? null : sealing.open(sealed, requestLocation(found.request.id)) }
  }

  return {
    addRequests: createAdd(db, commits, sealing),
    listRequests: (directoryId, filter, part) => listBatched(read, directoryId, filter, part),
    async findRequest(id) {
      const found = await findBatched(
        read,
        async (suffix) => directoriesLike.all(suffix).map((row) => text(row, 'id')),
        id,
      )
      return found && withBody(found)
    },
    directoriesNaming: createNaming(db),
    pruneRequests: createPrune(db, commits),
  }
}

function createRead(db: DatabaseSync): ReadBatches {
  const log = db.prepare(`
    select s.number, l.first_position, l.last_position
    from directory_state s join request_logs l on l.directory_id = s.directory_id where s.directory_id = ?`)
  const columns = `${positionIn('b.row_key')} as position, b.records, ?1 as first_position`
  const newest = db.prepare(`
    select ${columns} from request_batches b
    where b.row_key >= ?2 and b.row_key < ?3 and b.last_position >= ?1 order by b.row_key desc limit ?4`)
  const ofTerms = (condition: string) =>
    db.prepare(`
      select ${columns} from (
        select distinct t.row_key from request_terms t
        where t.chunk = ?5 and ${condition} and t.row_key < ?3 order by t.row_key desc limit ?4) found
      cross join request_batches b on b.row_key = found.row_key
      where b.row_key >= ?2 and b.last_position >= ?1 order by found.row_key desc`)
  const ofOne = ofTerms('t.term = ?6 and ?7 is not null')
  const ofMany = ofTerms('t.term >= ?6 and t.term <= ?7')

  return async (directoryId, terms, { before, limit }) => {
    const row = log.get(directoryId)
    if (row === undefined) return []
    const [number, first] = [integer(row, 'number'), integer(row, 'first_position')]
    const [start, end] = [rowKey(number, 0), rowKey(number, Math.min(before, integer(row, 'last_position') + 1))]
    if (terms === undefined) return newest.all(first, start, end, limit).map(decodeBatch)
    const found: Row[] = []
    const statement = terms.first === terms.last ? ofOne : ofMany
    const lastChunk = chunkOf(rowKey(number, Math.max(0, first - chunkLength)))
    for (let chunk = chunkOf(end - 1); chunk >= lastChunk && found.length < limit; chunk -= 1)
      found.push(...statement.all(first, start, end, limit - found.length, chunk, terms.first, terms.last))
    return found.map(decodeBatch)
  }
}

function createAdd(db: DatabaseSync, { writeSoon }: GroupCommit, sealing: Sealing): RequestLogStore['addRequests'] {
  const log = db.prepare(`
    select d.number, d.tenant, d.product, l.first_position, l.last_position
    from directories d left join request_logs l on l.directory_id = d.id where d.id = ? and d.deleted = 0`)
  const insert = db.prepare(
    'insert into request_batches (row_key, last_position, newest_at, records, tenant, product) values (?, ?, ?, ?, ?, ?)',
  )
  const insertTerms = db.prepare(`
    insert into request_terms (chunk, term, row_key) select ?1 >> ${chunkBits}, value, ?1 from json_each(?2)`)
  const insertBody = db.prepare('insert into request_bodies (row_key, id, body) values (?, ?, ?)')
  const advance = db.prepare(`
    insert into request_logs (directory_id, first_position, last_position, oldest_at) values (?1, ?2, ?3, ?4)
    on conflict do update set first_position = ?2, last_position = ?3, oldest_at = coalesce(oldest_at, ?4)`)
  const remove = createRemove(db)
  const nameOf = createNameOf(db)

  return async (directoryId, requests, keep) => {
    const added = withNames(requests.slice(-keep), (type, id) => nameOf[type](directoryId, id))
    if (added.length === 0) return
    const batches = batchesOf(added).map((batch) => ({
      length: batch.length,
      newest: newestAt(batch),
      records: packRequests(batch),
      terms: JSON.stringify(termsOf(batch)),
      isRefused: hasRefused(batch),
      bodies: sealedBodies(batch, sealing),
    }))
    await writeSoon(() => {
      const row = log.get(directoryId)
      if (row === undefined) return
      const number = integer(row, 'number')
      const before = row['last_position'] === null ? { first: 1, last: 0 } : positionsOf(row)
      let { last } = before
      for (const { length, newest, records, terms, isRefused, bodies } of batches) {
        const key = rowKey(number, last + 1)
        last += length
        const scope = isRefused ? [text(row, 'tenant'), text(row, 'product')] : [null, null]
        insert.run(key, last, newest, records, ...scope)
        insertTerms.run(key, terms)
        for (const { index, id, body } of bodies) insertBody.run(key + index, id, body)
      }
      const first = firstPositionToKeep(before, added.length, keep)
      if (first > before.first) {
        remove.batches(number, first)
        remove.chunks(number, before.first, first)
      }
      advance.run(directoryId, first, last, batches[0]?.newest ?? 0)
    })
  }
}

function positionsOf(row: Row) {
  return { first: integer(row, 'first_position'), last: integer(row, 'last_position') }
}

function createNameOf(db: DatabaseSync) {
  const name = (table: string, column: string) => {
    const select = db.prepare(`select ${column} as name from ${table} where directory_id = ? and id = ?`)
    return (directoryId: string, id: string): string | undefined => {
      const row = select.get(directoryId, id)
      return row && text(row, 'name')
    }
  }
  return { User: name('users', 'user_name'), Group: name('groups', 'name') }
}

/** Removes what the log of a directory has before a position. */
function createRemove(db: DatabaseSync) {
  const batches = db.prepare('delete from request_batches where row_key >= ? and row_key < ? and last_position < ?')
  const bodies = db.prepare('delete from request_bodies where row_key >= ? and row_key < ?')
  const someTerms = db.prepare(`
    delete from request_terms where (chunk, term, row_key) in (
      select chunk, term, row_key from request_terms where chunk >= ? and chunk < ? limit ?)`)
  const terms = db.prepare('delete from request_terms where chunk >= ? and chunk <= ? and row_key < ?')
  return {
    /** Removes whole batches, and the bodies of other requests. */
    batches(number: number, first: number): void {
      batches.run(rowKey(number, 0), rowKey(number, first), first)
      bodies.run(rowKey(number, 0), rowKey(number, first))
    },
    /** Removes terms of chunks without a batch, some at a time: they are gone before the next chunk is. */
    chunks(number: number, before: number, first: number): void {
      const [start, end] = [chunkOf(rowKey(number, 0)), chunkOf(rowKey(number, first)) - 1]
      if (end > start) someTerms.run(start, end, maxTermsPerRequest * (first - before))
    },
    /** Removes all terms of removed batches. */
    terms(number: number, before: number, first: number): void {
      const start = chunkOf(rowKey(number, Math.max(0, before - 2 * chunkLength)))
      const end = rowKey(number, first)
      terms.run(start, chunkOf(end), end)
    },
  }
}

/** The part of the keys of chunks below the number of the directory. */
const chunkBitsOfDirectory = sequenceBits - chunkBits

function createNaming(db: DatabaseSync): RequestLogStore['directoriesNaming'] {
  const termsOf = `from request_terms t indexed by request_terms_by_subject where t.term = ?1 and ${isSubjectTerm}`
  const among = db.prepare(`
    select d.id from json_each(?2) k cross join directories d on d.id = k.value
    where d.deleted = 0 and exists (
      select 1 ${termsOf} and t.chunk >= d.number << ${chunkBitsOfDirectory}
        and t.chunk < (d.number + 1) << ${chunkBitsOfDirectory})
    order by d.id desc`)
  const inScope = db.prepare(`
    with recursive named (number, visited) as (
      select (select max(t.chunk) ${termsOf}) >> ${chunkBitsOfDirectory}, 1
      union all
      select (select max(t.chunk) ${termsOf} and t.chunk < v.number << ${chunkBitsOfDirectory}) >> ${chunkBitsOfDirectory},
        v.visited + 1
      from named v where v.number is not null and v.visited < ${maxNamingLogs}
    )
    select d.id from named v left join directories d on d.number = v.number and d.deleted = 0
      and d.id = coalesce(?2, d.id) and d.tenant = coalesce(?3, d.tenant) and d.product = coalesce(?4, d.product)
    where v.number is not null`)
  return async (folded, searched) => {
    const subject = term.subject(folded)
    if ('directoryIds' in searched) {
      const found = among.all(subject, JSON.stringify(searched.directoryIds))
      return { directoryIds: found.map((row) => text(row, 'id')), isComplete: true }
    }
    const { directoryId = null, tenant = null, product = null } = searched.scope
    return decodeNaming(inScope.all(subject, directoryId, tenant, product))
  }
}

function createPrune(db: DatabaseSync, { write }: GroupCommit): RequestLogStore['pruneRequests'] {
  const due = db.prepare(`
    select l.directory_id, l.first_position, s.number
    from request_logs l indexed by request_logs_by_age cross join directory_state s on s.directory_id = l.directory_id
    where l.oldest_at < ? order by l.oldest_at, l.directory_id limit 1`)
  const batchesOf = db.prepare(`
    select ${positionIn('row_key')} as position, last_position, newest_at from request_batches
    where row_key >= ? and row_key < ? order by row_key limit ?`)
  const settle = db.prepare('update request_logs set first_position = ?, oldest_at = ? where directory_id = ?')
  const remove = createRemove(db)

  function pruneOne(before: number, limit: number, row: Row): number {
    const [number, first] = [integer(row, 'number'), integer(row, 'first_position')]
    const batches = batchesOf.all(rowKey(number, 0), rowKey(number + 1, 0), limit + 1)
    const isKept = (batch: Row) => integer(batch, 'newest_at') >= before || integer(batch, 'position') >= first + limit
    const kept = batches.findIndex(isKept)
    const removed = kept === -1 ? batches : batches.slice(0, kept)
    const last = removed.at(-1)
    const end = last === undefined ? first : integer(last, 'last_position') + 1
    if (end > first) {
      remove.batches(number, end)
      remove.terms(number, first, end)
    }
    const oldest = batches[kept]
    settle.run(end, oldest === undefined ? null : integer(oldest, 'newest_at'), text(row, 'directory_id'))
    return end - first
  }

  return (before, limit) =>
    write(() => {
      let removed = 0
      for (let row = due.get(before); row !== undefined && removed < limit; row = due.get(before)) {
        removed += pruneOne(before, limit - removed, row)
      }
      return removed
    })
}
