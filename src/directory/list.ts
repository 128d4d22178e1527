/** A position in a list in creation order, whose next page begins after it. Lists start at `listStart`. */
export interface ListPosition {
  /** The sequence of the event that created the row. */
  readonly sequence: number
  readonly id: string
  /** The folded name, in lists that are ordered by name. */
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

/** The part to read of a list that is ordered by folded name. */
export interface NamePart {
  /** A position to continue after, or an offset (0-based). */
  readonly from: Required<ListPosition> | number
  readonly limit: number
  /** Reverses the names; rows with the same name stay in creation order. */
  readonly isDescending: boolean
}

/** A row with its position in a list that is ordered by name. */
export interface NameListRow<T> extends ListRow<T> {
  readonly position: Required<ListPosition>
}

/** A part of a list, and the length of the whole list. */
export interface ListPage<T> {
  readonly rows: readonly ListRow<T>[]
  readonly total: number
}
