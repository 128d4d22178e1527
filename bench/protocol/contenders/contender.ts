import type { Json, JsonObject } from '../../../src/scim/json.ts'

export const peerNames = ['scimmy', 'scim-patch', 'scim2-parse-filter'] as const

/** The npm packages that we compare ours with. */
export type PeerName = (typeof peerNames)[number]

export type ContenderName = PeerName | 'ours'

/** Returns the users that match. */
export type Matcher = (users: JsonObject[]) => unknown[]

/** An implementation of filters. */
export interface FilterContender<Name extends ContenderName = PeerName> {
  readonly name: Name
  parse(text: string): unknown
  /** Parses a filter for evaluating it on many users. */
  matcher(text: string): Matcher
}

/** The body of a PATCH request. */
export interface PatchBody {
  readonly schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp']
  readonly Operations: PatchBodyOperation[]
}

export type PatchBodyOperation =
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'add' | 'Add' | 'replace' | 'Replace'; readonly path?: string; readonly value: Json }

/** Parses a request and applies it; returns the patched resource. */
export type Patch = (body: PatchBody) => unknown

/** An implementation of PATCH. */
export interface PatchContender<Name extends ContenderName = PeerName> {
  readonly name: Name
  /** The variant, shown in the table after the name. */
  readonly mode: string
  /** Whether the patch changes its input, so that each patch needs its own resource. */
  readonly isInPlace: boolean
  readonly isAsync: boolean
  /** Prepares a resource as parsed from the store. Not timed. */
  patchOf(resource: JsonObject): Patch
}
