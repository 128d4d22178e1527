import type { ComparedUser, DirectoryReads } from '../../directory/directory-store.ts'
import { integer } from '../row.ts'
import { decodeComparedUser, snapshotReads, usersPerPart } from '../user-snapshots.ts'
import { users } from '../users.ts'
import type { RunStatement } from './sql-database.ts'
import { dialect } from './sql-database.ts'
import type { WriteRows } from './write/rows.ts'

const { state, after, one } = snapshotReads(dialect)

/**
 * Reads snapshots on the only connection to the file, between the commits of others: a user who is about to be changed or deleted is read
 * first, unless it has been read. Users who are created later have later positions.
 */
export function createUserSnapshots(run: RunStatement) {
  const open = new Set<{ keep(directoryId: string, userId: unknown): void }>()

  function openSnapshot(directoryId: string, end: number) {
    /** The users who were read early, and the positions of all of them. */
    const early: ComparedUser[] = []
    const passedEarly = new Set<number>()
    let passed = 0

    async function* parts(): AsyncGenerator<readonly ComparedUser[], void, undefined> {
      while (passed < end) {
        const rows = run(after(directoryId, passed)).map((row) => [integer(row, 'sequence'), row] as const)
        const unread = rows.filter(([position]) => position <= end && !passedEarly.has(position))
        passed = rows.length < usersPerPart ? end : (rows.at(-1)?.[0] ?? end)
        yield [...early.splice(0), ...unread.map(([, row]) => decodeComparedUser(row))]
      }
    }

    function keep(changed: string, userId: unknown): void {
      const [row] = changed === directoryId ? run(one(directoryId, userId)) : []
      const position = row === undefined ? 0 : integer(row, 'sequence')
      if (row === undefined || position <= passed || position > end || passedEarly.has(position)) return
      passedEarly.add(position)
      early.push(decodeComparedUser(row))
    }
    return { keep, parts: parts() }
  }

  const readSnapshot: DirectoryReads['readSnapshot'] = async (directoryId, work) => {
    const [row] = run(state(directoryId))
    if (row === undefined) return undefined
    const sequence = integer(row, 'last_sequence')
    const snapshot = openSnapshot(directoryId, sequence + integer(row, 'discarded_events'))
    open.add(snapshot)
    return work(sequence, snapshot.parts).finally(() => open.delete(snapshot))
  }

  /** Reads users for the open snapshots before they are written. */
  const keepingUsers =
    (writeRows: WriteRows): WriteRows =>
    (directory, writes) => {
      for (const [{ table, kind }, { rows }] of open.size > 0 ? writes.tables : [])
        if (table === users && kind !== 'insert')
          for (const row of rows) for (const { keep } of open) keep(directory.id, row['id'])
      writeRows(directory, writes)
    }

  return { readSnapshot, keepingUsers }
}
