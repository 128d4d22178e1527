import type { DirectoryScope, NamedScope, ProductScope } from '../directory/directory.ts'
import { isNamed, isOfProduct } from '../directory/directory.ts'
import type {
  ChangedPosition,
  DirectoryPosition,
  DirectoryReads,
  FilledDirectory,
  ListedDirectory,
} from '../directory/directory-store.ts'
import { DirectoryError } from '../directory/errors.ts'
import type { ListPosition, ListRow } from '../directory/list.ts'
import { listStart } from '../directory/list.ts'
import { isText, isWhole, pageTokens } from './page.ts'
import type { ResourceKind, RowsOwner } from './shown-fields.ts'
import { ownerIn } from './shown-fields.ts'
import type { Walk, WalkedRow, WalkSlice } from './walk.ts'

/** Reads one kind of resources of a directory. */
export interface RowSource<T> {
  readonly kind: ResourceKind
  /** Unix milliseconds: only what has changed since then is read, in the order of the last changes; else all, in creation order. */
  readonly since?: number
  /** Where the rows of a directory begin that are in another order. */
  readonly start?: 0
  /** @param within a scope that must contain the directory: otherwise there are no rows */
  list(
    directoryId: string,
    from: ListPosition | number,
    limit: number,
    within?: NamedScope,
  ): Promise<readonly ListRow<T>[]>
  /** The number of rows; without it, a list cannot begin at an offset. */
  count?(directoryId: string): Promise<number>
}

/** The place of a row: that of its directory, and its own there. */
interface RowPlace extends ListPosition {
  /**
   * The creation time of the directory or, where a product's directories are in that order, the minute of its last change; 0 where the
   * scope names the directory.
   */
  readonly place: number
  readonly directoryId: string
}

const rowTokens = pageTokens<RowPlace>({
  ...{ place: isWhole, directoryId: isText, updatedAt: isWhole, name: isText, sequence: isWhole, id: isText },
})

/** The position after all rows of a directory. */
const directoryEnd = { updatedAt: Number.MAX_SAFE_INTEGER, name: '', sequence: Number.MAX_SAFE_INTEGER, id: '' }

/** A part ends after this much work: a directory that is read counts tenfold, as those without rows are found by the hundred. */
const [maxWork, workOfRead] = [1_000, 10]

type DirectoryLists = Pick<DirectoryReads, 'filledDirectories' | 'changedDirectories' | 'listDirectoriesInScope'>

/**
 * The rows of the directories of a scope, one directory after the other in creation order. Only where the changes in a product
 * are read, its directories are in the order of their last changes; what changes meanwhile comes again.
 */
export function walkDirectories<T>(
  store: DirectoryLists,
  scope: DirectoryScope,
  source: RowSource<T>,
): Walk<T, RowPlace> {
  const { list, count } = source
  const start = startOf(source)
  return {
    tokens: rowTokens,
    hasOffsets: count !== undefined && !isOfProduct(scope),
    /** @throws DirectoryError `directory-not-found` when the scope names a directory that it does not contain */
    async read(from, limit) {
      if (isNamed(scope)) return readNamed(store, scope, source, from, limit)
      const rows: WalkedRow<T, RowPlace>[] = []
      let [skip, work] = [typeof from === 'number' ? from : 0, 0]
      let next = typeof from === 'number' ? undefined : from
      const current = next
      for await (const { place, id: directoryId, tenant, isEmpty } of placesOf(store, scope, source, current)) {
        if (work >= maxWork && skip === 0) return { rows, next }
        work += isEmpty ? 1 : workOfRead
        const isCurrent = current?.directoryId === directoryId && current.place === place
        next = { place, directoryId, ...directoryEnd }
        if (isEmpty || (isCurrent && current.updatedAt === directoryEnd.updatedAt)) continue
        const rowsBefore = skip > 0 ? await count?.(directoryId) : undefined
        if (rowsBefore !== undefined && skip >= rowsBefore) {
          skip -= rowsBefore
          continue
        }
        const found = await list(directoryId, skip > 0 ? skip : isCurrent ? current : start, limit - rows.length)
        skip = 0
        const owner = ownerIn(scope, directoryId, tenant)
        rows.push(...found.map((row) => placedRow(row, owner, place)))
        if (rows.length === limit) return { rows, next: rows.at(-1)?.position }
      }
      return { rows, next: undefined }
    },
  }
}

function startOf({ start, since }: RowSource<unknown>): ListPosition | 0 {
  return start ?? (since === undefined ? listStart : { ...directoryEnd, updatedAt: since - 1 })
}

