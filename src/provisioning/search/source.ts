import type { Listed, ListPart, NamePart } from '../../directory/store.ts'
import type { Equality } from '../../scim/filter/narrow.ts'
import type { JsonObject } from '../../scim/json.ts'
import type { Projection } from '../../scim/projection.ts'
import type { ResourceType } from '../../scim/schema/resource-type.ts'

/** The attributes that are not stored with a resource but made, or read beside it. */
export type Computed = 'members' | 'groups' | 'meta'

/** A resource as filters and orders see it. */
export interface Evaluable {
  readonly resource: JsonObject
  /** About how many characters it has. */
  readonly size: number
}

/** JSON text, whole or in pieces. */
export type Body = string | AsyncIterable<string>

/**
 * How one kind of resource is searched and shown, within one directory. What it reads goes back to no other source, so
 * that sources of different kinds stand in one list as those of `unknown`.
 */
export interface ListSource<T> {
  readonly resourceType: ResourceType
  count(): Promise<number>
  list(part: ListPart): Promise<Listed<T>[]>
  /** In the order of the folded userName, or displayName of groups. */
  listByName(part: NamePart): Promise<Listed<T>[]>
  find(equalities: readonly Equality[], part: ListPart): Promise<Listed<T>[]>
  countFound(equalities: readonly Equality[]): Promise<number>
  get(id: string): Promise<T | undefined>
  /** The items one by one, with those computed attributes. */
  evaluable(items: readonly T[], computed: ReadonlySet<Computed>): AsyncIterable<Evaluable>
  /** The items as an answer shows them. */
  bodies(items: readonly T[], projection: Projection | undefined): Promise<Body[]>
}
