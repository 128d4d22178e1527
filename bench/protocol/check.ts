import assert from 'node:assert/strict'
import type { Json, JsonObject } from '../../src/scim/json.ts'
import { filterPeers, patchPeers } from './comparisons.ts'
import type { ContenderName, PatchBody, PatchContender } from './contenders/contender.ts'
import { ourFilter, ourPatch } from './contenders/ours.ts'
import type { FilterInput } from './filters.ts'
import { filterInputs } from './filters.ts'
import type { PatchInput } from './patches.ts'
import { patchInputs } from './patches.ts'
import { readUser } from './users.ts'

/** The number of checked variants of each input. */
const checkedVariants = 3

/**
 * Checks that all implementations do the same: the same users match, a patch produces the same resource except for the
 * differences that the input declares, and implementations that do not work in place leave their input unchanged.
 */
export async function checkResults(texts: readonly string[], stored: string): Promise<void> {
  const users = texts.map(readUser)
  for (const input of filterInputs) checkFilter(input, users)
  for (const input of patchInputs) await checkPatch(input, stored)
}

function checkFilter({ texts, notMatchedBy }: FilterInput, users: JsonObject[]): void {
  const peers = filterPeers.filter(({ name }) => !notMatchedBy?.[name])
  for (const text of texts.slice(0, checkedVariants)) {
    const matching = ourFilter.matcher(text)(users)
    assert.ok(matching.length > 0 && matching.length < users.length, `${text} matches no user or all users`)
    for (const peer of peers) assert.deepEqual(peer.matcher(text)(users), matching, `${peer.name}: ${text}`)
  }
}

async function checkPatch({ bodies, differs, notDoneBy }: PatchInput, stored: string): Promise<void> {
  for (const body of bodies.slice(0, checkedVariants)) {
    const ours = await patched(ourPatch, body, stored)
    assert.notDeepEqual(ours, JSON.parse(stored), 'the patch changes nothing')
    for (const peer of patchPeers) {
      if (notDoneBy?.[peer.name]) continue
      const expected = { ...ours, ...differs?.[peer.name]?.attributes }
      assert.deepEqual(await patched(peer, body, stored), expected, `${peer.name} ${peer.mode}`)
    }
  }
}

/** The resource after a patch, as JSON. */
async function patched(by: PatchContender<ContenderName>, body: PatchBody, stored: string): Promise<JsonObject> {
  const resource = readUser(stored)
  const patch = by.patchOf(resource)
  const after = asJson(await patch(body))
  if (!by.isInPlace) {
    assert.deepEqual(resource, readUser(stored), `${by.name} changes its input`)
    assert.deepEqual(asJson(await patch(body)), after, `${by.name} ${by.mode} does not repeat`)
  }
  return after
}

function asJson(value: unknown): JsonObject {
  return JSON.parse(JSON.stringify(value)) as Record<string, Json>
}
