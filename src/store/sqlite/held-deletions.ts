import type { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ExtdirStore } from '../../google/store.ts'
import type { GroupCommit } from './group-commit.ts'

const rowsPerStep = 500

/** What runs would delete, and what removes that of the runs that have ended. */
export interface HeldDeletions extends Pick<ExtdirStore, 'holdDeletions' | 'heldAmong' | 'listHeld' | 'releaseHeld'> {
  /** Forgets what runs of a directory hold that are neither running nor held. */
  releaseEnded(directoryId: string): Promise<void>
}

/** What runs would delete, on SQLite. */
export function sqliteHeldDeletions(db: DatabaseSync, { write }: GroupCommit): HeldDeletions {
  const hold = db.prepare(`
    insert into held_deletions (directory_id, run_id, kind, id)
    select r.directory_id, r.id, ?3, k.value from json_each(?4) k
    cross join sync_runs r on r.directory_id = ?1 and r.id = ?2 and r.state = 'running'
    where true on conflict do nothing`)
  const among = db.prepare(`
    select h.id from json_each(?4) k
    cross join held_deletions h on h.directory_id = ?1 and h.run_id = ?2 and h.kind = ?3 and h.id = k.value`)
  const list = db.prepare(`
    select id from held_deletions where directory_id = ? and run_id = ? and kind = ? and id > ? order by id limit ?`)
  const release = db.prepare(`
    delete from held_deletions where (directory_id, run_id, kind, id) in (
      select directory_id, run_id, kind, id from held_deletions
      where directory_id = ? and run_id = ? limit ${rowsPerStep})`)
  const ended = db.prepare(`
    select r.id from sync_runs r where r.directory_id = ? and r.state not in ('running', 'held')
      and exists (select 1 from held_deletions h where h.directory_id = r.directory_id and h.run_id = r.id)`)

  const ids = (rows: readonly Record<string, unknown>[]) => rows.map((row) => String(row['id']))

  async function releaseHeld(directoryId: string, runId: string): Promise<void> {
    for (;;) {
      const { removed } = await write(() => ({ removed: Number(release.run(directoryId, runId).changes) }))
      if (removed < rowsPerStep) return
      await nextTurn()
    }
  }

  return {
    async holdDeletions(directoryId, runId, kind, deletions) {
      await write(() => ({ held: hold.run(directoryId, runId, kind, JSON.stringify(deletions)).changes }))
    },
    heldAmong: async (directoryId, runId, kind, asked) =>
      new Set(ids(among.all(directoryId, runId, kind, JSON.stringify(asked)))),
    listHeld: async (directoryId, runId, kind, after, limit) => ids(list.all(directoryId, runId, kind, after, limit)),
    releaseHeld,
    async releaseEnded(directoryId) {
      for (const runId of ids(ended.all(directoryId))) await releaseHeld(directoryId, runId)
    },
  }
}
