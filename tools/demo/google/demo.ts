import { setTimeout } from 'node:timers/promises'
import { createPalette } from '../../../src/cli/terminal/palette.ts'
import { countOf } from '../../../src/cli/terminal/quantity.ts'
import type { JsonObject } from '../../../src/scim/json.ts'
import { isObject, own } from '../../../src/scim/json.ts'
import type { FakeGoogle } from '../../fake-google/server.ts'
import type { ApiClient } from '../../simulate/api-client.ts'
import { ApiError, createApiClient } from '../../simulate/api-client.ts'
import { deliveryText, lastEventsTable, signatureText } from '../event-view.ts'
import { productView, textOf } from '../product-view.ts'
import type { DemoOptions, DemoResult } from '../scim-demo.ts'
import type { DemoDirectory } from '../tenants.ts'
import { companyDomain, createCompany } from './company.ts'
import type { SyncDisplay } from './sync.ts'
import { showSync } from './sync.ts'

export interface GoogleDemoOptions extends DemoOptions {
  /** The simulated Google that the service syncs from. */
  readonly google: FakeGoogle
}

interface Demo extends GoogleDemoOptions, Pick<SyncDisplay, 'palette'> {
  readonly api: ApiClient
  readonly directory: DemoDirectory
}

const tenant = 'initech'
const product = 'demo'
const eventsTimeoutMs = 20_000
const pollMs = 100

/**
 * Connects a company's Google Workspace, syncs it, changes some users and syncs again, and shows what happens when Google
 * returns an empty list of users.
 *
 * @throws ApiError when the service responds with an error or cannot be reached
 */
export async function runGoogleDemo(options: GoogleDemoOptions): Promise<DemoResult> {
  const { io, google, receiver } = options
  const api = createApiClient(options)
  const palette = createPalette(io)
  const company = createCompany(google)
  const heading = (text: string) => io.stdout.write(`\n${palette.bold(text)}\n`)

  heading(`The tenant ${tenant} connects its Google Workspace`)
  const directory = await openDirectory(api, options)
  const demo: Demo = { ...options, api, palette, directory }
  const first = await syncAndShow(demo, async () => {
    io.stdout.write(`  ${await consent(api, directory.id)}\n`)
    heading('The consent starts the first sync')
    return endOfFirstSync(demo)
  })
  heading(`What the product sees of ${tenant}`)
  io.stdout.write(await productView(api, directory, palette))

  heading('A week later')
  for (const line of company.changeSomeUsers()) io.stdout.write(`  ${line}\n`)
  heading('The second sync')
  const second = await syncAndShow(demo)

  heading('Google returns an empty list of users')
  const third = await syncWithEmptyList(demo)
  io.stdout.write(`  nobody was deleted; the run reports: ${textOf(third, 'error')}\n`)

  heading('Delivery')
  const record = receiver.record(directory.id)
  io.stdout.write(`${deliveryText([{ tenant, record }])}  ${signatureText(receiver.signatures)}\n`)
  const states = [first, second, third].map((run) => own(run, 'state'))
  const hasExpectedStates = states.join() === 'completed,completed,held' && own(third, 'deleted') === 0
  const isComplete = record.missing === 0 && record.inversions === 0 && receiver.signatures.invalid === 0
  return { directories: [directory], succeeded: hasExpectedStates && isComplete }
}

/** Creates a new directory; the one of an earlier run is deleted, as it belongs to another Workspace. */
async function openDirectory(api: ApiClient, { receiver }: GoogleDemoOptions): Promise<DemoDirectory> {
  const { url, secret } = receiver.openEndpoint(tenant)
  const existing = await api.call('GET', `?${new URLSearchParams({ tenant, product })}`)
  for (const one of Array.isArray(existing) ? existing.filter(isObject) : [])
    await api.call('DELETE', `/${textOf(one, 'id')}`)
  const name = `${tenant}: Google Workspace`
  const webhook = { webhook_url: url, webhook_secret: secret }
  const fields = { name, tenant, product, type: 'extdir', extdir_domain: companyDomain, ...webhook }
  const created = await api.call('POST', '', fields)
  if (!isObject(created)) throw new ApiError('The service returned an invalid directory.')
  return { id: textOf(created, 'id'), tenant, product, scimUrl: '', secret: '' }
}

/** Opens the authorization URL like an administrator of the company, and describes the page after the consent. */
async function consent(api: ApiClient, directoryId: string): Promise<string> {
  const directory = await api.call('GET', `/${directoryId}`)
  const address = isObject(directory) ? textOf(directory, 'extdir_authorization_url') : ''
  const page = await (await fetchAsBrowser(address)).text()
  const [, title = 'no page'] = /<title>([^<]*)/.exec(page) ?? []
  return `An administrator opens ${address}\n  and consents. The page says: ${title}`
}

/** Follows redirects and, unlike `fetch`, sends back the cookie that the first response sets. */
async function fetchAsBrowser(address: string): Promise<Response> {
  let response = await fetch(address, { redirect: 'manual' })
  const cookie = response.headers.get('set-cookie')?.replace(/;.*/, '') ?? ''
  for (let next = response.headers.get('location'); next !== null; next = response.headers.get('location')) {
    response = await fetch(next, { redirect: 'manual', headers: { cookie } })
  }
  return response
}

/** @param sync starts a sync, and resolves with the run when it has ended */
async function syncAndShow(demo: Demo, sync = () => syncNow(demo)): Promise<JsonObject> {
  const { directory, receiver, io, palette } = demo
  const before = receiver.record(directory.id).count
  const run = await showSync(demo, sync)
  const record = () => receiver.record(directory.id)
  const expected = await lastSequence(demo)
  await receiver.waitUntil(() => record().count >= expected, eventsTimeoutMs, io.signal)
  const count = record().count - before
  io.stdout.write(`  ${countOf(count, 'event')} received${count > 0 ? ', the last of them:' : ''}\n`)
  if (count > 0) io.stdout.write(lastEventsTable([{ tenant, record: record() }], palette))
  return run
}

async function syncNow({ api, directory }: Demo): Promise<JsonObject> {
  return runOf(await api.call('POST', `/${directory.id}/sync?wait=true`))
}

async function endOfFirstSync({ api, directory, io }: Demo): Promise<JsonObject> {
  for (;;) {
    const runs = await api.call('GET', `/${directory.id}/sync-runs`)
    const run = runOf(Array.isArray(runs) ? runs[0] : undefined)
    if (own(run, 'state') !== 'running') return run
    await setTimeout(pollMs, undefined, { signal: io.signal })
  }
}

function runOf(run: unknown): JsonObject {
  if (isObject(run)) return run
  throw new ApiError('The service returned an invalid sync run.')
}

/** The number of events in the directory, since sequences start at 1 and have no gaps. */
async function lastSequence({ api, directory }: Demo): Promise<number> {
  const status = await api.call('GET', `/${directory.id}/delivery`)
  return isObject(status) ? Number(own(status, 'last_sequence')) : 0
}

async function syncWithEmptyList(demo: Demo): Promise<JsonObject> {
  const { google } = demo
  const before = google.onRequest
  google.onRequest = ({ endpoint }) => (endpoint === 'users.list' ? { kind: 'empty-list' } : undefined)
  try {
    return await syncAndShow(demo)
  } finally {
    google.onRequest = before
  }
}
