import type { RequestFilter, RequestLogStore, RequestPart } from '../../diagnostics/requests/store.ts'
import { maxRequestGroups } from '../../diagnostics/requests/store.ts'
import {
  decodeFoundRequest,
  decodeRequest,
  groupSearchOf,
  nameOfResource,
  removedAtOnce,
  requestColumns,
  requestValues,
  sealedBody,
} from '../requests.ts'
import type { Row } from '../row.ts'
import { integer, optionalInteger } from '../row.ts'
import type { Sealing } from '../sealing.ts'
import type { Database, Statement } from './database.ts'
import type { ColumnType } from './parameters.ts'
import type { Reader } from './reader.ts'
import { withoutNul } from './reader.ts'
import { arrayParameters, columnsOf } from './sql.ts'

const columns = requestColumns.map((column) => `r.${column}`).join(', ')

const types = {
  ...{ id: 'text', at: 'int8', method: 'text', path: 'text', status: 'int4', scim_type: 'text', detail: 'text' },
  ...{ duration_ms: 'int8', user_agent: 'text', address: 'text', resource_type: 'text', resource_id: 'text' },
  ...{ event_sequences: 'text', body_omitted: 'text', subject: 'text', subject_folded: 'text' },
} as const satisfies Record<(typeof requestColumns)[number], ColumnType>
const columnTypes = [...requestColumns.map((column) => types[column]), 'text'] as const

const given = requestColumns.slice(0, -2)
const place = ['r.resource_type', '$1', 'r.resource_id'] as const

/**
 * `$2` how many are added, `$3` how many to keep, `$4` when the first of them arrived. The lock on the directory delays its
 * deletion, whose purge then sees these rows; that on the log orders the batches of several processes. The deletion begins at
 * the first position before this statement, so that it does not pass what earlier ones have deleted; the order makes the planner
 * use the primary key even when it believes that the table is empty.
 */
const add = `
  with directory as (
    select id from directories where id = $1 and deleted = 0 for share
  ),
  log as (
    insert into request_logs as l (directory_id, first_position, last_position, oldest_at)
    select d.id, 1, $2::int8, $4::int8 from directory d
    on conflict (directory_id) do update set last_position = l.last_position + $2::int8,
      first_position = greatest(l.first_position,
        least(l.last_position + $2::int8 - $3::int8 + 1, l.first_position + $2::int8 + ${removedAtOnce})),
      oldest_at = coalesce(l.oldest_at, $4::int8)
    returning first_position, last_position
  ),
  removed as (
    delete from requests where ctid = any(array(
      select o.ctid from requests o where o.directory_id = $1
      and o.position >= coalesce((select first_position from request_logs where directory_id = $1), 1)
      and o.position < (select first_position from log)
      order by o.position limit $2::int8 + ${removedAtOnce}))
  )
  insert into requests (directory_id, position, body, ${requestColumns.join(', ')})
  select $1, l.last_position - $2::int8 + r.n, r.body, ${given.map((column) => `r.${column}`).join(', ')},
    coalesce(r.subject, ${nameOfResource(['user_name', 'name'], place)}),
    coalesce(r.subject_folded, ${nameOfResource(['user_name_folded', 'name_folded'], place)})
  from log l cross join unnest(${arrayParameters(5, columnTypes)}) with ordinality
    as r (${requestColumns.join(', ')}, body, n)`

/** What a statement selects of the requests that it finds: themselves, or how many there are and the last of them. */
const results = {
  list: {
    columns: `r.position, ${columns}`,
    result: (more: string) => `r.*${more}`,
    order: 'order by r.position desc',
  },
  skip: {
    columns: 'r.position',
    result: (more: string) => `count(*) as skipped, min(r.position) as last${more}`,
    order: '',
  },
} as const

type Result = (typeof results)[keyof typeof results]

/** The whole log. */
const ofDirectory = ({ columns: selected, result, order }: Result) => `
  select ${result('')} from (
    select ${selected} from requests r where r.directory_id = $1 and r.position < $2 order by r.position desc limit $3) r
  ${order}`

const outcomeAfter = (after: string) => `
  select r.method, r.status from requests r where r.directory_id = $1 and (r.method, r.status) > (${after})
  order by r.method, r.status limit 1`

const subjectAfter = (after: string) => `
  select r.subject_folded from requests r
  where r.directory_id = $1 and r.method = o.method and r.status = o.status and r.subject_folded is not null
  and r.subject_folded ${after} and r.subject_folded <= $8::text
  order by r.subject_folded limit 1`

const subjectsOfOutcome = `
  cross join lateral (
    with recursive named (subject_folded) as (
      (${subjectAfter('>= $7::text')})
      union all
      select n.* from named w cross join lateral (${subjectAfter('> w.subject_folded')}) n
    )
    select subject_folded from named limit ${maxRequestGroups + 1}
  ) s`

/**
 * The newest requests of each group, merged. `$4` to `$6` are the method, and the first and last status, `$7` and `$8` the
 * first and last subject. The groups are found by skipping from one to the next in the index: methods and statuses, and the
 * subjects of those that are searched for.
 */
