import type { PersonalDialect, PlaceKey } from '../personal-rows.ts'

const keyed = (...columns: string[]): PlaceKey => ({ columns, ofDirectory: 'directory_id = $1' })

const requests: PlaceKey = { ...keyed('position'), position: '(position + 0)' }

/** How SQLite finds the rows of a directory that may hold personal data. */
export const personalDialect: PersonalDialect = {
  users: keyed('sequence'),
  groups: keyed('sequence'),
  events: keyed('sequence'),
  dead_events: keyed('target', 'sequence'),
  delivery_streams: keyed('target'),
  deliveries: { ...keyed('id'), indexedBy: 'deliveries_by_directory' },
  delivery_attempts: keyed('last_sequence', 'target', 'attempt', 'at'),
  request_bodies: requests,
  request_batches: requests,
  sync_runs: keyed('id'),
  operator_notices: keyed('type'),
  deprovisionings: keyed('sequence'),
  removed_users: keyed('row_position'),
  deleted_users: keyed('user_id'),
  setup_links: { ...keyed('created_at', 'id'), indexedBy: 'setup_links_of_directory' },
  directory_mappings: keyed('version'),
}
