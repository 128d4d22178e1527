import type {
  Resync,
  ResyncCounts,
  ResyncMemberRow,
  ResyncPage,
  ResyncPosition,
  ResyncRequest,
  ResyncStep,
} from '../delivery/resync/resync.ts'
import { nextResyncStep, resyncPhases, startResync } from '../delivery/resync/resync.ts'
import type { ResyncStepLimits, ResyncStore } from '../delivery/resync/resync-store.ts'
import type { AuditWrite } from '../directory/audit.ts'
import { maxMembershipBytes } from '../directory/membership-event.ts'
import type { JsonObject } from '../scim/json.ts'
import { entryAfter, lockAuditHead } from './audit-chain.ts'
import { identifyEvent } from './events.ts'
import { decodeGroup, groupColumns } from './groups.ts'
import { fields, recordOf } from './record.ts'
import type { CountedState } from './removals.ts'
import type { Row } from './row.ts'
import { integer, optionalJsonText, optionalText, text } from './row.ts'
import type { Dialect, SqlDatabase, Statement } from './sql-database.ts'
import { within } from './sql-database.ts'
import { decodeDuePage } from './streams.ts'
import { decodeShown, decodeUser, shownColumns, userColumns } from './users.ts'
import type { Batch, Commit } from './write/batch.ts'
import { writeOwnEvents } from './write/effects/events.ts'
import { lockedState } from './write/facts.ts'
import { WriteCollection } from './write/writes.ts'

const resyncs = recordOf<Resync>({
  directoryId: fields.text,
  syncId: fields.text,
  requestId: fields.text,
  traceContext: fields.optionalText,
  startedSequence: fields.integer,
  step: fields.integer,
  phase: fields.oneOf(resyncPhases),
  position: fields.group<ResyncPosition>(
    { sequence: fields.integer, groupId: fields.text, memberId: fields.text },
    'position_',
  ),
  sent: fields.group<ResyncCounts>({ users: fields.integer, groups: fields.integer, members: fields.integer }, 'sent_'),
  startedAt: fields.integer,
  completedAt: fields.optionalInteger,
})

/**
 * The columns of a member: `k`, the group `g` and the user `u`; those of `u` are null when the member is a group. What is too long for
 * an event is not read.
 */
const membershipColumns = `k.group_id, k.member_id, k.sequence, ${shownColumns}, g.name as group_name,
  ${rawOf('u')} as user_raw, ${rawOf('g')} as group_raw`

function rawOf(alias: 'u' | 'g'): string {
  return `case when octet_length(${alias}.raw) <= ${maxMembershipBytes} then ${alias}.raw end`
}

/** The reads of the pages of a resync: rows after its position, until they have more than so many bytes, one in any case. */
function createPageReads(dialect: Dialect) {
  const { rowBy, leftJoinOne, indexed } = dialect
  const resources = (table: 'users' | 'groups', alias: 'u' | 'g', columns: string) => {
    const sizes = `
      select ${alias}.id, ${alias}.sequence, octet_length(${alias}.raw) as bytes from ${table} ${alias}
      where ${alias}.directory_id = $1${indexed(alias, 'sequence')} and ${alias}.sequence > $2 and ${alias}.sequence < $3
      order by ${alias}.sequence limit $4`
    return `
      select ${columns} from ${within(sizes, 'k.sequence', '$5')} ${rowBy(table, alias, 'id', 'k.id')} order by k.sequence`
  }
  const groupAndUser = (member: string) => `
    ${leftJoinOne('groups', 'g', `g.directory_id = $1 and g.id = ${member}.group_id`)}
    ${leftJoinOne('users', 'u', `u.directory_id = $1 and u.id = ${member}.member_id`)}`
  const sizesOfMembers = `
    select m.group_id, m.member_id, m.sequence,
      coalesce(octet_length(${rawOf('u')}), 0) + coalesce(octet_length(${rawOf('g')}), 0) as bytes
    from (
      select group_id, member_id, sequence from members
      where directory_id = $1 and (group_id, member_id) > ($2, $3) order by group_id, member_id limit $4
    ) m ${groupAndUser('m')}`
  const byMember = 'k.group_id, k.member_id'
  const texts = {
    users: resources('users', 'u', userColumns),
    groups: resources('groups', 'g', groupColumns),
    members: `
      select ${membershipColumns} from ${within(sizesOfMembers, byMember, '$5')} ${groupAndUser('k')} order by ${byMember}`,
  } satisfies Record<ResyncPage['phase'], string>
  return (resync: Resync, phase: ResyncPage['phase'], { rows, bytes }: ResyncStepLimits): Statement => {
    const { directoryId, position, startedSequence } = resync
    const after = phase === 'members' ? [position.groupId, position.memberId] : [position.sequence, startedSequence]
    return { text: texts[phase], values: [directoryId, ...after, rows, bytes] }
  }
}

