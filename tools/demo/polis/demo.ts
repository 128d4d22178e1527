import type { RunningServer } from '../../../src/app/server.ts'
import type { ExampleDirectory } from '../../../src/cli/terminal/first-steps.ts'
import type { CommandIo } from '../../../src/cli/terminal/io.ts'
import { createPalette } from '../../../src/cli/terminal/palette.ts'
import { createProgress } from '../../../src/cli/terminal/progress.ts'
import { countOf, formatMs } from '../../../src/cli/terminal/quantity.ts'
import type { RunningPolis } from '../../polis/polis.ts'
import { createApiClient, scimAddressOf } from '../../simulate/api-client.ts'
import { generatePeople } from '../../simulate/people/person.ts'
import type { SimulationProgress } from '../../simulate/phase.ts'
import { progressStep, summaryText } from '../../simulate/report.ts'
import type { SimulationOptions, SimulationSummary } from '../../simulate/simulate.ts'
import { simulate } from '../../simulate/simulate.ts'
import { lastEventsTable, signatureText } from '../event-view.ts'
import { productView, textOf } from '../product-view.ts'
import type { Receiver } from '../receiver.ts'
import { hasLeft } from '../scim-demo.ts'
import type { DemoDirectory, DemoTenant } from '../tenants.ts'
import { demoTenants } from '../tenants.ts'
import type { CutOver, CutOverOptions } from './cut-over.ts'
import { cutOver, runImport } from './cut-over.ts'

export interface PolisDemoOptions extends CutOverOptions {
  /** A Polis whose events wait in its queue, behind the proxy. */
  readonly polis: RunningPolis
  readonly apiKey: string
  readonly receiver: Receiver
  readonly io: Pick<CommandIo, 'stdout' | 'env' | 'signal'>
}

export interface PolisDemoResult {
  readonly server: RunningServer
  readonly directories: readonly (DemoDirectory & ExampleDirectory)[]
  readonly succeeded: boolean
}

const eventsTimeoutMs = 20_000
const usersPerWave = 6
const shownDecisions = 6

/**
 * Fills a Polis by two simulated identity providers, and moves it while one of them goes on. The service that the move has
 * started remains open.
 *
 * @throws ApiError when Polis or Rollcall responds with an error
 */
export async function runPolisDemo(options: PolisDemoOptions): Promise<PolisDemoResult> {
  const { polis, proxy, receiver, io, apiKey } = options
  const palette = createPalette(io)
  const say = (text: string) => io.stdout.write(`${text}\n`)
  const heading = (text: string) => say(`\n${palette.bold(text)}`)
  proxy.switchTo(polis.url)
  say(
    `Polis answers at ${proxy.url}, behind a proxy: this is the address that identity providers and the product know.`,
  )

  const moving: { readonly tenant: DemoTenant; readonly directory: DemoDirectory }[] = []
  for (const tenant of polisTenants) {
    heading(`${tenant.provider} provisions the tenant ${tenant.tenant} into Polis`)
    const directory = await createPolisDirectory(options, tenant)
    moving.push({ tenant, directory })
    await provision(options, tenant, directory, { seed: tenant.firstSeed, users: tenant.users })
  }

  heading('rollcall import polis --plan: what would be moved')
  const plan = await runImport(options, 'plan')
  say(`  ${contentOf(plan)}, with all ids, secrets and addresses.`)
  for (const { text } of plan.decisions.slice(0, shownDecisions)) say(`  ${palette.dim(text)}`)
  const others = plan.decisions.length - shownDecisions
  if (others > 0) say(`  ${palette.dim(`and ${countOf(others, 'other decision')}`)}`)

  heading('rollcall import polis --apply: the first run, while Polis is in use')
  const copied = await runImport(options, 'apply')
  say(`  ${contentOf(copied)} and ${countOf(copied.totals.events, 'queued event')} have been copied.`)

  const [first, second] = moving
  if (first === undefined || second === undefined) throw new Error('The demo has two tenants.')
  heading(`${first.tenant.provider} goes on, and the address moves meanwhile`)
  const isHalfDone = Promise.withResolvers<void>()
  const wave = {
    ...{ seed: first.tenant.firstSeed + 100, users: usersPerWave, ratePerSecond: 20 },
    onProgress: ({ phase, done, total }: SimulationProgress) => {
      if (phase !== 'connect' && (phase !== 'create' || done >= total / 2)) isHalfDone.resolve()
    },
  }
  const wholeWave = provision(options, first.tenant, first.directory, wave).finally(isHalfDone.resolve)
  const [during, cut] = await Promise.all([wholeWave, isHalfDone.promise.then(() => cutOver(options))])
  say(`  ${cutOverText(cut, during)}`)

  heading(`${second.tenant.provider} goes on, with the same address and token`)
  const rest = { seed: second.tenant.firstSeed + 100, users: usersPerWave }
  const after = await provision(options, second.tenant, second.directory, rest)

  const haveArrived =
    (await awaitEvents(options, first.directory, during)) && (await awaitEvents(options, second.directory, after))
  const api = createApiClient({ baseUrl: cut.server.baseUrl, apiKey })
  for (const { tenant, directory } of moving) {
    heading(`What the product sees of ${tenant.tenant} in Rollcall`)
    io.stdout.write(await productView(api, directory, palette))
  }
  const records = moving.map(({ tenant, directory }) => ({
    tenant: tenant.tenant,
    record: receiver.record(directory.id),
  }))
  heading('The last events: Rollcall has delivered those first that waited in the queue of Polis')
  say(lastEventsTable(records, palette))
  for (const { tenant, record } of records) {
    say(`  ${tenant}: ${countOf(record.count, 'event')}, ${record.missing} missing, ${record.inversions} out of order`)
  }
  say(`  ${signatureText(receiver.signatures)}`)
  const isWhole = records.every(({ record }) => record.count > 0 && record.missing === 0 && record.inversions === 0)
  return {
    server: cut.server,
    directories: moving.map(({ tenant, directory }) => ({ ...directory, userName: userNameOf(tenant) })),
    succeeded:
      cut.verified.difference_count === 0 &&
      [during, after].every(({ errorCount, interrupted }) => errorCount === 0 && !interrupted) &&
      haveArrived &&
      isWhole &&
      receiver.signatures.invalid === 0,
  }
}

