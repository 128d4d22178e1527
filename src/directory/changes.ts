import type { JsonObject } from '../scim/json.ts'
import { own, sameJson } from '../scim/json.ts'
import type { Changes } from './event.ts'

/** The top-level attributes that differ between two resources; `schemas` only follows from them and is left out. */
export function changesBetween(before: JsonObject, after: JsonObject): Changes {
  const changes: Changes = {}
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [from, to] = [own(before, name), own(after, name)]
    if (name !== 'schemas' && !sameJson(from, to)) changes[name] = { from: from ?? null, to: to ?? null }
  }
  return changes
}
