import type { DatabaseSync } from 'node:sqlite'
import type { ExtdirStore } from '../../google/store.ts'
import { forgottenPerCall } from '../authorizations.ts'
import { authorizationPlace } from '../sealed-place.ts'
import type { Sealing } from '../sealing.ts'
import type { GroupCommit } from './group-commit.ts'

type AuthorizationStore = Pick<ExtdirStore, 'spendAuthorization' | 'keepAuthorization' | 'takeAuthorization'>

/** Authorizations that are under way, on SQLite. */
export function sqliteAuthorizations(db: DatabaseSync, { write }: GroupCommit, sealing: Sealing): AuthorizationStore {
  const spend = db.prepare('insert into spent_authorizations (id, expires_at) values (?, ?) on conflict do nothing')
  const forget = db.prepare(`
    delete from spent_authorizations where id in (
      select id from spent_authorizations where expires_at <= ? and id <> ?
      order by expires_at limit ${forgottenPerCall})`)
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
        forget.run(now, id)
        return isFirst
      }),
    async keepAuthorization(directoryId, text, expiresAt) {
      const sealed = sealing.seal(text, authorizationPlace(directoryId))
      await write(() => ({ kept: keep.run(sealed, expiresAt, directoryId).changes }))
    },
    async takeAuthorization(directoryId, now) {
      const { taken } = await write(() => ({ taken: take.get(directoryId) }))
      return taken === undefined || Number(taken['expires_at']) <= now
        ? undefined
        : sealing.open(String(taken['sealed']), authorizationPlace(directoryId))
    },
  }
}
