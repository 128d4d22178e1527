import type { DirectoryScope } from './directory.ts'

export const searchedTypes = ['user', 'group', 'directory'] as const

export type SearchedType = (typeof searchedTypes)[number]

/** A user, group or directory that was found. The fields that only users have are undefined for the others. */
export interface SearchHit {
  readonly type: SearchedType
  readonly id: string
  /** The name that lists show. */
  readonly name: string
  readonly email: string | undefined
  readonly userName: string | undefined
  readonly active: boolean | undefined
  readonly directoryId: string
  readonly directoryName: string
  readonly tenant: string
  readonly product: string
  /** The place of the term by which it was found. */
  readonly position: SearchPosition
}

/** The place of a term in the order of a search. */
export interface SearchPosition {
  readonly term: string
  readonly product: string
  readonly type: SearchedType
  /** The place among those with the same term: a decimal number. */
  readonly place: string
}

/** The requested part of a search. */
export interface SearchPart {
  readonly types: readonly SearchedType[]
  /** Where the previous part ended; undefined for the first one. */
  readonly after?: SearchPosition | undefined
  readonly limit: number
}

export interface SearchResult {
  /** The hits in the order of their terms, each once; fewer than the limit even if more follow. */
  readonly hits: readonly SearchHit[]
  /** Where the next part begins; undefined when there is none. */
  readonly next: SearchPosition | undefined
}

/** A user or group that has a name. */
export interface NamedResource {
  readonly type: Exclude<SearchedType, 'directory'>
  readonly id: string
  readonly directoryId: string
}

/** Finds users, groups and directories in all directories of a scope; an empty scope is everything. */
export interface SearchStore {
  /**
   * What has a word of a name, a userName, an address, an externalId or an id that begins with a text, which is not
   * blank. The number of terms that one call examines is bounded, whatever the number of directories.
   */
  search(scope: DirectoryScope, text: string, part: SearchPart): Promise<SearchResult>
  /**
   * At most `limit` users and groups whose name, userName, address, externalId or id is a text, folded and without
   * repeated blanks. Of longer texts, only the first `maxTermLength` characters are compared.
   */
  findNamed(scope: DirectoryScope, text: string, limit: number): Promise<NamedResource[]>
}
