import type { Directory, DirectoryScope } from '../directory/directory.ts'
import { DirectoryError } from '../directory/errors.ts'
import { defaultPageLimit } from '../directory/inputs.ts'
import type { Page } from '../reads/page.ts'
import { isText, isWhole, pageOf, pageTokens } from '../reads/page.ts'
import { parseQuery, scopeOf } from '../reads/paging.ts'
import { ErasuresInput } from './inputs.ts'
import type { ErasedPlaces, FinishedErasure, PrivacyStore } from './privacy-store.ts'

/** An erasure in the list of erasures. */
export interface ListedErasureView {
  readonly erasure_id: string
  readonly at: string
  readonly started_at: string
  readonly tenant: string
  readonly product: string
  readonly by: { readonly kind: string; readonly id: string | null; readonly name: string | null }
  readonly reason: string | null
  readonly places: ErasedPlaces
  readonly receipt: string
}

export interface ErasuresParts {
  readonly store: Pick<PrivacyStore, 'listErasures'>
  readonly directories: { get(id: string): Promise<Directory> }
}

const erasureTokens = pageTokens<Pick<FinishedErasure, 'startedAt' | 'id'>>({ startedAt: isWhole, id: isText })

/**
 * The erasures of a tenant and product, newest first, or all. A directory stands for its tenant and product.
 *
 * @throws DirectoryError `invalid-input`, `directory-not-found`
 */
export async function listErasures(
  { store, directories }: ErasuresParts,
  query: unknown,
): Promise<Page<ListedErasureView>> {
  const { pageLimit: limit = defaultPageLimit, pageToken: token, ...named } = parseQuery(ErasuresInput, query)
  const isScoped = Object.values(named).some((given) => given !== undefined)
  const scope = isScoped ? await scopeOfErasures(directories, scopeOf(named)) : undefined
  const found = await store.listErasures(scope, erasureTokens.read(token), limit + 1)
  const { rows, pageToken } = pageOf(found, limit, erasureTokens.write)
  return { rows: rows.map(erasureView), pageToken }
}

async function scopeOfErasures(
  directories: ErasuresParts['directories'],
  { directoryId, tenant = '', product = '' }: DirectoryScope,
): Promise<Pick<Directory, 'tenant' | 'product'>> {
  if (directoryId === undefined) return { tenant, product }
  const directory = await directories.get(directoryId)
  const isOther = (given: string, own: string) => given !== '' && given !== own
  if (!isOther(tenant, directory.tenant) && !isOther(product, directory.product)) return directory
  throw new DirectoryError('directory-not-found', 'There is no such directory.')
}

function erasureView(erasure: FinishedErasure): ListedErasureView {
  return {
    erasure_id: erasure.id,
    at: new Date(erasure.finishedAt).toISOString(),
    started_at: new Date(erasure.startedAt).toISOString(),
    tenant: erasure.tenant,
    product: erasure.product,
    by: { kind: erasure.callerKind, id: erasure.callerId ?? null, name: erasure.callerName ?? null },
    reason: erasure.reason ?? null,
    places: erasure.places,
    receipt: erasure.receipt,
  }
}
