import type { Volume, VolumePeriods, VolumeStore, Volumes } from '../diagnostics/overview/volume-store.ts'
import { volumeUnits } from '../diagnostics/overview/volume-store.ts'
import type { DirectoryScope } from '../directory/directory.ts'
import { headOf, newRunsThrough, runStatements } from './feed-order.ts'
import type { Row } from './row.ts'
import { integer, optionalText, text } from './row.ts'
import type { SqlDatabase, Statement } from './sql-database.ts'

const add = `
  on conflict (directory_id, minute) do update set events = event_volumes.events + excluded.events,
    failed_deliveries = event_volumes.failed_deliveries + excluded.failed_deliveries`

/** The statement that counts events or failed deliveries of a directory `$1` in the minute `$2`. */
const addVolume = `
  insert into event_volumes (directory_id, minute, events, failed_deliveries) values ($1, $2, $3, $4) ${add}`

export function minuteOf(at: number): number {
  return Math.floor(at / volumeUnits.minute)
}

/** Counts an event. */
export function addEvent(directoryId: string, at: number): Statement {
  return { text: addVolume, values: [directoryId, minuteOf(at), 1, 0] }
}

/** Counts a failed attempt to send events. */
export function addFailure(directoryId: string, at: number): Statement {
  return { text: addVolume, values: [directoryId, minuteOf(at), 0, 1] }
}

/**
 * Notes that a directory has something new for readers, although no event was committed: see `feed-order.ts`.
 *
 * @param now the time in Unix milliseconds, as SQL
 */
export function markChanged(directoryId: string, now: string): Statement {
  const text = `
    insert into event_volumes (directory_id, minute, events, failed_deliveries)
    values ($1, ${now} / ${volumeUnits.minute}, 0, 0) ${add}`
  return { text, values: [directoryId] }
}

const next = `
  select directory_id, minute, (select d.product from directories d where d.id = directory_id) as product
  from event_volumes order by directory_id, minute limit $1`

/** The rows that a commit is just adding to are left for the next time: nothing waits for that commit. */
const take = `
  select directory_id, minute, events, failed_deliveries,
    (select tenant from directories d where d.id = directory_id) as tenant,
    (select product from directories d where d.id = directory_id) as product
  from event_volumes where (directory_id, minute) <= ($1, $2) order by directory_id, minute limit $3
  for update skip locked`

const remove = 'delete from event_volumes where directory_id = $1 and minute = $2'

const addTotal = `
  insert into volume_totals (product, tenant, unit, start, events, failed_deliveries) values ($1, $2, $3, $4, $5, $6)
  on conflict (product, tenant, unit, start) do update set events = volume_totals.events + excluded.events,
    failed_deliveries = volume_totals.failed_deliveries + excluded.failed_deliveries`

const noteEvent = 'update directory_health set event_minute = $2 where directory_id = $1 and event_minute < $2'

const prune = `
  delete from volume_totals where (product, tenant, unit, start) in (
    select product, tenant, unit, start from volume_totals where unit = $1 and start < $2 and events >= 0 order by unit, start limit $3)
  returning start`

/** How many events and failed deliveries there are. */
export function createVolumeStore({ query, atomically, transaction }: SqlDatabase): VolumeStore {
  return {
    async volumes(scope, periods) {
      const rows = await query(volumesStatement(scope, periods))
      return periods.map((one) => volumesOf(rows, one))
    },
    async volumesSince() {
      const [row = {}] = await query({ text: 'select at from volume_start', values: [] })
      return integer(row, 'at')
    },
    async moveVolumes(limit) {
      const found = await query({ text: next, values: [limit] })
      const last = found.at(-1)
      if (last === undefined) return 0
      const directoryId = text(last, 'directory_id')
      const products = new Set(found.flatMap((row) => optionalText(row, 'product') ?? []))
      const reads = [
        { text: take, values: [directoryId, integer(last, 'minute'), limit] },
        ...[...products].toSorted().map(headOf),
        newRunsThrough(directoryId),
      ]
      const taken = await transaction(reads, ([rows = [], ...others]) => {
        const [runs = [], heads] = [others.at(-1), others.slice(0, -1).flat()]
        // A row of another product has come in between; its events can get no run yet.
        const moved = rows.filter((row) => products.has(optionalText(row, 'product') ?? '') || row['product'] === null)
        return { statements: [...moved.map(removal), ...runStatements(heads, runs), ...totalsOf(moved)], answer: moved }
      })
      // Not in the transaction: it would wait for changes of directories, while their commits wait for it.
      const notes = eventNotes(taken)
      if (notes.length > 0) await atomically(notes)
      return taken.length
    },
    pruneVolumes: async (unit, before, limit) => {
      const [removed = []] = await atomically([{ text: prune, values: [unit, before, limit] }])
      return removed.length
    },
  }
}

