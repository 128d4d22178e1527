import assert from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { SyncRunView } from '../../../../src/google/sync/run-view.ts'
import type { Effect } from '../../../unit/fake-google/failures/effect.ts'
import type { FailureMode } from '../../../unit/fake-google/failures/failure-modes.ts'
import type { Place } from '../../../unit/fake-google/failures/inject.ts'
import { failAt } from '../../../unit/fake-google/failures/inject.ts'
import { assertSameAsWorkspace } from '../../../unit/fake-google/same-as-workspace.ts'
import { assertNobodyLost } from './losses.ts'
import type { PulledCompany } from './pulled-company.ts'
import type { SmallCompany } from './small-company.ts'

/** A failure, its place and its number of occurrences. */
export interface FaultCase {
  readonly place: Place
  readonly mode: FailureMode & { readonly effect: Effect }
  readonly times: 'once' | 'every time'
}

export function nameOf({ place: { endpoint, page, groupKey }, mode, times }: FaultCase): string {
  const where = `${endpoint}${page === undefined ? '' : ` page ${page}`}${groupKey === undefined ? '' : ' of one group'}`
  return `${where}: ${mode.name}, ${times}`
}

/** A slow response is sent after this many turns of the event loop. */
const slowTurns = 10

/**
 * Changes the Workspace and syncs it while a failure is injected. Checks that the run ends as expected, that nobody who
 * still exists is deleted or removed from a group, and that the directory is complete: immediately if the failure was
 * overcome, otherwise after one more run.
 */
export async function checkFault(company: PulledCompany, small: SmallCompany, fault: FaultCase): Promise<void> {
  const { google } = company
  small.change()
  if (fault.place.endpoint === 'token') google.expireAccessTokens()
  const run = await syncUnder(company, fault)
  assertNobodyLost(await company.newEvents(), google)
  assertEnd(run, fault)
  const isWhole = run.state === 'completed' && ['overcome', 'restarts'].includes(fault.mode.effect)
  if (!isWhole) await syncAgain(company)
  assertSameAsWorkspace(await company.replica(), google)
}

async function syncAgain(company: PulledCompany): Promise<void> {
  if (await company.isAuthorizationNeeded()) await company.reconnect()
  assert.equal((await company.sync()).state, 'completed', 'the next run completes')
  assertNobodyLost(await company.newEvents(), company.google)
}

async function syncUnder({ google, sync, clock }: PulledCompany, { place, mode, times }: FaultCase) {
  const slow = Promise.withResolvers<void>()
  const injection = failAt(place, mode.fault({ now: clock, released: slow.promise }), times === 'once' ? 1 : undefined)
  google.onRequest = (request) => {
    const injected = injection.onRequest(request)
    if (injected?.kind === 'slow') void releaseLater(slow)
    return injected
  }
  try {
    const run = await sync()
    assert(injection.injected() > 0, 'a failure was injected')
    return run
  } finally {
    google.onRequest = () => undefined
  }
}

async function releaseLater(slow: PromiseWithResolvers<void>): Promise<void> {
  for (let turn = 0; turn < slowTurns; turn += 1) await nextTurn()
  slow.resolve()
}

function assertEnd({ state, error }: SyncRunView, fault: FaultCase): void {
  assert.equal(state, expectedState(fault), `the run with the failure: ${error}`)
  assert(state !== 'failed' || error !== null, 'a failed run has an error message')
}

/** These are not failures: the run continues after each. */
const passing = ['a slow answer', 'an empty page before the next']

function expectedState({ mode, place: { page = 1 }, times }: FaultCase): SyncRunView['state'] {
  const isOvercome = times === 'once' || passing.includes(mode.name)
  switch (mode.effect) {
    case 'overcome':
      return isOvercome ? 'completed' : 'failed'
    case 'restarts':
      return isOvercome && page > 1 ? 'completed' : 'failed'
    case 'ends':
      return 'failed'
    case 'part':
    case 'lies':
      return 'completed'
  }
}