function placedRow<T>({ item, position }: ListRow<T>, owner: RowsOwner, place: number): WalkedRow<T, RowPlace> {
  const { updatedAt = 0, name = '', sequence, id } = position
  return { owner, item, position: { place, directoryId: owner.directoryId, updatedAt, name, sequence, id } }
}

/** A part of the rows of a single directory, which is looked up with them. Without rows, it may be missing. */
async function readNamed<T>(
  store: DirectoryLists,
  scope: NamedScope,
  source: RowSource<T>,
  from: RowPlace | number,
  limit: number,
): Promise<WalkSlice<T, RowPlace>> {
  const { directoryId } = scope
  const isInside = typeof from === 'number' ? from > 0 : from.directoryId === directoryId
  const found = await source.list(directoryId, isInside ? from : startOf(source), limit, scope)
  if (found.length === 0) await namedDirectory(store, scope)
  const owner = { directoryId, tenant: undefined }
  const rows = found.map((row) => placedRow(row, owner, 0))
  return { rows, next: rows.length === limit ? rows.at(-1)?.position : undefined }
}

interface PlacedDirectory extends Pick<ListedDirectory, 'id' | 'tenant'>, Pick<RowPlace, 'place'> {
  /** Whether it is known to have no rows. */
  readonly isEmpty?: boolean
}

/** The directories of a scope in the order of a walk, from one of them on. */
async function* placesOf(
  store: DirectoryLists,
  scope: DirectoryScope,
  { kind, since }: Pick<RowSource<never>, 'kind' | 'since'>,
  from: RowPlace | undefined,
): AsyncGenerator<PlacedDirectory, void, undefined> {
  let after: DirectoryPosition | undefined
  if (from !== undefined) {
    const { place, directoryId: id } = from
    const [current] = await store.listDirectoriesInScope({ ...scope, directoryId: id }, { limit: 1 })
    if (current !== undefined) yield { ...current, place }
    after = current ?? { createdAt: place, id }
  }
  if (!isOfProduct(scope)) yield* created(directoriesOf(store, scope, after))
  else if (since === undefined) yield* filledDirectories(store, scope, kind, after)
  else yield* changedDirectories(store, scope, from ?? { place: Math.floor(since / 60_000), directoryId: '' })
}

async function* created(directories: AsyncIterable<ListedDirectory> | Iterable<ListedDirectory>) {
  for await (const directory of directories) yield { ...directory, place: directory.createdAt }
}

async function* filledDirectories(
  store: DirectoryLists,
  { product }: ProductScope,
  kind: ResourceKind,
  after: DirectoryPosition = { createdAt: 0, id: '' },
) {
  for (let from: DirectoryPosition | undefined = after; from !== undefined; ) {
    const { id } = from
    const part: FilledDirectory[] = await store.filledDirectories(product, kind, from, directoriesPerRead)
    yield* created(part.filter((directory) => directory.id !== id))
    from = part[directoriesPerRead - 1]
  }
}

async function* changedDirectories(
  store: DirectoryLists,
  { product }: ProductScope,
  { place: minute, directoryId: id }: Pick<RowPlace, 'place' | 'directoryId'>,
) {
  for (let after: ChangedPosition | undefined = { minute, id }; after !== undefined; ) {
    const part: (ListedDirectory & ChangedPosition)[] = await store.changedDirectories(
      product,
      after,
      directoriesPerRead,
    )
    for (const directory of part) yield { ...directory, place: directory.minute }
    after = part[directoriesPerRead - 1]
  }
}

const directoriesPerRead = 100

/** The directories of a scope in creation order, after one of them. */
export async function* directoriesOf(
  store: Pick<DirectoryReads, 'listDirectoriesInScope'>,
  scope: DirectoryScope,
  after?: DirectoryPosition,
): AsyncGenerator<ListedDirectory> {
  do {
    const part: ListedDirectory[] = await store.listDirectoriesInScope(scope, { after, limit: directoriesPerRead })
    yield* part
    after = part[directoriesPerRead - 1]
  } while (after !== undefined)
}

/**
 * The directory that a scope names.
 *
 * @throws DirectoryError `directory-not-found` when the scope does not contain it
 */
export async function namedDirectory(
  store: Pick<DirectoryReads, 'listDirectoriesInScope'>,
  scope: DirectoryScope,
): Promise<ListedDirectory> {
  const [directory] = await store.listDirectoriesInScope(scope, { limit: 1 })
  if (directory !== undefined) return directory
  throw new DirectoryError('directory-not-found', 'There is no such directory.')
}
