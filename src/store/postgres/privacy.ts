import type { PrivacyStore } from '../../privacy/privacy-store.ts'
import type { PersonalDialect, PlaceKey } from '../personal-rows.ts'
import type { Reader } from './reader.ts'
import { now } from './sql.ts'

const keyed = (...columns: string[]): PlaceKey => ({ columns, ofDirectory: 'directory_id = $1' })
/** The key is that of an index with a condition that holds for every row: see `indexed`. */
const ordered = (column: string): PlaceKey => ({
  columns: [column],
  ofDirectory: `directory_id = $1 and ${column} >= 0`,
})
const requests: PlaceKey = { ...keyed('position'), position: '(position + 0)' }

/** How PostgreSQL finds the rows of a directory that may hold personal data. */
export const personalDialect: PersonalDialect = {
  users: ordered('sequence'),
  groups: ordered('sequence'),
  events: keyed('sequence'),
  dead_events: keyed('target', 'sequence'),
  delivery_streams: keyed('target'),
  deliveries: keyed('id'),
  delivery_attempts: keyed('last_sequence', 'target', 'attempt', 'at'),
  request_bodies: requests,
  request_batches: requests,
  sync_runs: keyed('id'),
  operator_notices: keyed('type'),
  deprovisionings: keyed('sequence'),
  removed_users: ordered('row_position'),
  deleted_users: keyed('user_id'),
  setup_links: keyed('created_at', 'id'),
  directory_mappings: keyed('version'),
}

const leased = `
  select 1 as n from delivery_streams where directory_id = $1 and lease_expires_at > ${now} limit 1`

/** What PostgreSQL alone knows of erasures; vacuuming overwrites what is left. */
export function postgresPrivacy({ row }: Reader): Pick<PrivacyStore, 'isBeingSent' | 'overwriteErased'> {
  return {
    isBeingSent: async (directoryId) => (await row({ text: leased, values: [directoryId] })) !== undefined,
    overwriteErased: async () => {},
  }
}
