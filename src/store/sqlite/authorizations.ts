import type { DatabaseSync } from 'node:sqlite'
import type { GoogleStore } from '../../google/store.ts'
import { expiredPerCall, openAuthorization } from '../authorizations.ts'
import type { Sealing } from '../sealing.ts'
import { authorizationLocation } from '../sealing.ts'
import type { GroupCommit } from './group-commit.ts'

type AuthorizationStore = Pick<GoogleStore, 'spendAuthorization' | 'keepAuthorization' | 'takeAuthorization'>

/** Pending authorizations on SQLite. */
export function sqliteAuthorizations(db: DatabaseSync, { write }: GroupCommit, sealing: Sealing): AuthorizationStore {
  const spend = db.prepare('insert into spent_authorizations (id, expires_at) values (?, ?) on conflict do nothing')
  const removeExpired = db.prepare(`
    delete from spent_authorizations where id in (
      select id from spent_authorizations where expires_at <= ? and id <> ?
      order by expires_at limit ${expiredPerCall})`)
  const keep = db.prepare(`
    insert into pending_authorizations (directory_id, sealed, expires_at)
    select id, ?, ? from directories where id = ? and deleted = 0
    on conflict do update set sealed = excluded.sealed, expires_at = excluded.expires_at`)
  const take = db.prepare(`
    delete from pending_authorizations as p
    where p.directory_id = ? and exists (select 1 from directories d where d.id = p.directory_id and d.deleted = 0)
    returning sealed, expires_at`)
  return {
    spendAuthorization: (id, expiresAt, now) =>
      write(() => {
        const isFirst = spend.run(id, expiresAt).changes === 1
        removeExpired.run(now, id)
        return isFirst
      }),
    async keepAuthorization(directoryId, text, expiresAt) {
      const sealed = sealing.seal(text, authorizationLocation(directoryId))
      await write(() => ({ kept: keep.run(sealed, expiresAt, directoryId).changes }))
    },
    async takeAuthorization(directoryId, now) {
      const { taken } = await write(() => ({ taken: take.get(directoryId) }))
      return openAuthorization(taken, directoryId, now, sealing)
    },
  }
}
