import { enterpriseUserSchema } from './enterprise-user.ts'
import { groupSchema } from './group.ts'
import type { AttributePath } from './known-paths.ts'
import { knownPaths } from './known-paths.ts'
import type { Schema } from './schema.ts'
import { userSchema } from './user.ts'

/** A kind of resource: where it is found and which schemas describe it (RFC 7643 §6). */
export interface ResourceType {
  readonly name: 'User' | 'Group'
  readonly endpoint: '/Users' | '/Groups'
  readonly description: string
  readonly schema: Schema
  /** Optional ones, all of them. */
  readonly extensions: readonly Schema[]
  /** See `knownPaths`. */
  readonly paths: ReadonlyMap<string, AttributePath>
}

/** Users (RFC 7643 §4.1), with the enterprise extension. */
export const userType = {
  name: 'User',
  endpoint: '/Users',
  description: 'User Account',
  schema: userSchema,
  extensions: [enterpriseUserSchema],
  paths: knownPaths(userSchema, [enterpriseUserSchema]),
} as const satisfies ResourceType

/** Groups (RFC 7643 §4.2). */
export const groupType = {
  name: 'Group',
  endpoint: '/Groups',
  description: 'Group',
  schema: groupSchema,
  extensions: [],
  paths: knownPaths(groupSchema, []),
} as const satisfies ResourceType

/** Every resource type that is served. */
export const resourceTypes: readonly ResourceType[] = [userType, groupType]

/** Every schema that is served, the core ones first. */
export const schemas: readonly Schema[] = [userSchema, groupSchema, enterpriseUserSchema]