/** Decodes a page of users, of groups, or of `membershipColumns`. */
function decodeResyncPage(phase: ResyncPage['phase'], rows: readonly Row[]): ResyncPage {
  switch (phase) {
    case 'users':
      return { phase, rows: rows.map((row) => ({ sequence: integer(row, 'sequence'), item: decodeUser(row) })) }
    case 'groups':
      return { phase, rows: rows.map((row) => ({ sequence: integer(row, 'sequence'), item: decodeGroup(row) })) }
    case 'members':
      return { phase, rows: rows.map(decodeMembership) }
  }
}

function decodeMembership(row: Row): ResyncMemberRow {
  const [groupId, memberId] = [text(row, 'group_id'), text(row, 'member_id')]
  const sequence = integer(row, 'sequence')
  if (row['email'] === null || row['group_name'] === null) return { groupId, memberId, sequence, member: undefined }
  const user = {
    id: memberId,
    ...decodeShown(row),
    raw: optionalJsonText<JsonObject>(row, 'user_raw'),
  }
  const group = {
    id: groupId,
    name: optionalText(row, 'group_name') ?? '',
    raw: optionalJsonText<JsonObject>(row, 'group_raw'),
  }
  return { groupId, memberId, sequence, member: { user, group } }
}

const byDirectory = `
  select ${resyncs.columnsOf('r')} from resyncs r join directories d on d.id = r.directory_id
  where r.directory_id = $1 and d.deleted <> 1`

/** Reads the last resync of a directory. */
function readResync(directoryId: string): Statement {
  return { text: byDirectory, values: [directoryId] }
}

function decodeStored([row]: readonly Row[] = []): Resync | undefined {
  return row && resyncs.decode(row)
}

const assignments = resyncs.names.slice(1).map((name) => `${name} = excluded.${name}`)
const put = `
  insert into resyncs (${resyncs.columns}) values (${resyncs.parameters(1)})
  on conflict (directory_id) do update set ${assignments.join(', ')}`

/** Writes a resync, in place of the last one of its directory. */
function putResync(resync: Resync): Statement {
  return { text: put, values: resyncs.values(resync) }
}

/** The most rows of counts that the members are summed up from: the total in `sync.started` is an estimate. */
const maxCountedLists = 100_000

const countOf = (list: 'users' | 'groups') => `
  cast((select coalesce(sum(resources), 0) from list_counts where directory_id = $1 and list_name = '${list}') as bigint)`
const present = `
  select ${countOf('users')} as users, ${countOf('groups')} as groups,
    cast((select coalesce(sum(resources), 0) from (
      select resources from list_counts
      where directory_id = $1 and list_name not in ('users', 'groups') limit ${maxCountedLists}) l) as bigint) as members`

/** Counts the content of a directory, for `decodeCounts`. */
export function countPresent(directoryId: string): Statement {
  return { text: present, values: [directoryId] }
}

