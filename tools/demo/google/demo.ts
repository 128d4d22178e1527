import { createPalette } from '../../../src/cli/terminal/palette.ts'
import type { JsonObject } from '../../../src/scim/json.ts'
import { isObject, own } from '../../../src/scim/json.ts'
import type { FakeGoogle } from '../../fake-google/server.ts'
import type { ApiClient } from '../../simulate/api-client.ts'
import { ApiError, createApiClient } from '../../simulate/api-client.ts'
import { deliveryText, lastEventsTable, signatureText } from '../event-view.ts'
import { productView, textOf } from '../product-view.ts'
import type { DemoOptions, DemoResult } from '../scim-demo.ts'
import type { DemoDirectory } from '../tenants.ts'
import { companyDomain, foundCompany } from './company.ts'
import type { SyncStage } from './sync.ts'
import { showSync } from './sync.ts'

export interface ExtdirDemoOptions extends DemoOptions {
  /** Where the service pulls from. */
  readonly google: FakeGoogle
}

interface Stage extends ExtdirDemoOptions, Pick<SyncStage, 'api' | 'palette'> {
  readonly directory: DemoDirectory
}

const tenant = 'initech'
const product = 'demo'
const eventsTimeoutMs = 20_000

/**
 * Connects a company's Google Workspace, pulls it, lets a week pass there, pulls again, and shows what happens when Google
 * answers with nothing at all.
 *
 * @throws ApiError when the service cannot be reached or refuses
 */
export async function playExtdirDemo(options: ExtdirDemoOptions): Promise<DemoResult> {
  const { io, google, receiver } = options
  const api = createApiClient(options)
  const palette = createPalette(io)
  const company = foundCompany(google)
  const heading = (text: string) => io.stdout.write(`\n${palette.bold(text)}\n`)

  heading(`The tenant ${tenant} connects its Google Workspace`)
  const directory = await openDirectory(api, options)
  const stage: Stage = { ...options, api, palette, directory }
  io.stdout.write(`  ${await consent(api, directory.id)}\n`)

  heading('The first sync')
  const first = await syncAndShow(stage)
  heading(`What the product sees of ${tenant}`)
  io.stdout.write(await productView(api, directory, palette))

  heading('A week later')
  for (const line of company.passWeek()) io.stdout.write(`  ${line}\n`)
  heading('The second sync')
  const second = await syncAndShow(stage)

  heading('Google answers with an empty list of users')
  const third = await syncEmptied(stage)
  io.stdout.write(`  nobody lost access; the run says: ${textOf(third, 'error')}\n`)

  heading('Delivery')
  const record = receiver.record(directory.id)
  io.stdout.write(`${deliveryText([{ tenant, record }])}  ${signatureText(receiver.signatures)}\n`)
  const states = [first, second, third].map((run) => own(run, 'state'))
  const isRight = states.join() === 'completed,completed,held' && own(third, 'deleted') === 0
  const isWhole = record.missing === 0 && record.inversions === 0 && receiver.signatures.refused === 0
  return { directories: [], succeeded: isRight && isWhole }
}

/** A new directory: what an earlier demo left of this tenant is deleted, as its Workspace was another one. */
async function openDirectory(api: ApiClient, { receiver }: ExtdirDemoOptions): Promise<DemoDirectory> {
  const { url, secret } = receiver.openEndpoint(tenant)
  const old = await api.call('GET', `?${new URLSearchParams({ tenant, product })}`)
  for (const one of Array.isArray(old) ? old.filter(isObject) : []) await api.call('DELETE', `/${textOf(one, 'id')}`)
  const name = `${tenant}: Google Workspace`
  const webhook = { webhook_url: url, webhook_secret: secret }
  const fields = { name, tenant, product, type: 'extdir', extdir_domain: companyDomain, ...webhook }
  const created = await api.call('POST', '', fields)
  if (!isObject(created)) throw new ApiError('The service answered with a directory that is none.')
  return { id: textOf(created, 'id'), tenant, product, scimUrl: '', secret: '' }
}

/** Goes where an administrator of the company would, to Google and back; answers what the last page says. */
async function consent(api: ApiClient, directoryId: string): Promise<string> {
  const directory = await api.call('GET', `/${directoryId}`)
  const address = isObject(directory) ? textOf(directory, 'extdir_authorization_url') : ''
  const page = await (await fetch(address)).text()
  const [, title = 'no page'] = /<title>([^<]*)/.exec(page) ?? []
  return `an administrator opens ${address}\n  and consents; the page says: ${title}`
}

async function syncAndShow(stage: Stage): Promise<JsonObject> {
  const { directory, receiver, io, palette } = stage
  const before = receiver.record(directory.id).count
  const run = await showSync(stage, directory.id)
  const record = () => receiver.record(directory.id)
  const wanted = await lastSequence(stage)
  await receiver.waitUntil(() => record().count >= wanted, eventsTimeoutMs, io.signal)
  const count = record().count - before
  io.stdout.write(`  ${count} events came out${count > 0 ? ', the last of them:' : ''}\n`)
  if (count > 0) io.stdout.write(lastEventsTable([{ tenant, record: record() }], palette))
  return run
}

/** How many events the directory has made: they are numbered without gaps. */
async function lastSequence({ api, directory }: Stage): Promise<number> {
  const status = await api.call('GET', `/${directory.id}/delivery`)
  return isObject(status) ? Number(own(status, 'last_sequence')) : 0
}

async function syncEmptied(stage: Stage): Promise<JsonObject> {
  const { google } = stage
  const before = google.onRequest
  google.onRequest = ({ endpoint }) => (endpoint === 'users.list' ? { kind: 'empty-list' } : undefined)
  try {
    return await syncAndShow(stage)
  } finally {
    google.onRequest = before
  }
}
