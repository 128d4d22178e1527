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

/** The place of a term in the order of a search. What is found by its id or externalId comes before all terms. */
export interface SearchPosition {
  /** The term, or `keyTerm` of the directory. */
  readonly term: string
  readonly product: string
  readonly type: SearchedType
  /** The place among those with the same term: a decimal number. */
  readonly place: string
}

/** Stands for the term of what is found by its id or externalId. No term begins with a blank. */
export const keyTerm = (directoryId: string): string => ` ${directoryId}`

export const isOfKey = ({ term }: SearchPosition): boolean => term.startsWith(' ')
export const directoryOfKey = ({ term }: SearchPosition): string => term.slice(1)

/** The requested part of a search. */
export interface SearchPart {
  readonly types: readonly SearchedType[]
  /** Where the previous part ended; undefined for the first one. */
  readonly after?: SearchPosition | undefined
  readonly limit: number
}

export interface SearchResult {
  /** The hits in the order of their positions, each once; perhaps fewer than the limit although more follow. */
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
   * What has a word of a name, a userName or an address that begins with a text, and the users and groups whose id or externalId it is;
   * directories also by the beginning of the id. The number of rows that one call examines is bounded, whatever the number of directories.
   */
  search(scope: DirectoryScope, text: string, part: SearchPart): Promise<SearchResult>
  /**
   * At most `limit` users and groups whose name, userName or address is a text, folded and without repeated blanks, or whose id or
   * externalId it is. Of longer names, only the first `maxTermLength` characters are compared.
   */
  findNamed(scope: DirectoryScope, text: string, limit: number): Promise<NamedResource[]>
}