/** Notes when a directory last had something new, in minutes since 1970. */
export function noteChange(directoryId: string, minute: number): Statement {
  return { text: noteEvent, values: [directoryId, minute] }
}

function removal(row: Row): Statement {
  return { text: remove, values: [text(row, 'directory_id'), integer(row, 'minute')] }
}

/** The statements that add volumes of directories to the totals of their scopes, in an order that all processes share. */
function totalsOf(rows: readonly Row[]): Statement[] {
  const totals = new Map<string, { key: readonly [string, string, number, number]; events: number; failed: number }>()
  for (const row of rows) {
    const [tenant, product] = [optionalText(row, 'tenant'), optionalText(row, 'product')]
    const isEmpty = integer(row, 'events') === 0 && integer(row, 'failed_deliveries') === 0
    if (tenant === undefined || product === undefined || isEmpty) continue
    const at = integer(row, 'minute') * volumeUnits.minute
    for (const [ofProduct, ofTenant] of [
      ['', ''],
      [product, ''],
      [product, tenant],
    ] as const) {
      for (const unit of Object.values(volumeUnits)) {
        const key = [ofProduct, ofTenant, unit, Math.floor(at / unit) * unit] as const
        const total = totals.get(key.join(':')) ?? { key, events: 0, failed: 0 }
        total.events += integer(row, 'events')
        total.failed += integer(row, 'failed_deliveries')
        totals.set(key.join(':'), total)
      }
    }
  }
  const inOrder = [...totals].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return inOrder.map(([, { key, events, failed }]) => ({ text: addTotal, values: [...key, events, failed] }))
}

/** The statements that note when each directory last had something new. */
function eventNotes(rows: readonly Row[]): Statement[] {
  const last = new Map<string, number>()
  for (const row of rows) {
    const [id, minute] = [text(row, 'directory_id'), integer(row, 'minute')]
    // A row without events notes that something else is new.
    const isNews = integer(row, 'events') > 0 || integer(row, 'failed_deliveries') === 0
    if (isNews) last.set(id, Math.max(minute, last.get(id) ?? 0))
  }
  const inOrder = [...last].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return inOrder.map(([id, minute]) => noteChange(id, minute))
}

type VolumeScope = Pick<DirectoryScope, 'tenant' | 'product'>

/** Totals, and what is not in them yet, in one statement: between two, counts could move. */
function volumesStatement({ tenant, product }: VolumeScope, periods: readonly VolumePeriods[]): Statement {
  const values: unknown[] = []
  const parameter = (value: unknown) => `$${values.push(value)}`
  // A join could begin with the directories, which are many more than those with new events.
  const isOf = (column: string, value: string | undefined) =>
    value === undefined
      ? ''
      : ` and (select h.${column} from directory_health h where h.directory_id = v.directory_id) = ${parameter(value)}`
  const ofScope = isOf('tenant', tenant) + isOf('product', product)
  const where =
    tenant !== undefined && product === undefined
      ? `tenant = ${parameter(tenant)} and tenant <> '' and product <> ''`
      : `product = ${parameter(product ?? '')} and tenant = ${parameter(tenant ?? '')}`
  const totals = periods.map(
    ({ unit, from }) => `
      select unit, start, events, failed_deliveries from volume_totals
      where ${where} and unit = ${parameter(unit)} and start >= ${parameter(from)}
      union all`,
  )
  return {
    text: `${totals.join('')}
      select 0 as unit, v.minute * ${volumeUnits.minute} as start, v.events, v.failed_deliveries
      from event_volumes v where v.minute > 0${ofScope}`,
    values,
  }
}

/** Rows of unit 0 are not in the totals yet, and belong to every unit. */
function volumesOf(rows: readonly Row[], { unit, from }: VolumePeriods): Volumes {
  const volumes = new Map<number, { events: number; failedDeliveries: number }>()
  for (const row of rows) {
    const rowUnit = integer(row, 'unit')
    const start = Math.floor(integer(row, 'start') / unit) * unit
    if ((rowUnit !== unit && rowUnit !== 0) || start < from) continue
    const volume = volumes.get(start) ?? { events: 0, failedDeliveries: 0 }
    volume.events += integer(row, 'events')
    volume.failedDeliveries += integer(row, 'failed_deliveries')
    volumes.set(start, volume)
  }
  const isEmpty = ({ events, failedDeliveries }: Omit<Volume, 'start'>) => events === 0 && failedDeliveries === 0
  const found = [...volumes]
    .filter(([, volume]) => !isEmpty(volume))
    .map(([start, volume]): Volume => ({ start, ...volume }))
  return { unit, from, volumes: found.toSorted((a, b) => a.start - b.start) }
}
