import type { HeldRole } from '../delivery/hold/hold-store.ts'
import type { DirectoryRevision } from '../directory/directory.ts'
import type { Cause, EventDraft, StoredEvent } from '../directory/event.ts'
import type { GroupReference } from '../directory/group.ts'
import { unlimited } from '../directory/removal-limit.ts'
import type { IndexedUser, MappedFields, User } from '../directory/user.ts'
import { userViewText } from '../directory/user.ts'
import type { MappedChange } from '../mapping/change.ts'
import { decideMapped, isShown, withMappedChanges } from '../mapping/change.ts'
import type { CompiledMapping } from '../mapping/compiled.ts'
import { namesGroup } from '../mapping/compiled.ts'
import { fold } from '../scim/fold.ts'
import type { JsonText } from '../scim/json-text.ts'
import { fromJsonText, toJsonText } from '../scim/json-text.ts'
import { numberEvents } from './events.ts'
import { beginHold } from './holds.ts'
import type { Row } from './row.ts'
import { integer, optionalJsonText, text } from './row.ts'
import type { Statement } from './sql-database.ts'
import { decodeGroupReferences, decodeUser } from './users.ts'

/** The directory of a write, with its mapping if it has one. */
export interface MappedRevision extends DirectoryRevision {
  readonly compiled?: MappingOfWrite | undefined
}

/** The mapping of a write. */
export interface MappingOfWrite extends CompiledMapping {
  /** Called when the write leaves users to a run that it begins, before it is committed. */
  onRun?(): void
}

/** The facts that a transaction has about a user whom it evaluates. */
export interface MappedState {
  readonly version: number
  /** The sequence of its row, which is its position among the users with a role. */
  readonly position: number
  readonly stored: JsonText<MappedFields> | undefined
  readonly groups: readonly GroupReference[]
}

/** Decodes the columns `version`, `sequence`, `mapped` and `groups`. */
export function decodeMappedState(row: Row): MappedState {
  return {
    version: integer(row, 'version'),
    position: integer(row, 'sequence'),
    stored: optionalJsonText<MappedFields>(row, 'mapped'),
    groups: decodeGroupReferences(row),
  }
}

/** The first writes whose users are evaluated in one commit; all of them without a mapping. */
export function evaluatedTogether<T>(
  { compiled }: MappedRevision,
  writes: readonly T[],
  userOf: (write: T) => Pick<User, 'raw'>,
): readonly T[] {
  if (compiled === undefined) return writes
  const { usersAtOnce, charactersAtOnce } = compiled
  let characters = 0
  const end = writes.findIndex((write, index) => {
    characters += userOf(write).raw.length
    return index > 0 && (index >= usersAtOnce || characters > charactersAtOnce)
  })
  return end === -1 ? writes : writes.slice(0, end)
}

/** A stored user whom a transaction evaluates. */
export interface EvaluatedUser extends MappedState {
  readonly user: User
}

/** Decodes the columns of a user, its `sequence` and its `groups`. */
export function decodeEvaluatedUser(row: Row): EvaluatedUser {
  return { ...decodeMappedState(row), user: decodeUser(row) }
}

/** The roles that are stored with a user. */
export function rolesOf({ stored }: Pick<MappedState, 'stored'>): readonly string[] {
  return stored === undefined ? [] : fromJsonText(stored).roles
}

/** The roles that a user gains and loses by an event. */
export interface RoleChange {
  readonly userId: string
  readonly position: number
  readonly sequence: number
  readonly gained: readonly string[]
  readonly lost: readonly string[]
}

/** A new user with its roles and attributes, and the event about it. It is in no group yet. */
export function mappedCreation<E extends EventDraft>(
  { evaluator }: CompiledMapping,
  user: IndexedUser,
  event: E,
): { readonly user: IndexedUser; readonly event: E; readonly gained: readonly string[] } {
  const { mapped, gained } = decideMapped(evaluator, evaluated(user, []), undefined)
  const created = { ...user, mapped }
  return { user: created, event: { ...event, data: userViewText(created) }, gained }
}

/** A changed user with its roles and attributes, and the event about it, which also reports what changes of them. */
export function mappedReplacement<E extends EventDraft>(
  { evaluator, isLeftToRun = false }: CompiledMapping,
  user: IndexedUser,
  { stored, groups }: MappedState,
  event: E,
): { readonly user: IndexedUser; readonly event: E } & Pick<MappedChange, 'gained' | 'lost'> {
  if (isLeftToRun) return { user: { ...user, mapped: stored }, event, gained: [], lost: [] }
  const { mapped, gained, lost, changes } = decideMapped(evaluator, evaluated(user, groups), stored)
  const replaced = { ...user, mapped }
  const merged = withMappedChanges(event.changes ?? toJsonText({}), changes)
  return { user: replaced, event: { ...event, data: userViewText(replaced), changes: merged }, gained, lost }
}

function evaluated({ raw, active }: Pick<User, 'raw' | 'active'>, groups: readonly GroupReference[]) {
  return { resource: fromJsonText(raw), active, groups }
}

/** The users whom a change of a group may concern. */
export interface AffectedUsers {
  readonly userIds: readonly string[]
  /** Whether it may concern all members of the group, too. */
  readonly areMembers: boolean
}

/**
 * The users whom a change of a group may concern; undefined when it concerns no rule.
 *
 * @param changed the ids of the users who join or leave
 */
