import type { Json, JsonObject } from '../../scim/json.ts'

/** An object of what is given; undefined when nothing is. */
export function given(parts: Readonly<Record<string, Json | undefined>>): JsonObject | undefined {
  const assigned: JsonObject = {}
  for (const [name, value] of Object.entries(parts)) if (value !== undefined) assigned[name] = value
  return Object.keys(assigned).length === 0 ? undefined : assigned
}
