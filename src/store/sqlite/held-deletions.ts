import type { DatabaseSync } from 'node:sqlite'
import type { HeldDeletions } from '../held-deletions.ts'
import { createRelease, heldRowsPerStep, holdsSome } from '../held-deletions.ts'
import type { Row } from '../row.ts'
import { text } from '../row.ts'
import type { GroupCommit } from './group-commit.ts'

/** Held deletions on SQLite. */
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
      where directory_id = ? and run_id = ? limit ${heldRowsPerStep})`)
  const ended = db.prepare(`
    select r.id from sync_runs r where r.directory_id = ? and r.state not in ('running', 'held')
      and ${holdsSome}`)

  const ids = (rows: readonly Row[]) => rows.map((row) => text(row, 'id'))

  return {
    async holdDeletions(directoryId, runId, kind, deletions) {
      await write(() => ({ held: hold.run(directoryId, runId, kind, JSON.stringify(deletions)).changes }))
    },
    heldAmong: async (directoryId, runId, kind, candidates) =>
      new Set(ids(among.all(directoryId, runId, kind, JSON.stringify(candidates)))),
    listHeld: async (directoryId, runId, kind, after, limit) => ids(list.all(directoryId, runId, kind, after, limit)),
    ...createRelease({
      removeStep: (directoryId, runId) => write(() => Number(release.run(directoryId, runId).changes)),
      endedRuns: async (directoryId) => ids(ended.all(directoryId)),
    }),
  }
}
