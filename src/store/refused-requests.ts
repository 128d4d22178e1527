import { setImmediate as nextTurn } from 'node:timers/promises'
import type {
  RefusedFound,
  RefusedPosition,
  RefusedRequest,
  RequestFilter,
  RequestLogStore,
} from '../diagnostics/requests/request-log-store.ts'
import { maxRequestsExamined } from '../diagnostics/requests/request-log-store.ts'
import type { DirectoryScope } from '../directory/directory.ts'
import { decodeBatch } from './requests.ts'
import type { Row } from './row.ts'
import { boolean, integer, text } from './row.ts'
import type { SqlDatabase } from './sql-database.ts'

/** The index for each kind of scope, and its condition, which PostgreSQL can meet with no other index. */
const scopes = {
  all: { index: 'refused_requests_by_age', condition: 'x.product is not null and x.last_position > 0' },
  product: { index: 'refused_requests_of_product', condition: 'x.product = $5' },
  tenant: { index: 'refused_requests_of_tenant', condition: 'x.tenant = $5' },
  both: { index: 'refused_requests_of_tenant', condition: `x.tenant = $5 and x.product || '' = $6` },
} as const

type Scope = Pick<DirectoryScope, 'tenant' | 'product'>

/** The statuses to list, and the only directory, if there is one. */
type Wanted = NonNullable<RequestFilter['status']> & Pick<DirectoryScope, 'directoryId'>

const newest: RefusedPosition = { newestAt: Number.MAX_SAFE_INTEGER, directory: '', batch: 0, before: 0 }

/** The number of batches that are read at once; a process may hold those of several lists. */
const batchesPerStep = 10

/** The refused requests of many directories. */
export function createRefusedRequests({
  query,
  dialect: { indexedBy, joinOne },
}: SqlDatabase): Pick<RequestLogStore, 'refusedRequests'> {
  const list = ({ index, condition }: (typeof scopes)[keyof typeof scopes]) => `
    select found.newest_at, found.directory_id, found.position, found.records, d.name, d.tenant, d.product, d.deleted, l.first_position
    from (
      select x.newest_at, x.directory_id, x.position, x.records from request_batches x ${indexedBy(index)}
      where ${condition} and (x.newest_at, x.directory_id, x.position) < ($1, $2, $3)
      order by x.newest_at desc, x.directory_id desc, x.position desc limit $4) found
    ${joinOne('directories', 'd', 'd.id = found.directory_id')}
    ${joinOne('request_logs', 'l', 'l.directory_id = found.directory_id')}
    order by found.newest_at desc, found.directory_id desc, found.position desc`
  const lists = {
    all: list(scopes.all),
    product: list(scopes.product),
    tenant: list(scopes.tenant),
    both: list(scopes.both),
  }
  const read = ({ tenant, product }: Scope, position: RefusedPosition, limit: number) => {
    const { newestAt, directory, batch, before } = position
    const ofScope = [tenant, product].filter((value) => value !== undefined)
    const kind =
      ofScope.length === 2 ? 'both' : tenant !== undefined ? 'tenant' : product !== undefined ? 'product' : 'all'
    // The batch of the position is read again while requests of it are left.
    const end = before > batch ? batch + 1 : batch
    return query({ text: lists[kind], values: [newestAt, directory, end, limit, ...ofScope] })
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
  for (let unmatched = 0; unmatched <= maxRequestsExamined; ) {
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
  const id = text(row, 'directory_id')
  const batch = { newestAt: integer(row, 'newest_at'), directory: id, batch: integer(row, 'position') }
  const end: RefusedPosition = { ...batch, before: batch.batch }
  if (boolean(row, 'deleted') || (only !== undefined && id !== only)) return { refused: [], end, examined: 1 }
  const directory = { id, name: text(row, 'name'), tenant: text(row, 'tenant'), product: text(row, 'product') }
  const isContinued = batch.newestAt === after.newestAt && id === after.directory && batch.batch === after.batch
  const first = integer(row, 'first_position')
  const { requests } = decodeBatch(row)
  const refused = requests
    .filter(({ status, position }) => status >= from && status <= to && position >= first)
    .filter(({ position }) => !isContinued || position < after.before)
    .map((request): RefusedRequest => ({ directory, request, place: { ...batch, before: request.position } }))
  return { refused: refused.toReversed(), end, examined: requests.length }
}
