import { setImmediate as nextTurn } from 'node:timers/promises'
import type {
  RefusedFound,
  RefusedPosition,
  RefusedRequest,
  RequestFilter,
  RequestLogStore,
} from '../diagnostics/requests/request-log-store.ts'
import type { DirectoryScope } from '../directory/directory.ts'
import { batchesPerStep, maxUnmatched } from './request-reads.ts'
import { decodeBatch, unpackRequests } from './requests.ts'
import type { Row } from './row.ts'
import { integer, optionalText, text } from './row.ts'
import type { SqlDatabase } from './sql-database.ts'

/** The expressions on a batch that the two engines write differently. */
export interface BatchDialect {
  /** The columns of its key, in order, and their values for the directory `$2` and the position `$3`. */
  readonly key: readonly string[]
  readonly keyValues: readonly string[]
  /** Its directory as text, and the position of its first request. */
  readonly directory: string
  readonly first: string
  /** The column of `directories` that identifies its directory. */
  readonly directoryColumn: 'id' | 'number'
}

/** The index for each kind of scope, and its condition. */
const scopes = {
  all: { index: 'refused_requests_by_age', condition: '' },
  product: { index: 'refused_requests_of_product', condition: ' and x.product = $5' },
  tenant: { index: 'refused_requests_of_tenant', condition: ' and x.tenant = $5' },
  both: { index: 'refused_requests_of_tenant', condition: ' and x.tenant = $5 and x.product = $6' },
} as const

type Scope = Pick<DirectoryScope, 'tenant' | 'product'>

/** The statuses to list, and the only directory, if there is one. */
type Wanted = NonNullable<RequestFilter['status']> & Pick<DirectoryScope, 'directoryId'>

const newest: RefusedPosition = { newestAt: Number.MAX_SAFE_INTEGER, directory: '', batch: 0, before: 0 }

/** The refused requests of many directories. */
export function createRefusedRequests(
  { query, dialect: { indexedBy } }: Pick<SqlDatabase, 'query' | 'dialect'>,
  { key, keyValues, directory, first, directoryColumn }: BatchDialect,
): Pick<RequestLogStore, 'refusedRequests'> {
  const orderOf = (table: string) => ['newest_at', ...key].map((column) => `${table}.${column} desc`).join(', ')
  const list = ({ index, condition }: (typeof scopes)[keyof typeof scopes]) => `
    select found.newest_at, found.records, found.directory_key, found.first_of_batch as position, d.id, d.name, d.tenant, d.product,
      l.first_position
    from (
      select x.*, ${directory} as directory_key, ${first} as first_of_batch from request_batches x ${indexedBy(index)}
      where x.product is not null${condition} and (x.newest_at, ${key}) < ($1, ${keyValues})
      order by ${orderOf('x')} limit $4) found
    left join directories d on d.${directoryColumn} = found.directory_key and d.deleted <> 1
    left join request_logs l on l.directory_id = d.id
    order by ${orderOf('found')}`
  const lists = {
    all: list(scopes.all),
    product: list(scopes.product),
    tenant: list(scopes.tenant),
    both: list(scopes.both),
  }
  const read = ({ tenant, product }: Scope, position: RefusedPosition, limit: number) => {
    const { newestAt, directory: of, batch, before } = position
    const ofScope = [tenant, product].filter((value) => value !== undefined)
    const kind =
      ofScope.length === 2 ? 'both' : tenant !== undefined ? 'tenant' : product !== undefined ? 'product' : 'all'
    // The batch of the position is read again while requests of it are left.
    const end = before > batch ? batch + 1 : batch
    return query({ text: lists[kind], values: [newestAt, of, end, limit, ...ofScope] })
  }
  return {
    refusedRequests: (scope, status, { after = newest, limit }) =>
      listRefused((...of) => read(scope, ...of), { directoryId: scope.directoryId, ...status }, after, limit),
  }
}

async function listRefused(
  read: (before: RefusedPosition, limit: number) => Promise<readonly Row[]>,
  wanted: Wanted,
  after: RefusedPosition,
  limit: number,
): Promise<RefusedFound> {
  const found: RefusedRequest[] = []
  let next = after
  for (let unmatched = 0; unmatched <= maxUnmatched; ) {
    const rows = await read(next, Math.min(batchesPerStep, limit - found.length))
    for (const row of rows) {
      const { refused, end, examined } = refusedIn(row, wanted, next)
      found.push(...refused.slice(0, limit - found.length))
      if (found.length === limit) return { requests: found, next: found.at(-1)?.place }
      next = end
      unmatched = refused.length > 0 ? 0 : unmatched + examined
    }
    if (rows.length === 0) return { requests: found, next: undefined }
    await nextTurn()
  }
  return { requests: found, next }
}

/** The refused requests of a batch that precede a position, newest first, and the position after all of them. */
function refusedIn(row: Row, { directoryId: only, from, to }: Wanted, after: RefusedPosition) {
  const batch = {
    newestAt: integer(row, 'newest_at'),
    directory: text(row, 'directory_key'),
    batch: integer(row, 'position'),
  }
  const end: RefusedPosition = { ...batch, before: batch.batch }
  const directoryId = optionalText(row, 'id')
  const isDeleted = directoryId === undefined || row['first_position'] === null
  if (isDeleted || (only !== undefined && directoryId !== only)) return { refused: [], end, examined: 1 }
  const directory = {
    id: directoryId,
    name: text(row, 'name'),
    tenant: text(row, 'tenant'),
    product: text(row, 'product'),
  }
  const isContinued =
    batch.newestAt === after.newestAt && batch.directory === after.directory && batch.batch === after.batch
  const requests = unpackRequests(decodeBatch(row))
  const refused = requests
    .filter(
      (request) => request.status >= from && request.status <= to && !(isContinued && request.position >= after.before),
    )
    .map((request): RefusedRequest => ({ directory, request, place: { ...batch, before: request.position } }))
  return { refused: refused.toReversed(), end, examined: requests.length }
}