export function affectedUsers(
  compiled: CompiledMapping | undefined,
  before: GroupReference | undefined,
  after: GroupReference,
  changed: readonly string[],
): AffectedUsers | undefined {
  if (compiled === undefined) return undefined
  const isRenamed = before !== undefined && fold(before.name) !== fold(after.name)
  const areMembers = isRenamed && (compiled.namesName(before.name) || compiled.namesName(after.name))
  if (areMembers) return { userIds: changed, areMembers }
  return changed.length > 0 && namesGroup(compiled, after) ? { userIds: changed, areMembers } : undefined
}

/** The writes that follow from evaluating stored users again. */
export interface Reevaluation {
  /** The new text of each user whose stored text changes. */
  readonly written: readonly { readonly userId: string; readonly mapped: JsonText<MappedFields> | undefined }[]
  /** One for each user whose roles or attributes change. */
  readonly events: readonly StoredEvent[]
  readonly roles: readonly RoleChange[]
}

/**
 * Evaluates stored users again, in the order in which they are given.
 *
 * @param causeOf the cause of the event about a user
 * @param lastSequence of the directory, before these events
 */
export function reevaluate(
  { evaluator }: CompiledMapping,
  users: readonly EvaluatedUser[],
  causeOf: (userId: string) => Cause,
  lastSequence: number,
): Reevaluation {
  const [written, events, roles]: [Reevaluation['written'][number][], StoredEvent[], RoleChange[]] = [[], [], []]
  for (const { user, position, stored, groups } of users) {
    const change = decideMapped(evaluator, evaluated(user, groups), stored)
    if (change.mapped !== stored) written.push({ userId: user.id, mapped: change.mapped })
    if (!isShown(change)) continue
    const changes = toJsonText(change.changes)
    const data = userViewText({ ...user, mapped: change.mapped })
    const draft = { eventType: 'user.updated', data, changes } as const
    events.push(...numberEvents([draft], lastSequence + events.length, causeOf(user.id)))
    const { gained, lost } = change
    const sequence = lastSequence + events.length
    if (gained.length + lost.length > 0) roles.push({ userId: user.id, position, sequence, gained, lost })
  }
  return { written, events, roles }
}

/** A role that fewer users have than must keep it. */
export interface RoleShortage extends HeldRole {
  /** The event of the user whose loss makes them too few. */
  readonly firstSequence: number
}

/**
 * The shortages that changes cause: after all of them, fewer users have a role than must keep it, and some of them lost it.
 *
 * @param counts how many users had each role before
 */
export function shortagesAfter(
  keepAtLeast: ReadonlyMap<string, number>,
  counts: ReadonlyMap<string, number>,
  changes: readonly RoleChange[],
): RoleShortage[] {
  return [...keepAtLeast].flatMap(([role, minimum]) => {
    let users = counts.get(role) ?? 0
    let firstSequence: number | undefined
    for (const { sequence, gained, lost } of changes) {
      users += Number(gained.includes(role)) - Number(lost.includes(role))
      if (users < minimum && lost.includes(role)) firstSequence ??= sequence
    }
    return firstSequence === undefined || users >= minimum ? [] : [{ role, minimum, users, firstSequence }]
  })
}

/** The statements that hold the events of a directory because of shortages. */
export function shortageStatements(
  directoryId: string,
  shortages: readonly RoleShortage[],
  discardedEvents: number,
  at: number,
): Statement[] {
  return shortages.flatMap(({ firstSequence, ...role }) => {
    const version = firstSequence + discardedEvents
    const counts = { removals: 0, removalsBefore: 0, highest: 0, countedFrom: version, limit: unlimited }
    return beginHold({ directoryId, since: at, reason: 'roles', role, ...counts, firstSequence, version })
  })
}

/** Reads how many users have each role. */
export function roleCountsRead(directoryId: string): Statement {
  return { text: 'select role, users from role_counts where directory_id = $1', values: [directoryId] }
}

/** Decodes the rows of `roleCountsRead`. */
export function decodeRoleCounts(rows: readonly Row[] = []): Map<string, number> {
  return new Map(rows.map((row) => [text(row, 'role'), integer(row, 'users')]))
}

const startRun = (condition: string) => `
  insert into mapping_runs (directory_id, request_id, position, evaluated, changed, total, started_at, completed_at)
  select $1, $2, 0, 0, 0, cast(coalesce(sum(resources), 0) as bigint), $3, null
  from list_counts where directory_id = $1 and list_name = 'users' having ${condition}
  on conflict (directory_id) do update set request_id = excluded.request_id, position = 0, evaluated = 0, changed = 0,
    total = excluded.total, started_at = excluded.started_at, completed_at = null`

/** Begins a run over all users of a directory, in place of the one that may be under way. */
export function runStart(directoryId: string, { requestId, at }: Pick<Cause, 'requestId' | 'at'>): Statement {
  return { text: startRun('true'), values: [directoryId, requestId, at] }
}

/** Begins a run if the directory has a mapping. */
export function runStartIfMapped(directoryId: string, { requestId, at }: Pick<Cause, 'requestId' | 'at'>): Statement {
  const condition = 'exists (select 1 from directories d where d.id = $1 and d.mapping is not null)'
  return { text: startRun(condition), values: [directoryId, requestId, at] }
}
