import type { Listed, ListPosition } from '../../directory/store.ts'
import type { Equality } from '../../scim/filter/narrow.ts'
import type { ListSource } from './source.ts'

/** A way through rows in one order that the store knows, from a place or an offset on. */
export interface Walk<T> {
  read(from: ListPosition | number, limit: number): Promise<Listed<T>[]>
  /** How many rows there are on the whole way. */
  count(): Promise<number>
}

/** Every row, in creation order. */
export function walkInCreationOrder<T>(source: ListSource<T>): Walk<T> {
  return { read: (from, limit) => source.list({ from, limit }), count: () => source.count() }
}

/** Every row, in the order of names. */
export function walkByName<T>(source: ListSource<T>, isDescending: boolean): Walk<T> {
  return {
    read: (from, limit) => source.listByName({ from: named(from), limit, isDescending }),
    count: () => source.count(),
  }
}

/** The rows that meet every equality, found by index, in creation order. */
export function walkFound<T>(source: ListSource<T>, equalities: readonly Equality[]): Walk<T> {
  return {
    read: (from, limit) => source.find(equalities, { from, limit }),
    count: () => source.countFound(equalities),
  }
}

function named(from: ListPosition | number): Required<ListPosition> | number {
  return typeof from === 'number' ? from : { ...from, name: from.name ?? '' }
}
