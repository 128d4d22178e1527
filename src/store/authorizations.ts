import type { GoogleStore } from '../google/google-store.ts'
import { integer, text } from './row.ts'
import type { Sealing } from './sealing.ts'
import { authorizationLocation } from './sealing.ts'
import type { SqlDatabase } from './sql-database.ts'

type AuthorizationStore = Pick<GoogleStore, 'spendAuthorization' | 'keepAuthorization' | 'takeAuthorization'>

/** The number of expired authorization states that are removed with each one that is spent: more than are added. */
const expiredPerCall = 20

const spend = 'insert into spent_authorizations (id, expires_at) values ($1, $2) on conflict do nothing returning id'
const removeExpired = `
  with expired as materialized (
    select id from spent_authorizations where expires_at <= $1 and id <> $2
    order by expires_at limit ${expiredPerCall} for update skip locked)
  delete from spent_authorizations where id in (select id from expired)`

const keep = `
  insert into pending_authorizations (directory_id, sealed, expires_at)
  select d.id, $2, $3 from directories d where d.id = $1 and d.deleted <> 1 for key share
  on conflict (directory_id) do update set sealed = excluded.sealed, expires_at = excluded.expires_at`

const take = `
  delete from pending_authorizations where directory_id = $1
    and exists (select 1 from directories d where d.id = $1 and d.deleted <> 1)
  returning sealed, expires_at`

/** Pending authorizations. */
export function createAuthorizationStore({ atomically }: SqlDatabase, sealing: Sealing): AuthorizationStore {
  return {
    async spendAuthorization(id, expiresAt, now) {
      const [spent = []] = await atomically([
        { text: spend, values: [id, expiresAt] },
        { text: removeExpired, values: [now, id] },
      ])
      return spent.length === 1
    },
    async keepAuthorization(directoryId, secret, expiresAt) {
      const sealed = sealing.seal(secret, authorizationLocation(directoryId))
      await atomically([{ text: keep, values: [directoryId, sealed, expiresAt] }])
    },
    async takeAuthorization(directoryId, now) {
      if (directoryId.includes('\0')) return undefined
      const [[taken] = []] = await atomically([{ text: take, values: [directoryId] }])
      if (taken === undefined || integer(taken, 'expires_at') <= now) return undefined
      return sealing.open(text(taken, 'sealed'), authorizationLocation(directoryId))
    },
  }
}
