import type { JsonObject } from '../../src/scim/json.ts'
import { itemAt, times } from '../workload/users.ts'
import type { ContenderName, FilterContender, PatchContender, PeerName } from './contenders/contender.ts'
import { ourFilter, ourPatch } from './contenders/ours.ts'
import { scimPatchModes } from './contenders/scim-patch.ts'
import { parseFilterPackage } from './contenders/scim2-parse-filter.ts'
import { scimmyFilter, scimmyModes } from './contenders/scimmy.ts'
import type { FilterInput } from './filters.ts'
import { filterInputs } from './filters.ts'
import type { Job, Pair } from './measure.ts'
import type { PatchInput } from './patches.ts'
import { patchInputs } from './patches.ts'
import { readUser } from './users.ts'

export const filterPeers: readonly FilterContender[] = [parseFilterPackage, scimmyFilter]
export const patchPeers: readonly PatchContender[] = [...scimPatchModes, ...scimmyModes]

/** A row: our implementation and a peer doing the same. */
export interface Comparison extends Pair {
  readonly what: string
  readonly input: string
  readonly peer: PeerName
  readonly mode: string
}

/** The number of users that a parsed filter is evaluated on. */
export const manyUsers = 1000
/** The number of users that a filter is evaluated on when parsing is measured as well. */
const pageOfUsers = 100

export function comparisons(texts: readonly string[]): Comparison[] {
  const users = texts.map(readUser)
  const stored = itemAt(texts, patchedUser)
  const patches = patchInputs.flatMap((input) => patchComparisons(input, stored))
  return [...filterComparisons(users), ...patches]
}

/** The index of the user that is patched: active, with a nickname, two email addresses and a manager. */
export const patchedUser = 7

function filterComparisons(users: JsonObject[]): Comparison[] {
  const page = users.slice(0, pageOfUsers)
  const kinds: [
    what: string,
    isMatched: boolean,
    jobOf: (by: FilterContender<ContenderName>, input: FilterInput) => Job,
  ][] = [
    ['parse', false, (by, { texts }) => withoutPreparation((index) => by.parse(itemAt(texts, index)))],
    [`evaluate, ${users.length} users`, true, (by, { texts }) => evaluation(by, itemAt(texts, 0), users)],
    [
      `parse, evaluate, ${page.length} users`,
      true,
      (by, { texts }) => withoutPreparation((index) => by.matcher(itemAt(texts, index))(page)),
    ],
  ]
  return kinds.flatMap(([what, isMatched, jobOf]) =>
    filterInputs.flatMap((input) => {
      const peers = filterPeers.filter(({ name }) => !(isMatched && input.notMatchedBy?.[name]))
      return peers.map((peer) => ({
        ...{ what, input: input.name, peer: peer.name, mode: '' },
        ...{ ours: jobOf(ourFilter, input), theirs: jobOf(peer, input) },
      }))
    }),
  )
}

function evaluation(by: FilterContender<ContenderName>, text: string, users: JsonObject[]): Job {
  const matcher = by.matcher(text)
  return withoutPreparation(() => matcher(users))
}

/** A job that needs no preparation. */
function withoutPreparation(run: (index: number) => unknown): Job {
  return { isAsync: false, maxBatch: 4096, prepare: () => run }
}

function patchComparisons(input: PatchInput, stored: string): Comparison[] {
  return patchPeers
    .filter(({ name }) => !input.notDoneBy?.[name])
    .map((peer) => ({
      ...{ what: 'PATCH', input: input.name, peer: peer.name, mode: peer.mode },
      ours: patchJob(ourPatch, input, stored, peer.isInPlace),
      theirs: patchJob(peer, input, stored, peer.isInPlace),
    }))
}

/** @param isFresh whether each patch gets its own resource, parsed beforehand */
function patchJob(by: PatchContender<ContenderName>, { bodies }: PatchInput, stored: string, isFresh: boolean): Job {
  const { isAsync } = by
  if (isFresh) return { isAsync, maxBatch: 64, prepare: (count) => patchFresh(by, bodies, stored, count) }
  const patch = by.patchOf(readUser(stored))
  return { ...withoutPreparation((index) => patch(itemAt(bodies, index))), isAsync }
}

function patchFresh(
  by: PatchContender<ContenderName>,
  bodies: PatchInput['bodies'],
  stored: string,
  count: number,
): (index: number) => unknown {
  const patches = times(count, () => by.patchOf(readUser(stored)))
  return (index) => itemAt(patches, index)(itemAt(bodies, index))
}
