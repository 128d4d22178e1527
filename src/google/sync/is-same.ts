import { changesBetween } from '../../directory/changes.ts'
import type { JsonObject } from '../../scim/json.ts'
import type { JsonText } from '../../scim/json-text.ts'
import { fromJsonText } from '../../scim/json-text.ts'

/** Whether a stored resource is what it is to be, whatever the order of its names: then nothing is written. */
export function isSame(stored: JsonText<JsonObject>, wanted: JsonText<JsonObject>): boolean {
  if (stored === wanted) return true
  return Object.keys(changesBetween(fromJsonText(stored), fromJsonText(wanted))).length === 0
}
