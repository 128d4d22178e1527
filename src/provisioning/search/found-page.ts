import type { CursorPlace } from './cursor.ts'

/** A resource that was found, and where it stands. */
export interface Found extends CursorPlace {
  readonly item: unknown
}

/** The resources of a page. */
export interface FoundPage {
  readonly found: readonly Found[]
  /** How many match, on all pages together. */
  readonly totalResults: number
}

/** Where the page before ended, and how many matched when the first one was read. */
export interface PageBefore {
  readonly place: CursorPlace
  readonly totalResults: number
}
