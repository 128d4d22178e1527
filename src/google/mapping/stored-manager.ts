import type { Json, JsonObject } from '../../scim/json.ts'
import { isObject, own } from '../../scim/json.ts'
import { enterpriseUserSchema } from '../../scim/schema/user.ts'
import { googleUserUrn } from './urns.ts'

/** The manager of a stored user as it was looked up; undefined when there is none. */
export function managerOf(raw: JsonObject): Json | undefined {
  return partOf(raw, enterpriseUserSchema.id, 'manager')
}

/** The id of the manager of a stored user. */
export function managerIdOf(raw: JsonObject): string | undefined {
  const manager = managerOf(raw)
  return isObject(manager) ? textOf(own(manager, 'value')) : undefined
}

/** The e-mail address of the manager of a stored user. */
export function storedManagerEmail(raw: JsonObject): string | undefined {
  return textOf(partOf(raw, googleUserUrn, 'managerEmail'))
}

/** A stored user with another manager, or none. */
export function withManager(raw: JsonObject, id: string | undefined): JsonObject {
  const { manager: _, ...others } = objectOf(own(raw, enterpriseUserSchema.id))
  const enterprise = id === undefined ? others : { ...others, manager: { value: id } }
  const { [enterpriseUserSchema.id]: __, ...rest } = raw
  return Object.keys(enterprise).length === 0 ? rest : { ...rest, [enterpriseUserSchema.id]: enterprise }
}

function partOf(raw: JsonObject, urn: string, name: string): Json | undefined {
  return own(objectOf(own(raw, urn)), name)
}

function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {}
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}
