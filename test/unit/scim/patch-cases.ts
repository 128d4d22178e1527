import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Json, JsonObject } from '../../../src/scim/json.ts'
import { applyPatch } from '../../../src/scim/patch/apply.ts'
import { parsePatch } from '../../../src/scim/patch/parse.ts'
import { userType } from '../../../src/scim/schema/resource-type.ts'

export const core = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
export const acme = 'urn:acme:2.0:User'

export const work = { type: 'work', value: 'tomas@example.com', primary: true }
export const home = { type: 'home', value: 'tomas@home.example' }

/** A user with these attributes besides the ones that every user in these tests has. */
export function user(attributes: JsonObject = {}): JsonObject {
  const extensions = Object.keys(attributes).filter((name) => name.startsWith('urn:'))
  return { schemas: [core, ...extensions], id: 'u1', userName: 'tomas', ...attributes }
}

/** The user after the operations. */
export function patch(resource: JsonObject, operations: Json): JsonObject {
  return applyPatch(userType, resource, parsePatch({ Operations: operations }, userType))
}

interface Case {
  readonly why: string
  readonly from?: JsonObject
  readonly operations: Json
  readonly to: JsonObject
}

/** One test per case: the user `from`, after the operations, equals `to`. */
export function table(title: string, cases: readonly Case[]): void {
  describe(title, () => {
    for (const { why, from = {}, operations, to } of cases) {
      test(why, () => assert.deepEqual(patch(user(from), operations), user(to)))
    }
  })
}
