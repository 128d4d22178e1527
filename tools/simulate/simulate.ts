import type { LinkedUser } from './dialect.ts'
import type { DialectName } from './dialects.ts'
import { dialects } from './dialects.ts'
import type { Outcome, Session } from './journeys.ts'
import { joinUser, offboardUser, pushGroup, updateUser } from './journeys.ts'
import { generatePeople } from './people/person.ts'
import { generateTeams, membersOf } from './people/team.ts'
import type { PhaseName, PhaseSummary, SimulationProgress } from './phase.ts'
import { runPhase } from './phase.ts'
import { createPace, createScimClient } from './scim-client.ts'
import type { CallSummary, ErrorSummary, Tally } from './tally.ts'
import { createTally } from './tally.ts'

/** What is to be played, and against which directory. */
export interface SimulationOptions {
  readonly dialect: DialectName
  readonly scimUrl: string
  readonly secret: string
  readonly users: number
  readonly groups: number
  /** How many of the users leave in the end, in percent. Default 10. */
  readonly offboardPercent?: number | undefined
  /** Requests per second; 0, the default: as fast as the connections allow. */
  readonly ratePerSecond?: number | undefined
  /** How many users, or groups, are worked on at a time, each on its own connection. Default 4. */
  readonly concurrency?: number | undefined
  /** The same seed gives the same people. Default 1. */
  readonly seed?: number | undefined
  /** Of everybody's address; people of two seeds may then be the same. Default: the example domains. */
  readonly mailDomain?: string | undefined
  readonly onProgress?: ((progress: SimulationProgress) => void) | undefined
  /** Once aborted, calls in flight are finished and no other is made. */
  readonly signal?: AbortSignal | undefined
}

/** A user who left. */
export interface Leaver {
  readonly id: string
  readonly deleted: boolean
}

/** What happened. */
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
  /** How often the service asked to come back later. */
  readonly throttledCount: number
  readonly elapsedMs: number
  /** The signal was aborted before everything was done. */
  readonly interrupted: boolean
}

/** Plays an identity provider from the first connection to the last leaver. It rejects only for what is not the service's. */
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
    const played = await play({ dialect, send: client.send, outcome: emptyOutcome() }, options, tally)
    return { ...played, ...figuresOf(tally, startedAt), dialect: name, interrupted: signal?.aborted === true }
  } finally {
    await client.close()
  }
}

type Played = Pick<SimulationSummary, 'phases' | 'outcome' | 'leavers'>

/** The phases in a provider's order. Without a connection there is no provisioning. */
async function play(session: Session, options: SimulationOptions, tally: Tally): Promise<Played> {
  const { users, groups, seed = 1, mailDomain, concurrency = 4, offboardPercent = 10 } = options
  const phases: PhaseSummary[] = []
  const run = async <T, R>(phase: PhaseName, items: readonly T[], work: (item: T, index: number) => Promise<R>) => {
    const { results, summary } = await runPhase({ ...options, concurrency, tally }, phase, items, work)
    phases.push(summary)
    return results
  }
  const connected = await run('connect', [seed], () => session.dialect.connect(session.send, seed))
  if (connected.length === 0) return { phases, outcome: session.outcome, leavers: [] }

  const joined = await run('join', generatePeople(users, seed, mailDomain), (person) => joinUser(session, person))
  const manager = joined[0]
  const changing = joined.filter((_, index) => index % 3 === 1)
  const changed = await run('update', changing, (user) => updateUser(session, user, manager))
  const current = withChanges(joined, changed)
  await run('groups', generateTeams(groups, seed), (team, index) =>
    pushGroup(session, team, membersOf(current, index, groups)),
  )
  const leavers = await run('offboard', lastPercent(current, offboardPercent), (user, index) =>
    leave(session, user, index),
  )
  return { phases, outcome: session.outcome, leavers }
}

/** Where a provider deletes, it does so weeks later: here, for the first, third, fifth … of those who leave. */
async function leave(session: Session, user: LinkedUser, index: number): Promise<Leaver> {
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

function emptyOutcome(): Outcome {
  return {
    usersCreated: 0,
    usersLinked: 0,
    usersUpdated: 0,
    usersDeactivated: 0,
    usersDeleted: 0,
    groupsCreated: 0,
    groupsLinked: 0,
    membersAdded: 0,
    membersRemoved: 0,
  }
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
