import type { ExampleDirectory } from '../../src/cli/terminal/first-steps.ts'
import type { CommandIo } from '../../src/cli/terminal/io.ts'
import type { Palette } from '../../src/cli/terminal/palette.ts'
import { createPalette } from '../../src/cli/terminal/palette.ts'
import { createProgress } from '../../src/cli/terminal/progress.ts'
import { countOf } from '../../src/cli/terminal/quantity.ts'
import { own } from '../../src/scim/json.ts'
import type { ApiClient } from '../simulate/api-client.ts'
import { createApiClient } from '../simulate/api-client.ts'
import { generatePeople } from '../simulate/people/person.ts'
import type { SimulationProgress } from '../simulate/phase.ts'
import { progressStep, summaryText } from '../simulate/report.ts'
import type { Leaver, SimulationSummary } from '../simulate/simulate.ts'
import { simulate } from '../simulate/simulate.ts'
import type { EventRecord } from './event-record.ts'
import { deliveryText, lastEventsTable, signatureText } from './event-view.ts'
import { countUsers, productView } from './product-view.ts'
import type { Receiver } from './receiver.ts'
import type { CastMember, DemoDirectory } from './tenants.ts'
import { cast, openDirectory } from './tenants.ts'

/** What the demo plays with: a running service, and a receiver that it can reach. */
export interface DemoOptions {
  /** Without a trailing slash. */
  readonly baseUrl: string
  readonly apiKey: string
  readonly receiver: Receiver
  readonly io: Pick<CommandIo, 'stdout' | 'env' | 'signal'>
}

/** What the demo leaves behind. */
export interface DemoResult {
  /** Those that were played, each with the name of one of its users: `firstStepsText` takes one. */
  readonly directories: readonly (DemoDirectory & ExampleDirectory)[]
  /** Every call succeeded and every event arrived, in order and with a good signature. */
  readonly succeeded: boolean
}

/** What all parts of one demo share. */
interface Stage extends DemoOptions {
  readonly api: ApiClient
  readonly palette: Palette
}

/** One tenant's part, played. */
interface PlayedPart {
  readonly member: CastMember
  readonly directory: DemoDirectory
  /** Of the first person who joined: one who stays. */
  readonly userName: string | undefined
  readonly succeeded: boolean
}

const eventsTimeoutMs = 20_000

/**
 * Connects the directories of the cast, provisions them as their providers would, and prints what the product sees.
 * @throws ApiError when the service cannot be reached or refuses
 */
export async function playDemo(options: DemoOptions): Promise<DemoResult> {
  const stage = { ...options, api: createApiClient(options), palette: createPalette(options.io) }
  const parts: PlayedPart[] = []
  for (const member of cast) {
    if (!options.io.signal?.aborted) parts.push(await playPart(stage, member))
  }
  for (const part of parts) await showProductView(stage, part)
  showEvents(stage, parts)
  const { refused } = options.receiver.signatures
  return {
    directories: parts.map(({ directory, userName }) => ({ ...directory, userName })),
    succeeded: parts.length === cast.length && parts.every(({ succeeded }) => succeeded) && refused === 0,
  }
}

async function playPart(stage: Stage, member: CastMember): Promise<PlayedPart> {
  const { api, receiver } = stage
  const directory = await openDirectory(api, member, receiver.openEndpoint(member.tenant))
  const present = await countUsers(api, directory)
  const seed = member.firstSeed + present
  announce(stage, member, present)
  const summary = await provision(stage, member, directory, seed)
  const arrived = await awaitEvents(stage, directory, summary.leavers)
  const { missing, inversions } = receiver.record(directory.id)
  const complete = arrived && missing === 0 && inversions === 0
  const userName = generatePeople(1, seed, member.mailDomain)[0]?.userName
  return { member, directory, userName, succeeded: complete && summary.errorCount === 0 && !summary.interrupted }
}

function announce({ io, palette }: Stage, { tenant, provider }: CastMember, present: number): void {
  io.stdout.write(`\n${palette.bold(`${provider} provisions the tenant ${tenant}`)}\n`)
  if (present === 0) return
  const people = `${countOf(present, 'user')} ${present === 1 ? 'is' : 'are'} here from an earlier run`
  io.stdout.write(`  ${palette.dim(`${people}: they stay, and other people join. Groups of the same name grow.`)}\n`)
}

async function provision(
  { io, palette }: Stage,
  { dialect, users, groups, offboardPercent, mailDomain }: CastMember,
  { scimUrl, secret }: DemoDirectory,
  seed: number,
): Promise<SimulationSummary> {
  const progress = createProgress(io)
  const onProgress = (state: SimulationProgress) => progress.show(progressStep(state))
  const play = { dialect, users, groups, offboardPercent, mailDomain, seed, onProgress, signal: io.signal }
  const summary = await simulate({ ...play, scimUrl, secret })
  progress.end()
  if (summary.errorCount > 0) io.stdout.write(`\n${summaryText(summary, palette)}`)
  return summary
}

/**
 * Waits for the last event of everyone who left. People leave at the end, and a directory's events come in order, so
 * every event before has arrived as well.
 */
async function awaitEvents(
  { receiver, io, palette }: Stage,
  { id }: DemoDirectory,
  leavers: readonly Leaver[],
): Promise<boolean> {
  const complete = () => leavers.every((leaver) => hasLeft(receiver.record(id), leaver))
  const arrived = await receiver.waitUntil(complete, eventsTimeoutMs, io.signal)
  if (!arrived) io.stdout.write(`  ${palette.red('Some events have not arrived yet.')}\n`)
  return arrived
}

function hasLeft({ lastUserEvents }: EventRecord, { id, deleted }: Leaver): boolean {
  const event = lastUserEvents.get(id)
  if (event === undefined) return false
  return deleted ? event.type === 'user.deleted' : own(event.data, 'active') === false
}

async function showProductView({ api, io, palette }: Stage, { member, directory }: PlayedPart): Promise<void> {
  io.stdout.write(`\n${palette.bold(`What the product sees of ${member.tenant}`)}\n`)
  io.stdout.write(await productView(api, directory, palette))
}

function showEvents({ receiver, io, palette }: Stage, parts: readonly PlayedPart[]): void {
  const tenants = parts.map(({ member, directory }) => ({
    tenant: member.tenant,
    record: receiver.record(directory.id),
  }))
  io.stdout.write(`\n${palette.bold('The last events')}\n${lastEventsTable(tenants, palette)}\n`)
  io.stdout.write(`${palette.bold('Delivery')}\n${deliveryText(tenants)}`)
  io.stdout.write(`  ${signatureText(receiver.signatures)}\n`)
}
