import type { Accident } from './accident.ts'
import { victimsOf } from './accident.ts'
import type { LinkedUser } from './dialect.ts'
import type { DialectName } from './dialects.ts'
import { dialects } from './dialects.ts'
import type { Outcome, Session } from './lifecycle.ts'
import { createUser, emptyOutcome, offboardUser, pushGroup, updateUser } from './lifecycle.ts'
import { generatePeople } from './people/person.ts'
import { generateTeams, membersOf } from './people/team.ts'
import type { PhaseName, PhaseSummary, SimulationProgress } from './phase.ts'
import { runPhase } from './phase.ts'
import { createPace, createScimClient } from './scim-client.ts'
import type { AccessToken } from './sign-in.ts'
import type { CallSummary, ErrorSummary, Tally } from './tally.ts'
import { createTally } from './tally.ts'

export interface SimulationOptions {
  readonly dialect: DialectName
  readonly scimUrl: string
  /** The SCIM secret, or access tokens. */
  readonly secret: string | AccessToken
  readonly users: number
  readonly groups: number
  /** The percentage of users to offboard. Default: 10. */
  readonly offboardPercent?: number | undefined
  /** Requests per second. Default: 0, which means unlimited. */
  readonly ratePerSecond?: number | undefined
  /** The number of users or groups that are processed at a time, each on its own connection. Default: 4. */
  readonly concurrency?: number | undefined
  /** The same seed generates the same people. Default: 1. */
  readonly seed?: number | undefined
  /** The domain of all addresses; see `generatePeople`. */
  readonly mailDomain?: string | undefined
  /** Simulates this mistake once the users exist, instead of updates, groups and offboarding. */
  readonly accident?: Accident | undefined
  /** Repairs an accident instead: every user is assigned again. */
  readonly repair?: boolean | undefined
  readonly onProgress?: ((progress: SimulationProgress) => void) | undefined
  /** Once aborted, calls in flight are finished and no further call is made. */
  readonly signal?: AbortSignal | undefined
}

/** An offboarded user. */
export interface Leaver {
  readonly id: string
  readonly deleted: boolean
}

export interface SimulationSummary {
  readonly dialect: DialectName
  readonly phases: readonly PhaseSummary[]
  readonly outcome: Readonly<Outcome>
  readonly leavers: readonly Leaver[]
  /** Latencies by kind of call, in the order of first use. */
  readonly calls: readonly CallSummary[]
  readonly callCount: number
  readonly errors: readonly ErrorSummary[]
  readonly errorCount: number
  /** The number of 429 responses. */
  readonly throttledCount: number
  readonly elapsedMs: number
  /** Whether the signal was aborted before the simulation was complete. */
  readonly interrupted: boolean
}

/**
 * Provisions a directory as an identity provider does. Errors of the service are counted in the summary, not thrown.
 */
export async function simulate(options: SimulationOptions): Promise<SimulationSummary> {
  const { dialect: name, concurrency = 4, ratePerSecond = 0, signal } = options
  const dialect = dialects[name]
  const tally = createTally()
  const pace = createPace(ratePerSecond, signal)
  const client = createScimClient({
    ...options,
    signal,
    headers: dialect.headers,
    connections: concurrency,
    pace,
    tally,
  })
  const startedAt = performance.now()
  try {
    const results = await runPhases({ dialect, send: client.send, outcome: emptyOutcome() }, options, tally)
    return { ...results, ...figuresOf(tally, startedAt), dialect: name, interrupted: signal?.aborted === true }
  } finally {
    await client.close()
  }
}

type PhaseResults = Pick<SimulationSummary, 'phases' | 'outcome' | 'leavers'>

/** Runs the phases in the order of identity providers, which stop when the connection test fails. */
async function runPhases(session: Session, options: SimulationOptions, tally: Tally): Promise<PhaseResults> {
  const { users, groups, seed = 1, mailDomain, concurrency = 4, offboardPercent = 10 } = options
  const phases: PhaseSummary[] = []
  const run = async <T, R>(phase: PhaseName, items: readonly T[], work: (item: T, index: number) => Promise<R>) => {
    const { results, summary } = await runPhase({ ...options, concurrency, tally }, phase, items, work)
    phases.push(summary)
    return results
  }
  const connected = await run('connect', [seed], () => session.dialect.connect(session.send, seed))
  if (connected.length === 0) return { phases, outcome: session.outcome, leavers: [] }

  const created = await run(firstPhase(options), generatePeople(users, seed, mailDomain), (person) =>
    createUser(session, person),
  )
  if (options.accident !== undefined) {
    const victims = options.repair === true ? [] : victimsOf(options.accident, created, groups)
    if (victims.length > 0) await run('accident', victims, (user) => offboardUser(session, user, false))
    return { phases, outcome: session.outcome, leavers: victims.map(({ id }) => ({ id, deleted: false })) }
  }
  const manager = created[0]
  const changing = created.filter((_, index) => index % 3 === 1)
  const changed = await run('update', changing, (user) => updateUser(session, user, manager))
  const current = withChanges(created, changed)
  await run('groups', generateTeams(groups, seed), (team, index) =>
    pushGroup(session, team, membersOf(current, index, groups)),
  )
  const leavers = await run('offboard', lastPercent(current, offboardPercent), (user, index) =>
    offboard(session, user, index),
  )
  return { phases, outcome: session.outcome, leavers }
}

/**
 * The first phase. An accident looks up the users that it unassigns and creates missing ones; its repair assigns all of
 * them.
 */
function firstPhase({ accident, repair }: SimulationOptions): PhaseName {
  if (accident === undefined) return 'create'
  return repair === true ? 'assign' : 'find'
}

/**
 * Offboards a user. Providers that delete users do so weeks later; here, every second offboarded user is deleted
 * immediately.
 */
async function offboard(session: Session, user: LinkedUser, index: number): Promise<Leaver> {
  const deleted = session.dialect.deletesUsers && index % 2 === 0
  await offboardUser(session, user, deleted)
  return { id: user.id, deleted }
}

function withChanges(users: readonly LinkedUser[], changed: readonly LinkedUser[]): LinkedUser[] {
  const byId = new Map(changed.map((user) => [user.id, user]))
  return users.map((user) => byId.get(user.id) ?? user)
}

function lastPercent<T>(items: readonly T[], percent: number): T[] {
  return items.slice(items.length - Math.ceil((items.length * percent) / 100))
}

function figuresOf(tally: Tally, startedAt: number) {
  return {
    calls: tally.calls(),
    callCount: tally.callCount,
    errors: tally.errors(),
    errorCount: tally.errorCount,
    throttledCount: tally.throttledCount,
    elapsedMs: performance.now() - startedAt,
  }
}
