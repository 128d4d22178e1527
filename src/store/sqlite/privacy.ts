import type { DatabaseSync } from 'node:sqlite'
import type { PrivacyStore } from '../../privacy/privacy-store.ts'
import { erasedEvent, erasedResource, isErasedEvent } from '../erased-event.ts'
import type { PersonalDialect, PlaceKey } from '../personal-rows.ts'
import { resourceOfEvent } from '../trace.ts'
import type { DirectoryGate } from './directory-gate.ts'
import { createRecordEvents, decodeDirectoryState, directoryStateColumns } from './events.ts'
import type { GroupCommit } from './group-commit.ts'
import { rowKeysAfter, sequenceBits } from './row-key.ts'

const keyed = (...columns: string[]): PlaceKey => ({ columns, ofDirectory: 'directory_id = $1' })

const number = '(select s.number from directory_state s where s.directory_id = $1)'

/** Rows that are keyed by their position. Of two lower bounds, SQLite would use the wrong one. */
const positioned: PlaceKey = {
  columns: ['row_key'],
  ofDirectory: rowKeysAfter('row_key', '0').replaceAll('?1', '$1'),
  following: `row_key < (${number} + 1) << ${sequenceBits}`,
  written: 'directory_id = $1',
}

const requests: PlaceKey = { ...keyed('position'), position: '(position + 0)' }

/** How SQLite finds the rows of a directory that may hold personal data. */
export const personalDialect: PersonalDialect = {
  users: positioned,
  groups: positioned,
  events: positioned,
  dead_events: keyed('target', 'sequence'),
  delivery_streams: keyed('target'),
  deliveries: { ...keyed('id'), indexedBy: 'deliveries_by_directory' },
  delivery_attempts: {
    columns: ['last_sequence', 'target', 'attempt', 'at'],
    ofDirectory: `number = ${number}`,
  },
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

interface Parts {
  readonly commits: GroupCommit
  readonly gate: DirectoryGate
}

/** The end of a person's events on SQLite. */
export function sqlitePrivacy(
  db: DatabaseSync,
  { commits, gate }: Parts,
): Pick<PrivacyStore, 'isBeingSent' | 'appendErased'> {
  const record = createRecordEvents(db)
  const state = db.prepare(
    `select ${directoryStateColumns} from directory_state where directory_id = ? and revision >= 0`,
  )
  const newest = db.prepare(`
    select e.event_type from events e indexed by events_by_resource
    where ${resourceOfEvent('e')} = ?2 and ${rowKeysAfter('e.row_key', '0')} order by e.row_key desc limit 1`)

  return {
    isBeingSent: async () => false,
    appendErased: ({ directoryId, userId }, cause) =>
      gate.whenOpen(directoryId, () =>
        commits.write(() => {
          const row = state.get(directoryId)
          if (row === undefined || isErasedEvent(newest.get(directoryId, erasedResource(userId)))) return undefined
          return record(decodeDirectoryState(directoryId, row), [erasedEvent(userId)], cause)[0]
        }),
      ),
  }
}
