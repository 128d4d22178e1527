import assert from 'node:assert/strict'
import type { SyncRunView } from '../../../../src/google/sync/run-view.ts'
import type { WorkspaceModel } from '../../../../tools/fake-google/model/workspace-model.ts'
import { inOrderOfIds } from '../../../support/rebuilt.ts'
import type { Replica } from '../../../support/replica.ts'
import { replicaFrom } from '../../../support/replica.ts'
import { generatePlain, generateWorkspace } from '../../../unit/fake-google/generate.ts'
import { nextChange } from '../../../unit/fake-google/history.ts'
import type { Random } from '../../../unit/fake-google/random.ts'
import { seededRandom } from '../../../unit/fake-google/random.ts'
import { differencesFrom } from '../../../unit/fake-google/same-as-workspace.ts'
import type { PulledCompany } from './pulled-company.ts'
import { companyDomains, openCompany } from './pulled-company.ts'
import type { PulledStore } from './pulled-store.ts'
import { someTrouble } from './some-trouble.ts'
import { createStaying } from './staying.ts'
import { unsureGroups } from './unsure-groups.ts'

/** The options of a history. */
interface Scenario {
  readonly random: Random
  readonly domain: string | undefined
  readonly maxDeletePercent: number
  readonly changes: number
  /** Groups that Google refuses to return. */
  readonly refused: Set<string>
  /** A log of all changes and runs. */
  readonly lines: string[]
}

/**
 * Plays a history of changes, some of them during a sync, and of syncs, some of which fail. After a last sync, the
 * directory and its events must equal the Workspace, and one more sync must do nothing. A failed assertion shows the
 * history.
 */
export async function playHistory(pulled: PulledStore, seed: number, changes: number): Promise<void> {
  const random = seededRandom(seed)
  const scenario: Scenario = {
    random,
    domain: random.happens(0.25) ? random.pick(companyDomains) : undefined,
    maxDeletePercent: random.happens(0.3) ? 5 : 100,
    changes,
    refused: new Set(),
    lines: [],
  }
  await using company = await openCompany(pulled, scenario)
  try {
    await live(company, scenario)
    await assertAllTold(company, scenario)
  } catch (error) {
    const { lines, domain, maxDeletePercent } = scenario
    const about = `seed ${seed}, domain ${domain}, at most ${maxDeletePercent} % deleted`
    throw new Error(`${about}:\n${lines.join('\n')}`, { cause: error })
  }
}

async function live(company: PulledCompany, scenario: Scenario): Promise<void> {
  const { google } = company
  const { random } = scenario
  fill(company, scenario)
  google.knobs.pageSizeCap = random.between(1, 6)
  const total = scenario.changes
  for (let made = 0; made < total; ) {
    for (const end = Math.min(total, made + random.between(0, 12)); made < end; made += 1) change(company, scenario)
    made += await syncSomehow(company, scenario)
  }
}

/** Sometimes with every edge case, sometimes with enough users for deletions to be held. */
function fill({ google }: PulledCompany, { random, refused }: Scenario): void {
  const users = random.pick([0, 4, 24]) ?? 0
  const groups = users === 0 ? 0 : random.between(0, 5)
  const memberships = groups === 0 ? 0 : random.between(0, users * 2)
  const sizes = { seed: random.between(1, 1000), users, groups, memberships: Math.min(memberships, users * groups) }
  const refuseGroup: WorkspaceModel['refuseGroup'] = (id, refusal) => {
    refused.add(id)
    google.refuseGroup(id, refusal)
  }
  // Users of another seed could have the addresses of the edge cases.
  if (random.happens(0.3)) generateWorkspace({ ...google, refuseGroup }, { ...sizes, seed: 1 })
  else generatePlain(google, sizes)
}

function change({ google }: PulledCompany, { random, lines }: Scenario): void {
  lines.push(nextChange(google, random))
}

/** A sync that is undisturbed, concurrent with changes, or failing; returns the number of concurrent changes. */
async function syncSomehow(company: PulledCompany, scenario: Scenario): Promise<number> {
  const { google } = company
  const { random, domain, refused, lines } = scenario
  const how = random.pick(['well', 'changes', 'changes', 'trouble', 'both'] as const)
  const staying = createStaying(google, domain, refused)
  const trouble = how === 'trouble' || how === 'both' ? someTrouble(random, company.clock) : undefined
  let made = 0
  google.onRequest = (request) => {
    if ((how === 'changes' || how === 'both') && random.happens(0.15) && made < 12) {
      change(company, scenario)
      made += 1
      staying.look()
    }
    return trouble?.(request)
  }
  const run = await company.sync()
  lines.push(`-- sync (${how}): ${run.state} ${run.error ?? ''}`)
  google.onRequest = () => undefined
  staying.assertNotDeleted(await company.newEvents())
  if (await company.isAuthorizationNeeded()) await company.reconnect()
  return made
}

/** An undisturbed sync, whose held deletions are approved. */
async function syncWell(company: PulledCompany, { domain, refused, lines }: Scenario): Promise<SyncRunView> {
  const staying = createStaying(company.google, domain, refused)
  let run = await company.sync()
  lines.push(`-- last sync: ${run.state}`)
  if (run.state === 'held') run = await company.approve(run.id)
  assert.equal(run.state, 'completed', run.error ?? '')
  staying.assertNotDeleted(await company.newEvents())
  return run
}

async function assertAllTold(company: PulledCompany, scenario: Scenario): Promise<void> {
  await syncWell(company, scenario)
  const [events, stored] = [await company.events(), await company.replica()]
  const reported = replicaFrom(events)
  assertAsInWorkspace(stored, company, scenario)
  assert.deepEqual(inOrderOfIds(reported), inOrderOfIds(stored), 'the events lead to what is stored')
  await syncWell(company, scenario)
  assert.deepEqual(await company.newEvents(), [], 'a sync without changes creates no events')
}

/**
 * Asserts that the directory equals the Workspace, except that an incompletely readable group may keep members, and an
 * unreadable one may still exist after it has left the domain.
 */
function assertAsInWorkspace(replica: Replica, { google }: PulledCompany, { domain, refused }: Scenario): void {
  const mayKeep = unsureGroups(google, refused)
  const isKept = (line: string) =>
    mayKeep.some((id) => line.startsWith(`group ${id}: user`) && line.endsWith('is too many')) ||
    [...refused].some((id) => line.startsWith(`group ${id} is too many`))
  const found = differencesFrom(replica, google, domain).filter((line) => !isKept(line))
  assert.deepEqual(found, [], 'the directory is as the Workspace')
}
