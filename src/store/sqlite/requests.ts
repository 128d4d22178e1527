import type { DatabaseSync } from 'node:sqlite'
import type { RequestFilter, RequestLogStore, RequestPart, TooManySubjects } from '../../diagnostics/requests/store.ts'
import { maxRequestGroups } from '../../diagnostics/requests/store.ts'
import type { GroupSearch, RequestGroup } from '../requests.ts'
import {
  decodeFoundRequest,
  decodeGroup,
  decodeRequest,
  firstPositionToKeep,
  groupSearchOf,
  nameOfResource,
  requestColumns,
  requestValues,
  sealedBody,
} from '../requests.ts'
import type { Row } from '../row.ts'
import { integer, text } from '../row.ts'
import type { Sealing } from '../sealing.ts'
import type { GroupCommit } from './group-commit.ts'
import { rowKey, sequenceBits } from './row-key.ts'

const columns = requestColumns.map((column) => `r.${column}`).join(', ')
const position = `(r.row_key & ${2 ** sequenceBits - 1}) as position`

/** The request log on SQLite. */
export function sqliteRequests(db: DatabaseSync, commits: GroupCommit, sealing: Sealing): RequestLogStore {
  const numberOf = createNumberOf(db)
  const keysBefore = createKeysBefore(db)
  const byKey = db.prepare(`select ${columns}, ${position} from requests r where r.row_key = ?`)
  const byId = db.prepare(`
    select ${columns}, ${position}, r.body, d.id as directory_id
    from requests r join directories d on d.number = r.number where r.id = ? and d.deleted = 0`)
  const ofResource = db.prepare(`
    select ${columns}, ${position} from requests r indexed by requests_by_resource
    where r.resource_id = ?1 and r.row_key > ?2 and r.row_key < ?3 order by r.row_key desc limit ?4`)

  return {
    addRequests: createAdd(db, commits, sealing),
    async listRequests(directoryId, filter, part) {
      const keys = keysBefore(numberOf(directoryId), filter, part)
      return typeof keys === 'string' ? keys : keys.flatMap((key) => byKey.all(key)).map(decodeRequest)
    },
    async skipRequests(directoryId, filter, part) {
      const number = numberOf(directoryId)
      const keys = keysBefore(number, filter, part)
      if (typeof keys === 'string') return keys
      const last = keys.at(-1)
      return { skipped: keys.length, last: last && last - rowKey(number, 0) }
    },
    async requestsOfResource(directoryId, resourceId, { before, limit }) {
      const number = numberOf(directoryId)
      return ofResource.all(resourceId, rowKey(number, 0), rowKey(number, before), limit).map(decodeRequest)
    },
    async findRequest(id) {
      const row = byId.get(id)
      return row && decodeFoundRequest(row, sealing)
    },
    pruneRequests: createPrune(db, commits),
  }
}

function createNumberOf(db: DatabaseSync): (directoryId: string) => number {
  const byId = db.prepare('select number from directory_state where directory_id = ?')
  return (directoryId) => {
    const row = byId.get(directoryId)
    return row === undefined ? 0 : integer(row, 'number')
  }
}

function createAdd(db: DatabaseSync, { write }: GroupCommit, sealing: Sealing): RequestLogStore['addRequests'] {
  const log = db.prepare(`
    select d.number, l.first_position, l.last_position
    from directories d left join request_logs l on l.directory_id = d.id where d.id = ? and d.deleted = 0`)
  // The row key, the directory, its number, the body, then the columns: the resource type is the fifteenth parameter.
  const given = requestColumns.map((_, index) => `?${index + 5}`)
  const [subject = '', subjectFolded = ''] = given.slice(-2)
  const insert = db.prepare(`
    insert into requests (row_key, number, body, ${requestColumns.join(', ')})
    values (?1, ?3, ?4, ${given.slice(0, -2).join(', ')},
      coalesce(${subject}, ${nameOfResource(['user_name', 'name'], ['?15', '?2', '?16'])}),
      coalesce(${subjectFolded}, ${nameOfResource(['user_name_folded', 'name_folded'], ['?15', '?2', '?16'])}))`)
  const removeOldest = db.prepare('delete from requests where row_key >= ? and row_key < ?')
  const advance = db.prepare(`
    insert into request_logs (directory_id, first_position, last_position, oldest_at) values (?1, ?2, ?3, ?4)
    on conflict do update set first_position = ?2, last_position = ?3, oldest_at = coalesce(oldest_at, ?4)`)

  return (directoryId, requests, keep) =>
    write(() => {
      const row = log.get(directoryId)
      const added = requests.slice(-keep)
      if (row === undefined || added.length === 0) return
      const number = integer(row, 'number')
      const before = row['last_position'] === null ? emptyLog : positionsOf(row)
      added.forEach((request, index) => {
        const key = rowKey(number, before.last + 1 + index)
        insert.run(key, directoryId, number, sealedBody(request, sealing), ...requestValues(request))
      })
      const first = firstPositionToKeep(before, added.length, keep)
      if (first > before.first) removeOldest.run(rowKey(number, before.first), rowKey(number, first))
      advance.run(directoryId, first, before.last + added.length, added[0]?.at ?? null)
    })
}

