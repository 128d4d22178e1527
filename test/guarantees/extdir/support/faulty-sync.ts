import assert from 'node:assert/strict'
import { setTimeout as realTime } from 'node:timers/promises'
import type { SyncRunView } from '../../../../src/google/sync/run-view.ts'
import type { Effect } from '../../../unit/fake-google/failures/effect.ts'
import type { FailureMode } from '../../../unit/fake-google/failures/failure-modes.ts'
import type { Place } from '../../../unit/fake-google/failures/inject.ts'
import { failAt } from '../../../unit/fake-google/failures/inject.ts'
import { assertSameAsWorkspace } from '../../../unit/fake-google/same-as-workspace.ts'
import { assertNobodyLost } from './losses.ts'
import type { PulledCompany } from './pulled-company.ts'
import type { SmallCompany } from './small-company.ts'

/** A failure, where it happens and how often. */
export interface FaultCase {
  readonly place: Place
  readonly mode: FailureMode & { readonly effect: Effect }
  readonly times: 'once' | 'every time'
}

export function nameOf({ place: { endpoint, page, groupKey }, mode, times }: FaultCase): string {
  const where = `${endpoint}${page === undefined ? '' : ` page ${page}`}${groupKey === undefined ? '' : ' of one group'}`
  return `${where}: ${mode.name}, ${times}`
}

/** How long a slow answer takes, in real milliseconds: no clock but the real one moves meanwhile. */
const slowMs = 5

/**
 * Changes the Workspace and pulls it while something fails. Fails unless the run ends as it must, nobody who is there is
 * ever deleted or taken from a group, and the directory has it all: at once where the failure was overcome, else after
 * one more run.
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
  assert.equal((await company.sync()).state, 'completed', 'the next run is a good one')
  assertNobodyLost(await company.newEvents(), company.google)
}

async function syncUnder({ google, sync, clock }: PulledCompany, { place, mode, times }: FaultCase) {
  const slow = Promise.withResolvers<void>()
  const injection = failAt(place, mode.fault({ now: clock, released: slow.promise }), times === 'once' ? 1 : undefined)
  google.onRequest = injection.onRequest
  try {
    const [run] = await Promise.all([sync(), realTime(slowMs).then(() => slow.resolve())])
    assert(injection.injected() > 0, 'something failed')
    return run
  } finally {
    google.onRequest = () => undefined
  }
}

function assertEnd({ state, error }: SyncRunView, fault: FaultCase): void {
  assert.equal(state, expectedState(fault), `the run with the failure: ${error}`)
  assert(state !== 'failed' || error !== null, 'a failed run says why')
}

/** They are no failures: it goes on after each. */
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
