import type { ErasedPlaces, PersonalPlace, PersonalRow, PrivacyStore, RowChange } from '../privacy/privacy-store.ts'
import { decodeBatch, packRequests, refusedSubjects } from './requests.ts'
import type { Row } from './row.ts'
import { integer, optionalText, text } from './row.ts'
import type { Sealing, SecretLocation } from './sealing.ts'
import { attemptLocation, requestLocation } from './sealing.ts'
import type { Dialect, SqlDatabase, Statement } from './sql-database.ts'

/** The columns of a place that are read, beside its key. */
interface PlaceColumns {
  /** The columns that say what the row is about. */
  readonly about: readonly string[]
  /** The columns that may hold personal data. */
  readonly personal: readonly string[]
  /** A column that changes whenever somebody else changes the row. */
  readonly guard?: string
  /** A column that others also change without the guard. */
  readonly alone?: string
}

/** The columns of each place; all others hold no personal data, as `test/service/privacy/personal-data.ts` declares. */
export const placeColumns: Readonly<Record<PersonalPlace, PlaceColumns>> = {
  users: { about: ['id', 'version', 'account_id'], personal: ['raw', 'mapped'], guard: 'version', alone: 'mapped' },
  groups: { about: ['id', 'version'], personal: ['raw'], guard: 'version' },
  events: { about: ['sequence', 'event_type', 'created_at', 'group_id'], personal: ['data', 'changes'] },
  dead_events: { about: ['sequence', 'target', 'died_at'], personal: ['reason'] },
  delivery_streams: { about: ['target'], personal: ['last_error'], guard: 'last_error' },
  deliveries: {
    about: ['id', 'sequence', 'event_count', 'attempt', 'status', 'created_at'],
    personal: ['payload', 'response_body', 'error'],
  },
  delivery_attempts: {
    about: ['first_sequence', 'last_sequence', 'attempt', 'at', 'status', 'response_id'],
    personal: ['error', 'response_body'],
  },
  request_bodies: { about: ['id'], personal: ['body'] },
  request_batches: { about: ['last_position'], personal: ['records'] },
  sync_runs: { about: ['id', 'started_at'], personal: ['error'], guard: 'error' },
  operator_notices: { about: ['type', 'created_at'], personal: ['payload'], guard: 'payload' },
  deprovisionings: { about: ['sequence', 'user_id', 'received_at'], personal: ['subject'] },
  removed_users: { about: ['user_id', 'removed_at'], personal: ['user_name_folded', 'email'] },
  deleted_users: {
    about: ['user_id', 'deleted_at'],
    personal: ['user_name_digest', 'external_id_digest', 'account_id'],
  },
  adoption_accounts: { about: ['user_id'], personal: ['account_id', 'external_id', 'user_name', 'email'] },
  setup_links: { about: ['id', 'created_at'], personal: ['name'], guard: 'name' },
  directory_mappings: { about: ['version', 'created_at'], personal: ['created_by'] },
}

/** How the rows of a directory are found. */
interface PlaceKey {
  readonly columns: readonly string[]
  /** The condition on the rows of the directory `$1`. */
  readonly ofDirectory: string
  /** The expression of the position of a request, for the places that have one. */
  readonly position?: string
  readonly indexedBy?: string
}

const keyed = (...columns: string[]): PlaceKey => ({ columns, ofDirectory: 'directory_id = $1' })

/** The key is that of an index of PostgreSQL with a condition that holds for every row: see `Dialect.indexed`. */
const ordered = (column: string): PlaceKey => ({
  columns: [column],
  ofDirectory: `directory_id = $1 and ${column} >= 0`,
})

const requests: PlaceKey = { ...keyed('position'), position: '(position + 0)' }

const keys: Readonly<Record<PersonalPlace, PlaceKey>> = {
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
  adoption_accounts: keyed('list', 'account_id'),
  setup_links: { ...keyed('created_at', 'id'), indexedBy: 'setup_links_of_directory' },
  directory_mappings: keyed('version'),
}

const sealedColumns: Partial<
  Record<PersonalPlace, { column: string; idColumn: string; at: (id: string) => SecretLocation }>
> = {
  request_bodies: { column: 'body', idColumn: 'id', at: requestLocation },
  delivery_attempts: { column: 'response_body', idColumn: 'response_id', at: attemptLocation },
}

