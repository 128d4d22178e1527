import { bucketOf } from '../client/user-digest.ts'
import type { TimeSlices } from '../concurrency/time-slices.ts'
import type { DirectoryScope } from '../directory/directory.ts'
import type { DirectoryReads, MemberId } from '../directory/directory-store.ts'
import type { ListPosition } from '../directory/list.ts'
import { listStart } from '../directory/list.ts'
import type { SearchPosition, SearchStore } from '../directory/search-store.ts'
import { isOfKey } from '../directory/search-store.ts'
import { searchText } from '../directory/search-terms.ts'
import { sha256 } from './digest.ts'
import { isText, isWhole, pageTokens } from './page.ts'
import { termTokens } from './search.ts'
import type { ResourceKind, RowsOwner } from './shown-fields.ts'
import { ownerIn } from './shown-fields.ts'
import type { Walk, WalkedRow } from './walk.ts'

/** The terms by which resources are found, beside those that have the text as their id or externalId. */
export interface WalkedTerms {
  readonly kind: ResourceKind
  readonly text: string
  /** Whether only the resources are found that have the text itself as a term, and not those with a longer one. */
  readonly isWhole: boolean
}

/**
 * The ids of the resources of a scope that have a text as their id or externalId, then of those that have a term, or one that begins
 * with the text, in the order of terms.
 */
export function walkTerms(
  store: SearchStore,
  scope: DirectoryScope,
  { kind, text, isWhole: isWholeTerm }: WalkedTerms,
): Walk<string, SearchPosition> {
  const wanted = searchText(text)
  const isFound = (position: SearchPosition) => !isWholeTerm || position.term === wanted || isOfKey(position)
  return {
    tokens: termTokens,
    hasOffsets: false,
    async read(from, limit) {
      if (text === '') return { rows: [], next: undefined }
      const after = typeof from === 'number' ? undefined : from
      const { hits, next } = await store.search(scope, text, { types: [kind], after, limit })
      const found = hits.filter(({ position }) => isFound(position))
      const rows = found.map(({ id, directoryId, tenant, position }) => {
        return { owner: ownerIn(scope, directoryId, tenant), item: id, position }
      })
      return { rows, next: next !== undefined && isFound(next) ? next : undefined }
    },
  }
}

/** The tokens of lists in the order of the events that created their rows. */
const memberTokens = pageTokens<Pick<ListPosition, 'sequence' | 'id'>>({ sequence: isWhole, id: isText })

/** The members of a group, in the order in which they became members. */
export function walkMembers(
  store: Pick<DirectoryReads, 'listMemberIds'>,
  owner: RowsOwner,
  groupId: string,
): Walk<MemberId, ListPosition> {
  return {
    tokens: memberTokens,
    hasOffsets: true,
    async read(from, limit) {
      const found = await store.listMemberIds(owner.directoryId, groupId, { from, limit })
      const next = found.length < limit ? undefined : found.at(-1)?.position
      return { rows: found.map((row) => ({ owner, ...row })), next }
    },
  }
}

/** One of the buckets that the users of a directory are divided into. */
export interface UserBucket {
  readonly bucket: number
  readonly buckets: number
}

/** All ids of the directory are read for a bucket: no index burdens the writes. A part ends after this number of reads. */
const [idsPerRead, readsPerPart] = [1_000, 10]

/** The users of a directory who are in a bucket, in creation order. */
export function walkBucket(
  { store, slices }: { store: Pick<DirectoryReads, 'listUserIds'>; slices: TimeSlices },
  owner: RowsOwner,
  { bucket, buckets }: UserBucket,
): Walk<string, ListPosition> {
  return {
    tokens: memberTokens,
    hasOffsets: false,
    async read(start, limit) {
      const rows: WalkedRow<string, ListPosition>[] = []
      let from = typeof start === 'number' ? listStart : start
      for (let reads = 0; reads < readsPerPart; reads += 1) {
        await slices.next(owner.directoryId)
        const positions = await store.listUserIds(owner.directoryId, { from, limit: idsPerRead })
        for (const position of positions) {
          if (bucketOf(position.id, buckets, sha256) === bucket) rows.push({ owner, item: position.id, position })
          if (rows.length === limit) return { rows, next: position }
        }
        if (positions.length < idsPerRead) return { rows, next: undefined }
        from = positions.at(-1) ?? from
      }
      return { rows, next: from }
    },
  }
}

/**
 * The rows with the ids that a walk finds; what no longer exists is left out.
 *
 * @param idOf the id of what is shown for a row; undefined for nothing
 */
export function walkOfIds<I, T, P>(
  walk: Walk<I, P>,
  idOf: (item: I) => string | undefined,
  readByIds: (directoryId: string, ids: readonly string[]) => Promise<ReadonlyMap<string, T>>,
): Walk<T, P> {
  return {
    tokens: walk.tokens,
    hasOffsets: false,
    async read(from, limit) {
      const { rows, next } = await walk.read(from, limit)
      const read = new Map<string, ReadonlyMap<string, T>>()
      for (const [directoryId, some] of Map.groupBy(rows, ({ owner }) => owner.directoryId)) {
        const ids = some.map(({ item }) => idOf(item)).filter((id) => id !== undefined)
        read.set(directoryId, await readByIds(directoryId, ids))
      }
      const itemOf = ({ owner, item }: WalkedRow<I, P>) => read.get(owner.directoryId)?.get(idOf(item) ?? '')
      const found = rows.flatMap((row) => {
        const item = itemOf(row)
        return item === undefined ? [] : [{ ...row, item }]
      })
      return { rows: found, next }
    },
  }
}