export function decodeCounts([row = {}]: readonly Row[] = []): ResyncCounts {
  return { users: integer(row, 'users'), groups: integer(row, 'groups'), members: integer(row, 'members') }
}

/** Resyncs. */
export function createResyncStore({ query, dialect }: SqlDatabase, commit: Commit): ResyncStore {
  const pageRead = createPageReads(dialect)
  const running = `
    select r.directory_id as id, d.tenant from resyncs r ${dialect.indexedBy('resyncs_running')}
    ${dialect.joinOne('directories', 'd', 'd.id = r.directory_id')}
    where r.completed_at is null and r.directory_id > $1 and d.deleted <> 1 order by r.directory_id limit $2`
  return {
    getResync: async (directoryId) => decodeStored(await query(readResync(directoryId))),
    listRunningResyncs: async (after, limit) =>
      decodeDuePage(await query({ text: running, values: [after, limit] }), limit),
    async beginResync(request, audit) {
      const begun = await commit(resyncBeginning(request, audit))
      return begun === 'directory-changed' ? 'directory-not-found' : begun
    },
    async stepResync(before, limits, now) {
      const { phase } = before
      if (phase === 'completed') return 'conflict'
      const made = await commit(resyncStep(before, phase, pageRead(before, phase, limits), now))
      return made === 'directory-changed' ? 'conflict' : made
    },
  }
}

/** Begins a resync of a directory, unless one is running. */
function resyncBeginning(request: ResyncRequest, audit: AuditWrite | undefined): Batch<Resync> {
  const { directoryId } = request
  return {
    directory: { id: directoryId },
    request: {
      reads: {
        ...{ resync: readResync(directoryId), counts: countPresent(directoryId) },
        ...(audit && { auditHead: lockAuditHead }),
      },
    },
    decide(facts) {
      const { resync: stored, counts, auditHead } = facts.rows
      const running = decodeStored(stored)
      if (running !== undefined && running.completedAt === undefined) {
        return { writes: new WriteCollection(), answer: () => running }
      }
      const { resync, writes } = resyncStart(request, lockedState(facts), decodeCounts(counts))
      if (audit !== undefined) writes.run(...entryAfter(auditHead, audit).statements)
      return { writes, answer: () => resync }
    },
  }
}

/** Makes the step that follows `before`; `conflict`: another process has made it. */
function resyncStep(
  before: Resync,
  phase: ResyncPage['phase'],
  page: Statement,
  at: number,
): Batch<Resync | 'conflict'> {
  const { directoryId } = before
  return {
    directory: { id: directoryId },
    request: { reads: { resync: readResync(directoryId), page } },
    decide({ rows }) {
      const stored = decodeStored(rows['resync'])
      if (stored?.syncId !== before.syncId || stored.step !== before.step) {
        return { writes: new WriteCollection(), answer: () => 'conflict' }
      }
      const step = nextResyncStep(stored, decodeResyncPage(phase, rows['page'] ?? []), at)
      return { writes: stepWrites(step, at), answer: () => step.resync }
    },
  }
}

/** The first step of a resync of a directory that is locked, and what it writes. */
export function resyncStart(
  request: ResyncRequest,
  { lastSequence, discardedEvents }: Pick<CountedState, 'lastSequence' | 'discardedEvents'>,
  counts: ResyncCounts,
): { readonly resync: Resync; readonly writes: WriteCollection } {
  const step = startResync(request, counts, lastSequence + discardedEvents + 1)
  return { resync: step.resync, writes: stepWrites(step, request.startedAt) }
}

function stepWrites({ resync, events }: ResyncStep, at: number): WriteCollection {
  const { requestId, traceContext } = resync
  const writes = new WriteCollection()
  writeOwnEvents(
    events.map((event) => identifyEvent(event, { requestId, traceContext, at })),
    writes,
  )
  writes.run(putResync(resync))
  return writes
}