const emptyLog = { first: 1, last: 0 }

function positionsOf(row: Row) {
  return { first: integer(row, 'first_position'), last: integer(row, 'last_position') }
}

/** Finds the row keys of the requests of a directory's number that meet a filter, newest first. */
type KeysBefore = (number: number, filter: RequestFilter, part: RequestPart) => number[] | TooManySubjects

function createKeysBefore(db: DatabaseSync): KeysBefore {
  const all = db.prepare('select row_key from requests where row_key > ? and row_key < ? order by row_key desc limit ?')
  const groupsOf = createGroupsOf(db)
  const ofOutcome = db.prepare(`
    select row_key from requests indexed by requests_by_outcome
    where number = ? and method = ? and status = ? and row_key < ? order by row_key desc limit ?`)
  const ofSubject = db.prepare(`
    select row_key from requests indexed by requests_by_subject
    where number = ? and subject_folded = ? and method = ? and status = ? and row_key < ? order by row_key desc limit ?`)
  const keysOf = (rows: readonly Row[]) => rows.map((row) => integer(row, 'row_key'))

  return (number, filter, { before, limit }) => {
    const end = rowKey(number, before)
    const search = groupSearchOf(filter)
    if (search === undefined) return keysOf(all.all(rowKey(number, 0), end, limit))
    const groups = groupsOf(number, search)
    if (groups.length > maxRequestGroups) return 'too-many-subjects'
    const found = groups.flatMap(({ subject, method, status }) =>
      search.subjects === undefined
        ? keysOf(ofOutcome.all(number, method, status, end, limit))
        : keysOf(ofSubject.all(number, subject, method, status, end, limit)),
    )
    return found.sort((a, b) => b - a).slice(0, limit)
  }
}

/** Finds the groups of a search, one more than a listing may have at most, by skipping from one to the next in the index. */
function createGroupsOf(db: DatabaseSync): (number: number, search: GroupSearch) => RequestGroup[] {
  const nextOutcome = db.prepare(`
    select null as subject_folded, method, status from requests indexed by requests_by_outcome
    where number = ? and (method, status) > (?, ?) order by method, status limit 1`)
  const nextSubject = (comparison: string) =>
    db.prepare(`
      select subject_folded, method, status from requests indexed by requests_by_subject
      where number = ? and method = ? and status = ? and subject_folded ${comparison} ? and subject_folded <= ?
      order by subject_folded limit 1`)
  const [firstSubject, laterSubject] = [nextSubject('>='), nextSubject('>')]

  function* outcomesOf(number: number, search: GroupSearch): Generator<RequestGroup, void, undefined> {
    for (let row = nextOutcome.get(number, '', 0); row !== undefined; ) {
      const outcome = decodeGroup(row)
      if (isInSearch(outcome, search)) yield outcome
      row = nextOutcome.get(number, outcome.method, outcome.status)
    }
  }

  function* groupsOf(number: number, search: GroupSearch): Generator<RequestGroup, void, undefined> {
    const { subjects } = search
    for (const outcome of outcomesOf(number, search)) {
      if (subjects === undefined) {
        yield outcome
        continue
      }
      const { method, status } = outcome
      let row = firstSubject.get(number, method, status, subjects.first, subjects.last)
      while (row !== undefined) {
        const group = decodeGroup(row)
        yield group
        row = laterSubject.get(number, method, status, group.subject, subjects.last)
      }
    }
  }

  return (number, search) => [...groupsOf(number, search).take(maxRequestGroups + 1)]
}

function isInSearch({ method, status }: RequestGroup, search: GroupSearch): boolean {
  return (search.method ?? method) === method && status >= search.from && status <= search.to
}

function createPrune(db: DatabaseSync, { write }: GroupCommit): RequestLogStore['pruneRequests'] {
  const due = db.prepare(`
    select l.directory_id, l.first_position, s.number
    from request_logs l indexed by request_logs_by_age cross join directory_state s on s.directory_id = l.directory_id
    where l.oldest_at < ? order by l.oldest_at, l.directory_id limit 1`)
  const step = db.prepare('select at from requests where row_key >= ? and row_key < ? order by row_key limit ?')
  const remove = db.prepare('delete from requests where row_key >= ? and row_key < ?')
  const settle = db.prepare('update request_logs set first_position = ?, oldest_at = ? where directory_id = ?')

  function pruneOne(before: number, limit: number, row: Row): number {
    const number = integer(row, 'number')
    const first = integer(row, 'first_position')
    const times = step.all(rowKey(number, first), rowKey(number + 1, 0), limit + 1).map((found) => integer(found, 'at'))
    const kept = times.findIndex((at, index) => at >= before || index === limit)
    const removed = kept === -1 ? times.length : kept
    remove.run(rowKey(number, first), rowKey(number, first + removed))
    settle.run(first + removed, times[kept] ?? null, text(row, 'directory_id'))
    return removed
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
