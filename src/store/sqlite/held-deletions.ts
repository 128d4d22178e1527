import type { DatabaseSync } from 'node:sqlite'
import type { EngineHeldDeletions } from '../held-deletions.ts'
import { heldRowsPerStep, ids } from '../held-deletions.ts'
import type { GroupCommit } from './group-commit.ts'

/** Statements on many held deletions on SQLite. */
export function sqliteHeldDeletions(db: DatabaseSync, { write }: GroupCommit): EngineHeldDeletions {
  const hold = db.prepare(`
    insert into held_deletions (directory_id, run_id, kind, id)
    select r.directory_id, r.id, ?3, k.value from json_each(?4) k
    cross join sync_runs r on r.directory_id = ?1 and r.id = ?2 and r.state = 'running'
    where true on conflict do nothing`)
  const among = db.prepare(`
    select h.id from json_each(?4) k
    cross join held_deletions h on h.directory_id = ?1 and h.run_id = ?2 and h.kind = ?3 and h.id = k.value`)
  const release = db.prepare(`
    delete from held_deletions where (directory_id, run_id, kind, id) in (
      select directory_id, run_id, kind, id from held_deletions
      where directory_id = ? and run_id = ? limit ${heldRowsPerStep})`)
  return {
    async holdDeletions(directoryId, runId, kind, deletions) {
      await write(() => ({ held: hold.run(directoryId, runId, kind, JSON.stringify(deletions)).changes }))
    },
    heldAmong: async (directoryId, runId, kind, candidates) =>
      new Set(ids(among.all(directoryId, runId, kind, JSON.stringify(candidates)))),
    removeStep: (directoryId, runId) => write(() => Number(release.run(directoryId, runId).changes)),
  }
}
