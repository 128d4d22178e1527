import { domainAllowedOfStored } from '../../../directory/allowed-domains.ts'
import type { Cause, StoredEvent } from '../../../directory/event.ts'
import type { GroupReference } from '../../../directory/group.ts'
import { userViewText } from '../../../directory/user.ts'
import { decideMapped } from '../../../mapping/change.ts'
import type { CompiledMapping } from '../../../mapping/compiled.ts'
import { namesGroup } from '../../../mapping/compiled.ts'
import { fold } from '../../../scim/fold.ts'
import { toJsonText } from '../../../scim/json-text.ts'
import { numberEvents } from '../../events.ts'
import type { PlacedUser, UserPages } from '../../reads/user-pages.ts'
import { decodeMemberIds, decodeNamedUsers } from '../../reads/user-pages.ts'
import type { Statement } from '../../sql-database.ts'
import { users as usersTable } from '../../users.ts'
import type { Stage } from '../batch.ts'
import type { Facts } from '../facts.ts'
import { lockedState } from '../facts.ts'
import { WriteCollection } from '../writes.ts'
import { domainChanges, domainColumns } from './domains.ts'
import type { ChangedGroup, Effect, WrittenDirectory } from './effect.ts'
import { writeOwnEvents } from './events.ts'
import type { ChangedRoles } from './roles.ts'
import { changedRoles, countsRequest, evaluatedUser, writeRoles } from './roles.ts'

/** What evaluating users again needs besides the mapping. */
export interface EvaluationParts {
  readonly pages: UserPages
  /** Called when a write leaves users to a run that it begins, before it is committed. */
  onRun(): void
}

/** Evaluates users again after changes of groups that the mapping of the directory names; too many of them are left to a run. */
export function rolesOfMembers(
  mapping: CompiledMapping,
  { pages, onRun }: EvaluationParts,
): Pick<Required<Effect>, 'requestOfDeletion' | 'afterGroups' | 'afterLargeChange'> {
  const { usersAtOnce, charactersAtOnce } = mapping

  /** One more than are evaluated in a commit: then a run evaluates all. */
  const membersRead = (directoryId: string, { id }: Pick<GroupReference, 'id'>) =>
    [`members of ${id}`, pages.members(directoryId, id, usersAtOnce + 1)] as const

  function evaluation(directory: WrittenDirectory, ids: readonly string[], { causeOf, last }: Concerned) {
    const areMany = ids.length > usersAtOnce
    const stage: Stage<readonly StoredEvent[]> = {
      request: areMany
        ? {}
        : {
            reads: {
              users: pages.named(directory.id, ids, charactersAtOnce),
              ...countsRequest(mapping, directory.id).reads,
            },
          },
      decide(facts) {
        const writes = new WriteCollection()
        const users = areMany ? undefined : decodeNamedUsers(facts.rows['users'] ?? [])
        if (users === undefined) {
          onRun()
          writes.run(runStart(directory.id, last))
          return { writes, answer: () => [] }
        }
        const events = evaluate(directory, mapping, users, facts, causeOf, writes)
        return { writes, answer: () => events }
      },
    }
    return stage
  }

  return {
    requestOfDeletion(groups, { id }) {
      const named = groups.filter((group) => namesGroup(mapping, group))
      return named.length === 0
        ? undefined
        : { reads: Object.fromEntries(named.map((group) => membersRead(id, group))) }
    },
    afterGroups(changes, { rows }, directory) {
      const concerned = concernedBy(mapping, changes, (groupId) => decodeMemberIds(rows[`members of ${groupId}`] ?? []))
      if (concerned === undefined) return undefined
      const { userIds, groupIds } = concerned
      if (groupIds.length === 0) return evaluation(directory, userIds, concerned)
      return {
        request: { reads: Object.fromEntries(groupIds.map((id) => membersRead(directory.id, { id }))) },
        decide(facts) {
          const members = Object.values(facts.rows).flatMap(decodeMemberIds)
          const ids = [...new Set([...userIds, ...members])]
          return { writes: new WriteCollection(), next: evaluation(directory, ids, concerned) }
        },
      }
    },
    afterLargeChange(change, directory, writes) {
      if (concernedBy(mapping, [change], () => []) === undefined) return
      onRun()
      writes.run(runStart(directory.id, change.cause))
    },
  }
}

/** The users whom changes of groups may concern. */
interface Concerned {
  readonly userIds: readonly string[]
  /** The groups all of whose members they may concern. */
  readonly groupIds: readonly string[]
  causeOf(userId: string): Cause
  readonly last: Cause
}

/** The users whom changes of groups may concern; undefined when they concern no rule. */
function concernedBy(
  mapping: CompiledMapping,
  changes: readonly ChangedGroup[],
  formerMembers: (groupId: string) => readonly string[],
): Concerned | undefined {
  const users = new Map<string, Cause>()
  const groups = new Map<string, Cause>()
  for (const { before, after, users: changed, cause } of changes) {
    const group = after ?? before
    if (group === undefined) continue
    const isRenamed = before !== undefined && after !== undefined && fold(before.name) !== fold(after.name)
    const areMembers = isRenamed && (mapping.namesName(before.name) || mapping.namesName(after.name))
    if (areMembers) groups.set(group.id, cause)
    if (!areMembers && !namesGroup(mapping, group)) continue
    for (const id of after === undefined ? formerMembers(group.id) : changed) users.set(id, cause)
  }
  const lastOfGroups = [...groups.values()].at(-1)
  const last = lastOfGroups ?? [...users.values()].at(-1)
  if (last === undefined) return undefined
  return {
    ...{ userIds: [...users.keys()], groupIds: [...groups.keys()], last },
    causeOf: (userId) => users.get(userId) ?? last,
  }
}

/** Evaluates stored users again, in their order; collects what that writes, and returns the events about those for whom something changes. */
export function evaluate(
  directory: WrittenDirectory,
  mapping: CompiledMapping,
  users: readonly PlacedUser[],
  facts: Facts,
  causeOf: (userId: string) => Cause,
  writes: WriteCollection,
): readonly StoredEvent[] {
  const { lastSequence } = lockedState(facts)
  const [events, roles]: [StoredEvent[], ChangedRoles[]] = [[], []]
  for (const { user, position, groups } of users) {
    const { id, mapped: stored } = user
    const { mapped, changes: ofMapping } = decideMapped(mapping.evaluator, evaluatedUser(user, groups), stored)
    const domainAllowed = domainAllowedOfStored(directory.domains, user)
    const ofDomains = domainChanges(user.domainAllowed, domainAllowed)
    const changes = { ...ofDomains, ...ofMapping }
    const isMarked = user.domainAllowed !== domainAllowed
    const columns = {
      ...(mapped !== stored && { mapped: mapped ?? null }),
      ...(isMarked && domainColumns(domainAllowed)),
    }
    if (mapped !== stored || isMarked) writes.update(usersTable, { id }, columns)
    if (Object.keys(changes).length === 0) continue
    const draft = {
      ...{ eventType: 'user.updated' as const, data: userViewText({ ...user, mapped, domainAllowed }) },
      changes: toJsonText(changes),
    }
    events.push(...numberEvents([draft], lastSequence + events.length, causeOf(id)))
    roles.push(...changedRoles({ userId: id, position: { stored: position }, n: events.length }, stored, mapped))
  }
  writeOwnEvents(events, writes)
  const at = Math.max(0, ...events.map(({ createdAt }) => createdAt))
  writeRoles(roles, mapping, { directory, facts, at }, writes)
  return events
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
