import type { DirectoryScope } from '../../directory/directory.ts'
import { isOfProduct } from '../../directory/directory.ts'
import { parseInput, ScopeInput } from '../../directory/inputs.ts'
import type { Static } from '../../inputs/json-schema.ts'
import { Type } from '../../inputs/json-schema.ts'
import { scopeOf } from '../../reads/paging.ts'
import { isObject } from '../../scim/json.ts'
import type { FeedCursors, FeedPlace } from './cursor.ts'
import { directoryTag, eventTag, feedStart, productFeedStart } from './cursor.ts'

const maxLimit = 1000
const defaultLimit = 100

export const FeedInput = Type.Object({
  ...ScopeInput.properties,
  after: Type.Optional(
    Type.String({
      description:
        'after: the cursor of the previous response, unchanged; with directoryId also the sequence and the id of the last event that you have, as sequence:id, or the sequence alone. Without it, the feed starts with the first event.',
      minLength: 1,
      maxLength: 10_000,
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      description: `limit: the maximum number of events, a whole number from 1 to ${maxLimit}.`,
      minimum: 1,
      maximum: maxLimit,
    }),
  ),
})
export type FeedInput = Static<typeof FeedInput>

export interface FeedRequest {
  readonly scope: DirectoryScope
  readonly place: FeedPlace
  readonly limit: number
}

/** @throws DirectoryError `invalid-input` */
export function parseFeedRequest(query: unknown, cursors: FeedCursors): FeedRequest {
  const { after, limit = defaultLimit, ...named } = parseInput(FeedInput, withParsedTypes(query))
  const scope = scopeOf(named)
  return { scope, place: placeOf(scope, after, cursors), limit }
}

/**
 * The place of a cursor, of a sequence and an id, or of a sequence alone. A cursor starts with a letter, so a number
 * is always a sequence.
 */
function placeOf(scope: DirectoryScope, after: string | undefined, cursors: FeedCursors): FeedPlace {
  if (after === undefined) return isOfProduct(scope) ? productFeedStart : feedStart
  const [, sequence, eventId] = /^(\d{1,15})(?::([\w-]{1,64}))?$/.exec(after) ?? []
  if (scope.directoryId === undefined || sequence === undefined) return cursors.read(scope, after)
  return new Map([[directoryTag(scope.directoryId), { sequence: Number(sequence), eventTag: eventTag(eventId) }]])
}

/** Converts the numbers of a query string; from the library they already are numbers. */
function withParsedTypes(query: unknown): unknown {
  if (!isObject(query)) return query
  const { after, limit } = query
  return {
    ...query,
    after: typeof after === 'number' ? String(after) : after,
    limit: typeof limit === 'string' && /^\d{1,9}$/.test(limit) ? Number(limit) : limit,
  }
}
