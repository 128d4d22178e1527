import type { Json, JsonObject } from '../../../src/scim/json.ts'

export const peerNames = ['scimmy', 'scim-patch', 'scim2-parse-filter'] as const

/** The npm packages that ours is held against. */
export type PeerName = (typeof peerNames)[number]

export type ContenderName = PeerName | 'ours'

/** Picks the users that match. */
export type Matcher = (users: JsonObject[]) => unknown[]

/** Who parses and evaluates filters. */
export interface FilterContender<Name extends ContenderName = PeerName> {
  readonly name: Name
  parse(text: string): unknown
  /** Parses a filter, to evaluate it over many users. */
  matcher(text: string): Matcher
}

/** What identity providers send. */
export interface PatchBody {
  readonly schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp']
  readonly Operations: PatchBodyOperation[]
}

export type PatchBodyOperation =
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'add' | 'Add' | 'replace' | 'Replace'; readonly path?: string; readonly value: Json }

/** Parses a request and applies it; answers the resource as it is then. */
export type Patch = (body: PatchBody) => unknown

/** Who applies PATCH requests. */
export interface PatchContender<Name extends ContenderName = PeerName> {
  readonly name: Name
  /** What is done beyond the name, in the table. */
  readonly mode: string
  /** Whether a resource is changed by its patch, so that each patch needs one of its own. */
  readonly isInPlace: boolean
  readonly isAsync: boolean
  /** Takes a resource as it was read from a store. Not timed. */
  patchOf(resource: JsonObject): Patch
}
