import { createPalette } from '../../src/cli/terminal/palette.ts'
import { createProgress } from '../../src/cli/terminal/progress.ts'
import { countOf } from '../../src/cli/terminal/quantity.ts'
import { own } from '../../src/scim/json.ts'
import type { ApiClient } from '../simulate/api-client.ts'
import { createApiClient } from '../simulate/api-client.ts'
import { fetchHold, holdText } from '../simulate/hold.ts'
import { generatePeople } from '../simulate/people/person.ts'
import type { SimulationProgress } from '../simulate/phase.ts'
import { progressStep } from '../simulate/report.ts'
import type { SimulationOptions } from '../simulate/simulate.ts'
import { simulate } from '../simulate/simulate.ts'
import type { ReceivedEvent } from './event-record.ts'
import type { DemoOptions, DemoResult } from './scim-demo.ts'
import type { DemoDirectory, DemoTenant } from './tenants.ts'
import { openDirectory } from './tenants.ts'

const tenant: DemoTenant = {
  tenant: 'initech',
  product: 'demo',
  provider: 'Okta',
  type: 'okta-scim-v2',
  dialect: 'okta',
  firstSeed: 900,
  mailDomain: 'initech.example.com',
  users: 60,
  groups: 3,
  offboardPercent: 0,
}

/** Holds the first removal, so that the demo can show that no event of the accident is sent. */
const removalLimit = { percent: 1, minimum: 0, window_seconds: 3600 }

const shownEmails = 5
const eventsTimeoutMs = 20_000

/**
 * Provisions a directory, unassigns everybody by mistake, shows the hold, repairs the directory, discards the hold, and
 * shows the events that the product received.
 *
 * @throws ApiError when the service responds with an error or cannot be reached
 */
export async function runAccidentDemo(options: DemoOptions): Promise<DemoResult> {
  const { receiver, io } = options
  const api = createApiClient(options)
  const palette = createPalette(io)
  const say = (text: string) => io.stdout.write(`${text}\n`)
  const directory = await openHeldDirectory(api, options)
  const receivedEvents = () => receiver.record(directory.id).recent

  say(`\n${palette.bold('Okta provisions 60 users of the tenant initech')}`)
  await play(options, directory, { accident: 'unassign-all', repair: true })
  await receiver.waitUntil(() => receiver.record(directory.id).lastUserEvents.size >= tenant.users, eventsTimeoutMs)

  say(`\n${palette.bold('An administrator unassigns the application: everybody is deactivated')}`)
  await play(options, directory, { accident: 'unassign-all' })
  const hold = await fetchHold(api, directory.id)
  say(`  ${palette.red(holdText(hold))}`)
  const others = hold.emails.length - shownEmails
  say(
    `  It concerns ${hold.emails.slice(0, shownEmails).join(', ')}${others > 0 ? ` and ${countOf(others, 'other user')}` : ''}.`,
  )

  say(`\n${palette.bold('The administrator assigns everybody again, and you discard the hold')}`)
  await play(options, directory, { accident: 'unassign-all', repair: true })
  await fetchHold(api, directory.id, 'discard')
  const isOver = await receiver.waitUntil(
    () => receivedEvents().at(-1)?.type === 'sync.completed',
    eventsTimeoutMs,
    io.signal,
  )
  const removals = receivedEvents().filter(isRemoval).length
  const snapshots = receivedEvents().filter(({ type }) => type === 'user.snapshot').length
  const { missing, inversions } = receiver.record(directory.id)
  say(`  The product received a resync of ${countOf(snapshots, 'user')} in place of the held events, without a gap.`)
  say(`  ${palette.bold(`Removals that the product received: ${removals}.`)}`)
  const succeeded = isOver && hold.held && removals === 0 && missing === 0 && inversions === 0
  const userName = generatePeople(1, tenant.firstSeed, tenant.mailDomain)[0]?.userName
  return { directories: [{ ...directory, userName }], succeeded }
}

/** Opens the directory of this demo, and ends a hold of an earlier run that was interrupted. */
async function openHeldDirectory(api: ApiClient, { receiver }: DemoOptions): Promise<DemoDirectory> {
  const directory = await openDirectory(api, tenant, receiver.openEndpoint(tenant.tenant))
  await fetchHold(api, directory.id, 'release')
  await api.call('PATCH', `/${directory.id}`, { removal_limit: removalLimit })
  return directory
}

async function play(
  { io }: DemoOptions,
  { scimUrl, secret }: DemoDirectory,
  what: Pick<SimulationOptions, 'accident' | 'repair'>,
): Promise<void> {
  const { dialect, users, groups, mailDomain, firstSeed: seed } = tenant
  const progress = createProgress(io)
  const onProgress = (state: SimulationProgress) => progress.show(progressStep(state))
  await simulate({ dialect, users, groups, mailDomain, seed, scimUrl, secret, ...what, onProgress, signal: io.signal })
  progress.end()
}

function isRemoval({ type, data }: ReceivedEvent): boolean {
  return type === 'user.deleted' || (type === 'user.updated' && own(data, 'active') === false)
}
