import type { KeyedQueue } from '../../concurrency/keyed-queue.ts'
import type { StoredEvent } from '../../directory/event.ts'
import type { PrivacyStore } from '../../privacy/privacy-store.ts'
import { erasedEvent, erasedResource, isErasedEvent } from '../erased-event.ts'
import { numberEvents } from '../events.ts'
import type { PersonalDialect, PlaceKey } from '../personal-rows.ts'
import type { Conclusion } from '../sql-database.ts'
import { resourceOfEvent } from '../trace.ts'
import type { Database } from './database.ts'
import { decodeLocked } from './directories.ts'
import { recordEvents } from './events.ts'
import type { Reader } from './reader.ts'
import { createQueued, lockPresent } from './resync.ts'
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

const newest = `
  select event_type from events e where ${resourceOfEvent('e')} = $2 and e.directory_id = $1
  order by (e.sequence + 0) desc limit 1`

/** The end of a person's events on PostgreSQL, where vacuuming overwrites what is left. */
export function postgresPrivacy(
  database: Database,
  { row }: Reader,
  { enqueue }: KeyedQueue,
): Pick<PrivacyStore, 'isBeingSent' | 'appendErased' | 'overwriteErased'> {
  const queued = createQueued(enqueue)
  return {
    isBeingSent: async (directoryId) => (await row({ text: leased, values: [directoryId] })) !== undefined,
    appendErased: ({ directoryId, userId }, cause) =>
      queued(directoryId, () =>
        database.transaction(
          [
            { text: lockPresent, values: [directoryId] },
            { text: newest, values: [directoryId, erasedResource(userId)] },
          ],
          ([locked, found]): Conclusion<StoredEvent | undefined> => {
            const state = decodeLocked(locked)
            if (state === undefined || isErasedEvent(found?.[0])) return { statements: [], answer: undefined }
            const events = numberEvents([erasedEvent(userId)], state.lastSequence, cause)
            return { statements: recordEvents(directoryId, events, state.lastSequence), answer: events[0] }
          },
        ),
      ),
    overwriteErased: async () => {},
  }
}
