import type { components, operations, paths } from './schema.ts'

type Schemas = components['schemas']

export type Directory = Schemas['Directory']
export type User = Schemas['User']
export type Group = Schemas['Group']
/** The `raw` of users and groups. */
export type RawUser = Schemas['RawUser']
export type RawGroup = Schemas['RawGroup']
export type GroupWithMembers = Schemas['GroupWithMembers']
export type Member = Schemas['Member']
export type Delivery = Schemas['Delivery']
/** An event, discriminated by `event`. */
export type RollcallEvent = Schemas['Event']

/** The path of the directory-sync API, which the paths of calls are relative to. */
export const apiPath = '/api/v1/directory-sync'

/** The part of a path below that of the API; `/` for the API itself. */
type RestOf<Path> = Path extends `${typeof apiPath}${infer Rest}` ? (Rest extends '' ? '/' : Rest) : never

/** The operations of the directory-sync API by path and method. */
export type ApiPaths = { [Path in keyof paths as RestOf<Path>]: paths[Path] }

type QueryOf<Operation extends keyof operations> = NonNullable<operations[Operation]['parameters']['query']>
/** All directories of a product, whatever their tenant. */
export interface ProductScope {
  readonly product: string
  readonly tenant?: never
  readonly directoryId?: never
}
/**
 * The scope of users, groups or events: a directory, the directories of a tenant for a product, both conditions, or all
 * directories of a product.
 */
export type Scope =
  | { readonly directoryId: string; readonly tenant?: string; readonly product?: string }
  | { readonly tenant: string; readonly product: string; readonly directoryId?: string }
  | ProductScope
/** A user or group of a scope: that of a product says which tenant it belongs to. */
export type In<S extends Scope, Row extends { tenant?: string }> = S extends ProductScope
  ? Row & { tenant: string }
  : Row
type Further<Operation extends keyof operations, Other extends PropertyKey> = Omit<
  QueryOf<Operation>,
  'tenant' | 'product' | 'directoryId' | Other
>
/** The filters of a list, without paging, which the iterator does. */
type Selection<Operation extends keyof operations> = Scope &
  Further<Operation, 'pageOffset' | 'pageLimit' | 'pageToken'>

export type UserSelection = Selection<'listUsers'>
export type GroupSelection = Selection<'listGroups'>
/** The members of one group. */
export type MemberSelection = Selection<'listGroupMembers'> & { readonly groupId: string }
/** The scope of events: `directoryId`, `tenant` and `product`, or `product`. */
export type EventSelection = Scope & Further<'readFeed', 'after' | 'limit'>
