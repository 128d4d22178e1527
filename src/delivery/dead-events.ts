import type { Directory, DirectoryScope } from '../directory/directory.ts'
import type { DirectoryListPart } from '../directory/directory-store.ts'
import { DirectoryError } from '../directory/errors.ts'
import { defaultPageLimit, ScopeInput, TokenPagingInput } from '../directory/inputs.ts'
import { Type } from '../inputs/json-schema.ts'
import type { Page } from '../reads/page.ts'
import { isText, isWhole, pageTokens } from '../reads/page.ts'
import { parseQuery } from '../reads/paging.ts'
import type { DeadEventPosition, DeadEventRow, EventStore } from './event-store.ts'

/** The directories whose dead events to list: one, those of a tenant, of a product, of both, or all. */
export const DeadEventListInput = Type.Object({ ...ScopeInput.properties, ...TokenPagingInput.properties })

export interface DeadEventListParts {
  readonly store: Pick<EventStore, 'deadEventsIn'>
  readonly directories: { page(scope: DirectoryScope, part: DirectoryListPart): Promise<Directory[]> }
}

/** A dead event in a list over several directories. */
export type DeadEventView = ReturnType<typeof deadEventView>

const deadEventTokens = pageTokens<DeadEventPosition>({ diedAt: isWhole, directoryId: isText, sequence: isWhole })

/**
 * The dead events of many directories, newest first, in pages of 100 unless the query has another limit.
 *
 * @throws DirectoryError `invalid-input`, `directory-not-found` for a directory outside of the tenant or product
 */
export async function listDeadEvents(
  { store, directories }: DeadEventListParts,
  query: unknown,
): Promise<Page<DeadEventView>> {
  const { pageLimit: limit = defaultPageLimit, pageToken, ...scope } = parseQuery(DeadEventListInput, query)
  const after = deadEventTokens.read(pageToken)
  if (scope.directoryId !== undefined && (await directories.page(scope, { limit: 1 })).length === 0) {
    throw new DirectoryError('directory-not-found', 'There is no such directory.')
  }
  const { rows, last } = await store.deadEventsIn(scope, after, limit)
  return { rows: rows.map(deadEventView), pageToken: last && deadEventTokens.write(last) }
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
