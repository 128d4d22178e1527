import type { PrivacyStore } from '../../privacy/privacy-store.ts'
import type { Reader } from './reader.ts'
import { now } from './sql.ts'

const leased = `
  select 1 as n from delivery_streams where directory_id = $1 and lease_expires_at > ${now} limit 1`

/** What PostgreSQL alone knows of erasures; vacuuming overwrites what is left. */
export function postgresPrivacy({ row }: Reader): Pick<PrivacyStore, 'isBeingSent' | 'overwriteErased'> {
  return {
    isBeingSent: async (directoryId) => (await row({ text: leased, values: [directoryId] })) !== undefined,
    overwriteErased: async () => {},
  }
}
