import assert from 'node:assert/strict'
import { isComplete } from '../../src/directory/abridged.ts'
import type { JsonObject } from '../../src/scim/json.ts'
import type { JsonText } from '../../src/scim/json-text.ts'

/** An item of a list, which is not so large that the list leaves out its `raw`. */
export function whole<T extends { readonly raw: JsonText<JsonObject> | undefined }>(item: T) {
  assert.ok(isComplete(item), 'the list has its raw')
  return item
}
