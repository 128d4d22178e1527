import assert from 'node:assert/strict'
import { isComplete } from '../../src/directory/abridged.ts'
import type { JsonObject } from '../../src/scim/json.ts'
import type { JsonText } from '../../src/scim/json-text.ts'

/** Asserts that a list has not left out the `raw` of an item because of its size. */
export function whole<T extends { readonly raw: JsonText<JsonObject> | undefined }>(item: T) {
  assert.ok(isComplete(item), 'the list has its raw')
  return item
}