/** Reads and changes the rows that may hold personal data. */
export function createPersonalRows(
  database: SqlDatabase,
  sealing: Sealing,
): Pick<PrivacyStore, 'personalRows' | 'changePersonalRows'> {
  const selects = new Map<string, string>()
  const select = (place: PersonalPlace, isFirst: boolean): string => {
    const name = `${place} ${isFirst}`
    const known = selects.get(name) ?? selectPage(database.dialect, place, isFirst)
    selects.set(name, known)
    return known
  }
  return {
    async personalRows(place, directoryId, after, limit) {
      const values = [directoryId, ...(after ?? []), limit]
      const rows = await database.query({ text: select(place, after === undefined), values })
      return rows.map((row) => decodeRow(place, keys[place], sealing, row))
    },
    async changePersonalRows(place, directoryId, changes, { id, places }) {
      const key = keys[place]
      const written = changes.map((change) => writeRow(place, key, directoryId, change))
      const subjects = changes.flatMap((change) => deletedSubjects(directoryId, change))
      const statements = [...written, ...subjects, storePlaces(id, places)]
      const results = await database.atomically(statements)
      return results.slice(0, written.length).every(({ length }) => length === 1)
    },
  }
}

function selectPage(dialect: Dialect, place: PersonalPlace, isFirst: boolean): string {
  const { about, personal } = placeColumns[place]
  const { columns, ofDirectory, position, indexedBy } = keys[place]
  const named = columns.map((column, index) => `${column} as key_${index}`)
  const read = [...named, ...(position === undefined ? [] : [`${position} as request_position`]), ...about, ...personal]
  const after = columns.map((_, index) => `$${index + 2}`).join(', ')
  const next = isFirst ? '' : `and (${columns.join(', ')}) > (${after})`
  return `
    select ${read.join(', ')} from ${place} ${indexedBy === undefined ? '' : dialect.indexedBy(indexedBy)}
    where ${ofDirectory} ${next} order by ${columns.join(', ')} limit $${isFirst ? 2 : columns.length + 2}`
}

function decodeRow(place: PersonalPlace, { columns, position }: PlaceKey, sealing: Sealing, row: Row): PersonalRow {
  const key = columns.map((_, index) => row[`key_${index}`])
  const { about, personal } = placeColumns[place]
  const names = [...about, ...personal.filter((name) => name !== 'records')]
  const values = Object.fromEntries(names.map((name) => [name, storedValue(row[name])]))
  if (position !== undefined) values['position'] = integer(row, 'request_position')
  const sealed = sealedColumns[place]
  if (sealed !== undefined) {
    const stored = optionalText(row, sealed.column)
    values[sealed.column] = stored === undefined ? null : sealing.open(stored, sealed.at(text(row, sealed.idColumn)))
  }
  const requests = place === 'request_batches' ? decodeBatch({ ...row, position: values['position'] }).requests : []
  return { key, values, requests }
}

function storedValue(value: unknown): string | number | null {
  return typeof value === 'string' || typeof value === 'number' ? value : null
}

/** Writes a row unless somebody else has changed it, and selects a row if it was written. */
function writeRow(place: PersonalPlace, key: PlaceKey, directoryId: string, change: RowChange): Statement {
  const { row } = change
  const condition = [key.ofDirectory, ...key.columns.map((column, index) => `${column} = $${index + 2}`)]
  const values: unknown[] = [directoryId, ...row.key]
  const next = (value: unknown) => `$${values.push(value)}`
  if ('isRemoved' in change)
    return { text: `delete from ${place} where ${condition.join(' and ')} returning 1 as n`, values }
  const set =
    'values' in change
      ? Object.entries(change.values).map(([column, value]) => `${column} = ${next(value)}`)
      : [`records = ${next(packRequests(change.requests))}`]
  const { guard, alone } = placeColumns[place]
  if (guard !== undefined) condition.push(`${guard} = ${next(row.values[guard])}`)
  if (alone !== undefined) condition.push(`${alone} is not distinct from ${next(row.values[alone])}`)
  if (guard === 'version') set.push('version = version + 1')
  return { text: `update ${place} set ${set.join(', ')} where ${condition.join(' and ')} returning 1 as n`, values }
}

/** The subjects that the refused requests of a batch no longer have. */
function deletedSubjects(directoryId: string, change: RowChange): Statement[] {
  if (!('requests' in change)) return []
  const { requests, values } = change.row
  const kept = refusedSubjects(change.requests)
  const text =
    'delete from refused_subjects where directory_id = $1 and subject = $2 and position >= $3 and position <= $4'
  return [...refusedSubjects(requests).keys()]
    .filter((subject) => !kept.has(subject))
    .map((subject) => ({ text, values: [directoryId, subject, values['position'], values['last_position']] }))
}

function storePlaces(id: string, places: ErasedPlaces): Statement {
  return { text: 'update erasures set places = $2 where id = $1', values: [id, JSON.stringify(places)] }
}