/** The address that Polis gives to Entra ID asks it for the dialect that Polis understands. */
const polisTenants: readonly DemoTenant[] = demoTenants.map((tenant) =>
  tenant.dialect === 'entra' ? { ...tenant, dialect: 'entra-flag' } : tenant,
)

async function createPolisDirectory(
  { polis, receiver }: PolisDemoOptions,
  { tenant, product, type, provider }: DemoTenant,
): Promise<DemoDirectory> {
  const { url, secret } = receiver.openEndpoint(tenant)
  const endpoint = { webhook_url: url, webhook_secret: secret }
  const api = createApiClient({ baseUrl: polis.url, apiKey: polis.apiKey })
  const created = await api.call('POST', '', { name: `${tenant}: ${provider}`, tenant, product, type, ...endpoint })
  const { scimUrl, secret: token } = scimAddressOf(created)
  const id = textOf(created as Parameters<typeof textOf>[0], 'id')
  return { id, tenant, product, scimUrl: scimUrl.replace(/\/\?.*$/, ''), secret: token }
}

async function provision(
  { io }: PolisDemoOptions,
  { dialect, groups, mailDomain, offboardPercent }: DemoTenant,
  { scimUrl, secret }: DemoDirectory,
  what: Pick<SimulationOptions, 'seed' | 'users' | 'ratePerSecond' | 'onProgress'>,
): Promise<SimulationSummary> {
  const progress = createProgress(io)
  const onProgress = (state: SimulationProgress) => {
    progress.show(progressStep(state))
    what.onProgress?.(state)
  }
  const common = { dialect, groups, mailDomain, offboardPercent, scimUrl, secret, signal: io.signal }
  const summary = await simulate({ ...common, ...what, onProgress })
  progress.end()
  if (summary.errorCount > 0) io.stdout.write(`\n${summaryText(summary, createPalette(io))}`)
  return summary
}

type Report = CutOver['applied']

function contentOf({ directories, totals: { users, groups, members } }: Report): string {
  const sum = ({ created, updated, unchanged }: Report['totals']['users']) => created + updated + unchanged
  return [
    `${directories.length} directories`,
    countOf(sum(users), 'user'),
    countOf(sum(groups), 'group'),
    countOf(sum(members), 'member'),
  ].join(', ')
}

function cutOverText({ applied, verified, windowMs }: CutOver, { throttledCount }: SimulationSummary): string {
  const { users, groups, members, events } = applied.totals
  const changes = [users, groups, members].reduce(
    (sum, tally) => sum + tally.created + tally.updated + tally.deleted,
    0,
  )
  return [
    `Requests were answered with 503 for ${formatMs(windowMs)}; ${countOf(throttledCount, 'request')} had to be repeated.`,
    `The second run brought what had changed since the first: ${countOf(changes, 'change')}, ${countOf(events, 'queued event')}.`,
    `--verify: ${countOf(verified.difference_count, 'difference')}.`,
  ].join('\n  ')
}

/** Waits for the last event of every user that a provider has offboarded last: events are delivered in order. */
async function awaitEvents(
  { receiver, io }: PolisDemoOptions,
  { id }: DemoDirectory,
  { leavers }: SimulationSummary,
): Promise<boolean> {
  const isComplete = () => leavers.every((leaver) => hasLeft(receiver.record(id), leaver))
  return await receiver.waitUntil(isComplete, eventsTimeoutMs, io.signal)
}

function userNameOf({ firstSeed, mailDomain }: DemoTenant): string | undefined {
  return generatePeople(1, firstSeed, mailDomain)[0]?.userName
}