function ofGroups(key: readonly string[], subjects: string, { columns: selected, result, order }: Result) {
  return `
    with recursive walk (method, status) as (
      (${outcomeAfter(`'', 0`)})
      union all
      select n.* from walk w cross join lateral (${outcomeAfter('w.method, w.status')}) n
    ),
    outcomes as (
      select method, status from walk where method = coalesce($4::text, method) and status between $5::int4 and $6::int4
    ),
    groups as (
      select ${key.join(', ')} from outcomes o ${subjects} limit ${maxRequestGroups + 1}
    )
    select ${result(', (select count(*) from groups) as groups')} from (
      select r.* from groups g cross join lateral (
        select ${selected} from requests r
        where r.directory_id = $1 and ${key.map((column) => `r.${column} = g.${column}`).join(' and ')}
        and (r.position + 0) < $2 order by (r.position + 0) desc limit $3
      ) r order by r.position desc limit $3
    ) r
    ${order}`
}

const byOutcome = (result: Result) => ofGroups(['method', 'status'], '', result)
const bySubject = (result: Result) => ofGroups(['method', 'status', 'subject_folded'], subjectsOfOutcome, result)

const statements = {
  list: { all: ofDirectory(results.list), outcome: byOutcome(results.list), subject: bySubject(results.list) },
  skip: { all: ofDirectory(results.skip), outcome: byOutcome(results.skip), subject: bySubject(results.skip) },
} as const

const ofResource = `
  select r.position, ${columns} from requests r
  where r.resource_id = $2 and r.directory_id = $1 and (r.position + 0) < $3 order by (r.position + 0) desc limit $4`

const byId = `
  select r.directory_id, r.position, r.body, ${columns} from requests r join directories d on d.id = r.directory_id
  where r.id = $1 and d.deleted = 0 limit 1`

const due = `
  select directory_id, first_position from request_logs where oldest_at < $1
  order by oldest_at, directory_id limit 1`

/** Removes at most `$4` requests from position `$2` on, up to the first that is not older than `$3`. */
const prune = `
  with log as (
    select directory_id from request_logs where directory_id = $1 and first_position = $2 for update
  ),
  step as (
    select r.position, r.at, r.place, bool_and(r.at < $3::int8) over (order by r.position) as is_old
    from log l cross join lateral (
      select position, at, ctid as place from requests where directory_id = l.directory_id and position >= $2
      order by position limit $4::int8 + 1) r
  ),
  old as (
    select place from step where is_old order by position limit $4::int8
  ),
  removed as (
    delete from requests where ctid = any(array(select place from old))
  )
  update request_logs l set first_position = $2 + o.count,
    oldest_at = (select s.at from step s where s.position = $2 + o.count)
  from (select count(*) as count from old) o
  where l.directory_id = (select directory_id from log)
  returning o.count`

/** The request log on PostgreSQL. */
export function postgresRequests(database: Database, { rows, row }: Reader, sealing: Sealing): RequestLogStore {
  const { query } = database
  return {
    async addRequests(directoryId, requests, keep) {
      const added = requests.slice(-keep)
      const [oldest] = added
      if (oldest === undefined) return
      const lines = added.map((request) => [...requestValues(request).map(storable), sealedBody(request, sealing)])
      await query({
        text: add,
        values: [directoryId, added.length, keep, oldest.at, ...columnsOf(columnTypes, lines)],
      })
    },
    async listRequests(directoryId, filter, part) {
      const found = await rows(statementFor('list', directoryId, filter, part))
      return hasTooManyGroups(found) ? 'too-many-subjects' : found.map(decodeRequest)
    },
    async skipRequests(directoryId, filter, part) {
      const found = await rows(statementFor('skip', directoryId, filter, part))
      if (hasTooManyGroups(found)) return 'too-many-subjects'
      const [skipped] = found
      return skipped === undefined
        ? { skipped: 0, last: undefined }
        : { skipped: integer(skipped, 'skipped'), last: optionalInteger(skipped, 'last') }
    },
    async requestsOfResource(directoryId, resourceId, { before, limit }) {
      return (await rows({ text: ofResource, values: [directoryId, resourceId, before, limit] })).map(decodeRequest)
    },
    async findRequest(id) {
      const found = await row({ text: byId, values: [id] })
      return found && decodeFoundRequest(found, sealing)
    },
    async pruneRequests(before, limit) {
      let removed = 0
      for (let log = await row({ text: due, values: [before] }); log !== undefined && removed < limit; ) {
        const values = [log['directory_id'], log['first_position'], before, limit - removed]
        const [pruned] = await query({ text: prune, values })
        removed += pruned === undefined ? 0 : integer(pruned, 'count')
        log = await row({ text: due, values: [before] })
      }
      return removed
    },
  }
}

function statementFor(
  kind: keyof typeof statements,
  directoryId: string,
  filter: RequestFilter,
  { before, limit }: RequestPart,
): Statement {
  const search = groupSearchOf(filter)
  const values = [directoryId, before, limit]
  if (search === undefined) return { text: statements[kind].all, values }
  const { subjects, method = null, from, to } = search
  if (subjects === undefined) return { text: statements[kind].outcome, values: [...values, method, from, to] }
  return { text: statements[kind].subject, values: [...values, method, from, to, subjects.first, subjects.last] }
}

function hasTooManyGroups([row]: readonly Row[]): boolean {
  return row !== undefined && (optionalInteger(row, 'groups') ?? 0) > maxRequestGroups
}

function storable(value: string | number | null): string | number | null {
  return typeof value === 'string' ? withoutNul(value) : value
}
