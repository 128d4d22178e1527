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
import type { DemoDirectory, DemoTenant } from './tenants.ts'
import { demoTenants, openDirectory } from './tenants.ts'

/** A running service and a receiver that it can reach. */
export interface DemoOptions {
  /** Without a trailing slash. */
  readonly baseUrl: string
  readonly apiKey: string
  readonly receiver: Receiver
  readonly io: Pick<CommandIo, 'stdout' | 'env' | 'signal'>
}

export interface DemoResult {
  /** The provisioned directories, each with the userName of one of its users. */
  readonly directories: readonly (DemoDirectory & ExampleDirectory)[]
  /** Whether every call succeeded and every event was received, in order and with a valid signature. */
  readonly succeeded: boolean
}

interface Demo extends DemoOptions {
  readonly api: ApiClient
  readonly palette: Palette
}

/** A tenant after its directory has been provisioned. */
interface ProvisionedTenant {
  readonly tenant: DemoTenant
  readonly directory: DemoDirectory
  /** A user who is not offboarded. */
  readonly userName: string | undefined
  readonly succeeded: boolean
}

const eventsTimeoutMs = 20_000

/**
 * Creates a directory for each tenant, provisions it like its identity provider, and prints the product's view.
 * @throws ApiError when the service responds with an error or cannot be reached
 */
export async function runScimDemo(options: DemoOptions): Promise<DemoResult> {
  const demo = { ...options, api: createApiClient(options), palette: createPalette(options.io) }
  const provisioned: ProvisionedTenant[] = []
  for (const tenant of demoTenants) {
    if (!options.io.signal?.aborted) provisioned.push(await provisionTenant(demo, tenant))
  }
  for (const tenant of provisioned) await showProductView(demo, tenant)
  showEvents(demo, provisioned)
  const { invalid } = options.receiver.signatures
  return {
    directories: provisioned.map(({ directory, userName }) => ({ ...directory, userName })),
    succeeded:
      provisioned.length === demoTenants.length && provisioned.every(({ succeeded }) => succeeded) && invalid === 0,
  }
}

async function provisionTenant(demo: Demo, tenant: DemoTenant): Promise<ProvisionedTenant> {
  const { api, receiver } = demo
  const directory = await openDirectory(api, tenant, receiver.openEndpoint(tenant.tenant))
  const existingUsers = await countUsers(api, directory)
  const seed = tenant.firstSeed + existingUsers
  showHeading(demo, tenant, existingUsers)
  const summary = await provision(demo, tenant, directory, seed)
  const arrived = await awaitEvents(demo, directory, summary.leavers)
  const { missing, inversions } = receiver.record(directory.id)
  const complete = arrived && missing === 0 && inversions === 0
  const userName = generatePeople(1, seed, tenant.mailDomain)[0]?.userName
  return { tenant, directory, userName, succeeded: complete && summary.errorCount === 0 && !summary.interrupted }
}

function showHeading({ io, palette }: Demo, { tenant, provider }: DemoTenant, existingUsers: number): void {
  io.stdout.write(`\n${palette.bold(`${provider} provisions the tenant ${tenant}`)}\n`)
  if (existingUsers === 0) return
  const users = `${countOf(existingUsers, 'user')} from an earlier run ${existingUsers === 1 ? 'remains' : 'remain'}`
  io.stdout.write(`  ${palette.dim(`${users}; new users are added, also to existing groups of the same name.`)}\n`)
}

async function provision(
  { io, palette }: Demo,
  { dialect, users, groups, offboardPercent, mailDomain }: DemoTenant,
  { scimUrl, secret }: DemoDirectory,
  seed: number,
): Promise<SimulationSummary> {
  const progress = createProgress(io)
  const onProgress = (state: SimulationProgress) => progress.show(progressStep(state))
  const simulation = { dialect, users, groups, offboardPercent, mailDomain, seed, onProgress, signal: io.signal }
  const summary = await simulate({ ...simulation, scimUrl, secret })
  progress.end()
  if (summary.errorCount > 0) io.stdout.write(`\n${summaryText(summary, palette)}`)
  return summary
}

/**
 * Waits for the last event of every offboarded user. Users are offboarded last and events are delivered in order, so
 * all events have been received by then.
 */
async function awaitEvents(
  { receiver, io, palette }: Demo,
  { id }: DemoDirectory,
  leavers: readonly Leaver[],
): Promise<boolean> {
  const complete = () => leavers.every((leaver) => hasLeft(receiver.record(id), leaver))
  const arrived = await receiver.waitUntil(complete, eventsTimeoutMs, io.signal)
  if (!arrived) io.stdout.write(`  ${palette.red('Some events have not been received in time.')}\n`)
  return arrived
}

/** Whether the last event of an offboarded user has been received. */
export function hasLeft({ lastUserEvents }: EventRecord, { id, deleted }: Leaver): boolean {
  const event = lastUserEvents.get(id)
  if (event === undefined) return false
  return deleted ? event.type === 'user.deleted' : own(event.data, 'active') === false
}

async function showProductView({ api, io, palette }: Demo, { tenant, directory }: ProvisionedTenant): Promise<void> {
  io.stdout.write(`\n${palette.bold(`What the product sees of ${tenant.tenant}`)}\n`)
  io.stdout.write(await productView(api, directory, palette))
}

function showEvents({ receiver, io, palette }: Demo, provisioned: readonly ProvisionedTenant[]): void {
  const tenants = provisioned.map(({ tenant, directory }) => ({
    tenant: tenant.tenant,
    record: receiver.record(directory.id),
  }))
  io.stdout.write(`\n${palette.bold('The last events')}\n${lastEventsTable(tenants, palette)}\n`)
  io.stdout.write(`${palette.bold('Delivery')}\n${deliveryText(tenants)}`)
  io.stdout.write(`  ${signatureText(receiver.signatures)}\n`)
}
