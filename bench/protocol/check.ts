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

/** How many wordings of each input are checked. */
const checked = 3

/**
 * Checks that all who are compared do the same: the same users match, a patch leaves the same resource but for what the
 * input says differs, and who does not work in place leaves the resource that was given.
 */
export async function checkAnswers(texts: readonly string[], stored: string): Promise<void> {
  const users = texts.map(readUser)
  for (const input of filterInputs) checkFilter(input, users)
  for (const input of patchInputs) await checkPatch(input, stored)
}

function checkFilter({ texts, notMatchedBy }: FilterInput, users: JsonObject[]): void {
  const peers = filterPeers.filter(({ name }) => !notMatchedBy?.[name])
  for (const text of texts.slice(0, checked)) {
    const matching = ourFilter.matcher(text)(users)
    assert.ok(matching.length > 0 && matching.length < users.length, `${text} picks none or all`)
    for (const peer of peers) assert.deepEqual(peer.matcher(text)(users), matching, `${peer.name}: ${text}`)
  }
}

async function checkPatch({ bodies, differs, notDoneBy }: PatchInput, stored: string): Promise<void> {
  for (const body of bodies.slice(0, checked)) {
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
    assert.deepEqual(resource, readUser(stored), `${by.name} changes the resource`)
    assert.deepEqual(asJson(await patch(body)), after, `${by.name} ${by.mode} is not the same again`)
  }
  return after
}

function asJson(value: unknown): JsonObject {
  return JSON.parse(JSON.stringify(value)) as Record<string, Json>
}
