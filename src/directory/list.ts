/** A position in a list in creation order; the rows after it come next. Lists start at `listStart`. */
export interface ListPosition {
  /** The sequence of the event that created the row. */
  readonly sequence: number
  readonly id: string
  /** The folded name, in lists in the order of names. */
  readonly name?: string
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

/** The part of a list in the order of folded names to read. */
export interface NamePart {
  /** After a position of such a list, or from an offset (0-based). */
  readonly from: Required<ListPosition> | number
  readonly limit: number
  /** Reverses the names; rows of the same name stay in creation order. */
  readonly isDescending: boolean
}

/** A row with its position in a list in the order of names. */
export interface NameListRow<T> extends ListRow<T> {
  readonly position: Required<ListPosition>
}

/** A part of a list, and how long the whole list is. */
export interface ListPage<T> {
  readonly rows: readonly ListRow<T>[]
  readonly total: number
}
