import type { Directory, DirectoryScope } from '../directory/directory.ts'
import type { DirectoryListPart } from '../directory/directory-store.ts'
import { DirectoryError } from '../directory/errors.ts'
import { parseInput, ScopeInput, TokenPagingInput } from '../directory/inputs.ts'
import { Type } from '../inputs/json-schema.ts'
import type { Page } from '../reads/listing.ts'
import { readPageToken, writePageToken } from '../reads/page-token.ts'
import { withNumbers } from '../reads/paging.ts'
import type { DeadEventPosition, DeadEventRow, EventStore } from './event-store.ts'

const defaultLimit = 100

/** The directories whose dead events to list: one, those of a tenant, of a product, of both, or all. */
export const DeadEventListInput = Type.Object({ ...ScopeInput.properties, ...TokenPagingInput.properties })

export interface DeadEventListParts {
  readonly store: Pick<EventStore, 'deadEventsIn'>
  readonly directories: { page(scope: DirectoryScope, part: DirectoryListPart): Promise<Directory[]> }
}

/** A dead event in a list over several directories. */
export type DeadEventView = ReturnType<typeof deadEventView>

/**
 * The dead events of many directories, newest first, in pages of 100 unless the query has another limit.
 *
 * @throws DirectoryError `invalid-input`, `directory-not-found` for a directory outside of the tenant or product
 */
export async function listDeadEvents(
  { store, directories }: DeadEventListParts,
  query: unknown,
): Promise<Page<DeadEventView>> {
  const { pageLimit: limit = defaultLimit, pageToken, ...scope } = parseInput(DeadEventListInput, withNumbers(query))
  const after = pageToken === undefined ? undefined : positionIn(pageToken)
  if (scope.directoryId !== undefined && (await directories.page(scope, { limit: 1 })).length === 0) {
    throw new DirectoryError('directory-not-found', 'There is no such directory.')
  }
  const { rows, last } = await store.deadEventsIn(scope, after, limit)
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
