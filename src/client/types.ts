import type { components, operations, paths } from './schema.ts'

type Schemas = components['schemas']

export type Directory = Schemas['Directory']
export type User = Schemas['User']
export type Group = Schemas['Group']
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
/** The scope of users, groups or events: a directory, the directories of a tenant for a product, or both conditions. */
export type Scope =
  | { readonly directoryId: string; readonly tenant?: string; readonly product?: string }
  | { readonly tenant: string; readonly product: string; readonly directoryId?: string }
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
/** The scope of events: `directoryId`, or `tenant` and `product`. */
export type EventSelection = Scope & Further<'readFeed', 'after' | 'limit'>
