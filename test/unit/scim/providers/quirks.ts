import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matches } from '../../../../src/scim/filter/evaluate.ts'
import { parseFilter } from '../../../../src/scim/filter/parse.ts'
import type { Json, JsonObject } from '../../../../src/scim/json.ts'
import { splitMemberOperations } from '../../../../src/scim/patch/members.ts'
import { parsePatch } from '../../../../src/scim/patch/parse.ts'
import { parseResource } from '../../../../src/scim/resource/parse-resource.ts'
import type { ResourceType } from '../../../../src/scim/schema/resource-type.ts'
import { groupType, userType } from '../../../../src/scim/schema/resource-type.ts'
import { patch, user } from '../patch-cases.ts'

export const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

/** A provider's deviation from the RFCs, and the expected interpretation. */
interface Quirks {
  /** A filter, and attributes of a user that it finds and of one that it does not. */
  readonly filters?: Readonly<Record<string, readonly [finds: JsonObject, leavesOut: JsonObject]>>
  /** The body of a user or group, and the resource that is stored. */
  readonly bodies?: readonly { readonly of?: ResourceType; readonly sends: JsonObject; readonly stores: JsonObject }[]
  /** The operations of a PATCH of a user, and its attributes before and after. */
  readonly patches?: readonly {
    readonly sends: readonly JsonObject[]
    readonly from?: JsonObject
    readonly to: JsonObject
  }[]
  /** An operation on the members of a group, and the equivalent one of RFC 7644. */
  readonly members?: readonly { readonly sends: JsonObject; readonly means: JsonObject }[]
}

/** One test for each. */
export function testQuirks(provider: string, { filters = {}, bodies = [], patches = [], members = [] }: Quirks): void {
  for (const [filter, [finds, leavesOut]] of Object.entries(filters)) {
    test(`${provider}: filter ${filter}`, () => {
      const parsed = parseFilter(filter, userType)
      assert.deepEqual([matches(parsed, user(finds)), matches(parsed, user(leavesOut))], [true, false])
    })
  }
  for (const { of = userType, sends, stores } of bodies) {
    test(`${provider}: body ${JSON.stringify(sends)}`, () => assert.deepEqual(parseResource(of, sends), stores))
  }
  for (const { sends, from = {}, to } of patches) {
    test(`${provider}: PATCH ${JSON.stringify(sends)}`, () => assert.deepEqual(patch(user(from), [...sends]), user(to)))
  }
  for (const { sends, means } of members) {
    test(`${provider}: PATCH of a group ${JSON.stringify(sends)}`, () => {
      assert.deepEqual(memberOperations(sends), memberOperations(means))
    })
  }
}

function memberOperations(operation: Json) {
  return splitMemberOperations(parsePatch({ Operations: [operation] }, groupType))
}
