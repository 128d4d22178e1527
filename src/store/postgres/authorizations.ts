import type { GoogleStore } from '../../google/store.ts'
import { expiredPerCall, openAuthorization } from '../authorizations.ts'
import type { Sealing } from '../sealing.ts'
import { authorizationLocation } from '../sealing.ts'
import type { Database } from './database.ts'
import type { Reader } from './reader.ts'

type AuthorizationStore = Pick<GoogleStore, 'spendAuthorization' | 'keepAuthorization' | 'takeAuthorization'>

const spend = `
  with expired as (
    delete from spent_authorizations where id = any(array(
      select id from spent_authorizations where expires_at <= $3 and id <> $1
      order by expires_at limit ${expiredPerCall} for update skip locked))
  )
  insert into spent_authorizations (id, expires_at) values ($1, $2) on conflict (id) do nothing returning id`

const keep = `
  insert into pending_authorizations (directory_id, sealed, expires_at)
  select d.id, $2, $3 from directories d where d.id = $1 and d.deleted = 0 for key share
  on conflict (directory_id) do update set sealed = excluded.sealed, expires_at = excluded.expires_at`

const take = `
  delete from pending_authorizations p using directories d
  where p.directory_id = $1 and d.id = p.directory_id and d.deleted = 0
  returning p.sealed, p.expires_at`

/** Pending authorizations on PostgreSQL. */
export function postgresAuthorizations({ query }: Database, { row }: Reader, sealing: Sealing): AuthorizationStore {
  return {
    async spendAuthorization(id, expiresAt, now) {
      const spent = await query({ text: spend, values: [id, expiresAt, now] })
      return spent.length === 1
    },
    async keepAuthorization(directoryId, text, expiresAt) {
      await query({
        text: keep,
        values: [directoryId, sealing.seal(text, authorizationLocation(directoryId)), expiresAt],
      })
    },
    async takeAuthorization(directoryId, now) {
      const taken = await row({ text: take, values: [directoryId] })
      return openAuthorization(taken, directoryId, now, sealing)
    },
  }
}
