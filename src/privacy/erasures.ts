import {
  adminPagingOf,
  creationPosition,
  isCreationPosition,
  parseAdminListing,
  readAdminPage,
} from '../admin/paging.ts'
import { throwProblems } from '../directory/errors.ts'
import type { Page } from '../reads/listing.ts'
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

/**
 * The erasures of a tenant and product, or of all, newest first.
 *
 * @throws DirectoryError `invalid-input`
 */
export async function listErasures(store: PrivacyStore, query: unknown): Promise<Page<ListedErasureView>> {
  const { tenant, product, ...paging } = parseAdminListing(ErasuresInput, query)
  const scope = scopeOf(tenant, product)
  const { limit, position } = adminPagingOf(paging, isCreationPosition)
  const before = position === undefined ? undefined : { startedAt: position[0], id: position[1] }
  const { rows, pageToken } = await readAdminPage(
    limit,
    (count) => store.listErasures(scope, before, count),
    ({ startedAt, id }) => creationPosition({ createdAt: startedAt, id }),
  )
  return { rows: rows.map(erasureView), pageToken }
}

/** @throws DirectoryError `invalid-input` when only one is given */
function scopeOf(tenant: string | undefined, product: string | undefined) {
  const missing = [tenant === undefined ? ['tenant'] : [], product === undefined ? ['product'] : []].flat()
  if (missing.length === 1) {
    throwProblems(
      missing.map((field) => ({ field, message: `${field}: pass tenant and product, or neither of them.` })),
    )
  }
  return tenant === undefined || product === undefined ? undefined : { tenant, product }
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
