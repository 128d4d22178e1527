import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { integer, optionalText, text } from '../row.ts'
import { leaveGroups } from '../write/effects/memberships.ts'
import { WriteCollection } from '../write/writes.ts'
import type { DirectoryState } from './directory-state.ts'
import { decodeDirectoryState, directoryStateColumns } from './directory-state.ts'
import type { CommitParts } from './write/commit.ts'

const rowsPerRead = 500

const repeatAfterMs = 1_000

export interface FinishParts {
  /** Runs a piece of work in a commit of its own. */
  readonly step: <T>(work: () => T) => Promise<T>
  /** Rows written per step. */
  readonly stepSize: number
  /** Called when a step fails; it is repeated. */
  readonly onError: (error: unknown) => void
  readonly commitParts: CommitParts
}

/**
 * Removes what a large change has left, whether it was published or not, then opens the gate of the directory. It is
 * repeated until it succeeds or the database is closed; in the latter case the next start does it.
 */
export function createFinish(db: DatabaseSync, parts: FinishParts) {
  const cleanUp = createCleanUp(db, parts)

  return async (directoryId: string, open: () => void): Promise<void> => {
    for (;;) {
      try {
        await cleanUp(directoryId)
        return open()
      } catch (error) {
        if (!db.isOpen) return open()
        parts.onError(error)
        await pause(repeatAfterMs, undefined, { ref: false })
      }
    }
  }
}

function createCleanUp(db: DatabaseSync, { step, stepSize, commitParts: { readFacts, writeRows } }: FinishParts) {
  const find = db.prepare(`
    select c.group_id, c.member_id, c.left_at, c.shown, ${directoryStateColumns}
    from large_changes c join directory_state s on s.directory_id = c.directory_id where c.directory_id = ?`)
  const page = db.prepare(`
    select member_id, staged from members where directory_id = ? and group_id = ? and member_id > ?
    order by member_id limit ${rowsPerRead}`)
  const keep = db.prepare('update members set staged = null where directory_id = ? and group_id = ? and member_id = ?')
  const remove = db.prepare('delete from members where directory_id = ? and group_id = ? and member_id = ?')
  const removeEvents = db.prepare(`
    delete from events where directory_id = ?1 and sequence in (
      select sequence from events
      where directory_id = ?1 and sequence > (select s.last_sequence from directory_state s where s.directory_id = ?1)
      order by sequence desc limit ${stepSize})`)
  const removeDeprovisionings = db.prepare(`
    delete from deprovisionings where (directory_id, sequence) in (
      select directory_id, sequence from deprovisionings where directory_id = ? and sequence > ? limit ${stepSize})`)
  const removeMemberships = db.prepare(`
    delete from removed_memberships where (directory_id, row_position) in (
      select directory_id, row_position from removed_memberships where directory_id = ? and row_position > ?
      limit ${stepSize})`)
  const memberships = db.prepare(`
    select group_id from members indexed by members_by_member
    where directory_id = ? and member_id = ? and group_id > ? order by group_id limit ${stepSize}`)
  const forget = db.prepare('delete from large_changes where directory_id = ?')

  /** Cleans up some members after an id; returns the last one, undefined at the end. */
  function cleanMembers(directoryId: string, groupId: string, shown: string, after: string): string | undefined {
    let last: string | undefined
    let writes = 0
    for (const row of page.all(directoryId, groupId, after)) {
      const [id, staged] = [text(row, 'member_id'), optionalText(row, 'staged')]
      if (staged !== undefined || shown === 'none') {
        if (writes === stepSize) break
        writes += 1
        if (staged === shown) keep.run(directoryId, groupId, id)
        else remove.run(directoryId, groupId, id)
      }
      last = id
    }
    return last
  }

  /** Keeps some memberships after that in a group; returns the last group, undefined at the end. */
  function stay(directoryId: string, memberId: string, after: string): string | undefined {
    const groupIds = memberships.all(directoryId, memberId, after).map((row) => text(row, 'group_id'))
    for (const groupId of groupIds) keep.run(directoryId, groupId, memberId)
    return groupIds.at(-1)
  }

  /** Removes a user or group that has been deleted from some of its groups; returns whether it was in any. */
  function leave(directory: DirectoryState, memberId: string, at: number): boolean {
    const facts = readFacts(directory, { leaving: [memberId] })
    const writes = new WriteCollection()
    leaveGroups(new Map([[memberId, at]]), facts, writes)
    writeRows(directory, writes)
    return facts.leaving.length > 0
  }

  /** Repeats a step, which returns where it ended, until it has reached the end. */
  async function inSteps(work: (after: string) => string | undefined): Promise<void> {
    let last: string | undefined = ''
    while (last !== undefined) {
      const after: string = last
      last = await step(() => work(after))
    }
  }

  return async (directoryId: string): Promise<void> => {
    const row = find.get(directoryId)
    if (row === undefined) return
    const [groupId, shown] = [text(row, 'group_id'), text(row, 'shown')]
    if (shown === 'leaving') {
      const discarded = [directoryId, integer(row, 'last_sequence')] as const
      // Deleting the directory does not wait for the gate, and adds an event.
      while (Number((await step(() => removeEvents.run(directoryId))).changes) > 0);
      while (Number((await step(() => removeDeprovisionings.run(...discarded))).changes) > 0);
      const unpublished = [directoryId, integer(row, 'last_sequence') + integer(row, 'discarded_events')] as const
      while (Number((await step(() => removeMemberships.run(...unpublished))).changes) > 0);
    }
    const memberId = text(row, 'member_id')
    if (shown === 'leaving') {
      if (memberId !== '') await inSteps((after) => stay(directoryId, memberId, after))
    } else if (memberId !== '') {
      const directory = decodeDirectoryState(directoryId, row)
      while (await step(() => leave(directory, memberId, integer(row, 'left_at'))));
    }
    if (groupId !== '') await inSteps((after) => cleanMembers(directoryId, groupId, shown, after))
    await step(() => forget.run(directoryId))
  }
}
