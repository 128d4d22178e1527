import { parseInput, ScopeInput, TokenPagingInput } from '../directory/inputs.ts'
import { Type } from '../inputs/json-schema.ts'
import type { Page } from '../reads/listing.ts'
import { readPageToken, writePageToken } from '../reads/page-token.ts'
import { withNumbers } from '../reads/paging.ts'
import type { DeadEventPosition, DeadEventRow, EventStore } from './event-store.ts'

const defaultLimit = 100

/** The directories whose dead events to list: those of a tenant, of a product, of both, or all. */
export const DeadEventListInput = Type.Object({
  tenant: ScopeInput.properties.tenant,
  product: ScopeInput.properties.product,
  ...TokenPagingInput.properties,
})

/** A dead event in a list over several directories. */
export type DeadEventView = ReturnType<typeof deadEventView>

/**
 * The dead events of many directories, newest first, in pages of 100 unless the query has another limit.
 *
 * @throws DirectoryError `invalid-input`
 */
export async function listDeadEvents(
  store: Pick<EventStore, 'deadEventsIn'>,
  query: unknown,
): Promise<Page<DeadEventView>> {
  const {
    tenant,
    product,
    pageLimit: limit = defaultLimit,
    pageToken,
  } = parseInput(DeadEventListInput, withNumbers(query))
  const after = pageToken === undefined ? undefined : positionIn(pageToken)
  const { rows, last } = await store.deadEventsIn({ tenant, product }, after, limit)
  const token = last && writePageToken([last.diedAt, last.directoryId, last.sequence])
  return { rows: rows.map(deadEventView), pageToken: token }
}

function deadEventView({ directory, event, diedAt, reason, isSkipped = false }: DeadEventRow) {
  const { id: event_id, sequence, eventType, createdAt, requestId: request_id } = event
  return {
    ...{ directory_id: directory.id, name: directory.name, tenant: directory.tenant, product: directory.product },
    ...{ sequence, event_id, event: eventType, request_id, created_at: new Date(createdAt).toISOString() },
    resource: event.resource,
    ...{ died_at: new Date(diedAt).toISOString(), reason, skipped: isSkipped },
  }
}

/** @throws DirectoryError `invalid-input` */
function positionIn(token: string): DeadEventPosition {
  const [diedAt, directoryId, sequence] = readPageToken(token, isStoredPosition)
  return { diedAt, directoryId, sequence }
}

function isStoredPosition(value: unknown): value is readonly [diedAt: number, directoryId: string, sequence: number] {
  if (!Array.isArray(value) || value.length !== 3) return false
  const [diedAt, directoryId, sequence]: unknown[] = value
  const isId = typeof directoryId === 'string' && /^[\w-]{1,100}$/.test(directoryId)
  return Number.isSafeInteger(diedAt) && isId && Number.isSafeInteger(sequence)
}
