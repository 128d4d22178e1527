import type { Equality } from '../scim/filter/narrow.ts'

/** The position of a row in a list, after which the next part begins. Lists start at `listStart`. */
export interface ListPosition {
  /** The sequence of the event that created the row. */
  readonly sequence: number
  readonly id: string
  /** The folded name, in lists in the order of names. */
  readonly name?: string | undefined
  /** Unix milliseconds, in lists in the order of the last changes. */
  readonly updatedAt?: number | undefined
}

export const listStart: ListPosition = { sequence: 0, id: '' }

/** A row with its position in the list. */
export interface ListRow<T> {
  readonly position: ListPosition
  readonly item: T
}

/** The part of a list to read: after a position, or from an offset (0-based); at most `limit` rows. */
export interface ListPart {
  readonly from: ListPosition | number
  readonly limit: number
}

/** The rows of a list of users or groups, and their order. */
export type ListChoice<E = Equality> =
  /** Those that meet all equalities, in creation order. Texts are compared by the rules of their attribute. */
  | { readonly where?: readonly E[] | undefined; readonly order?: undefined }
  /** All, in the order of their folded names, forwards or backwards; those with the same name stay in creation order. */
  | { readonly where?: undefined; readonly order: 'name' | 'name-descending' }
  /** All, in the order of their last changes, after a position. One that changes while the list is read comes again. */
  | { readonly where?: undefined; readonly order: 'updated' }
  /** All, the last changed first, after a position. One that changes while the list is read may be missing. */
  | { readonly where?: undefined; readonly order: 'changed' }

/** A part of a list, and the length of the whole list. */
export interface ListPage<T> {
  readonly rows: readonly ListRow<T>[]
  readonly total: number
}
