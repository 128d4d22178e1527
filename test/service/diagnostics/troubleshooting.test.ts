import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { explainCommand } from '../../../src/cli/explain/command.ts'
import type { DirectoryView } from '../../../src/directory/directory-view.ts'
import { failed, statusWhen } from '../../support/delivery.ts'
import type { Receiver } from '../../support/receiver.ts'
import { startReceiver } from '../../support/receiver.ts'
import type { TestService } from '../../support/service.ts'
import { startTestService, testApiKey } from '../../support/service.ts'
import { fakeIo } from '../../unit/cli/support/fake-io.ts'

const page = await readFile(new URL('../../../docs/troubleshooting.md', import.meta.url), 'utf8')

/** A complaint of the page: the command, and the answer on the page. */
interface Complaint {
  readonly title: string
  readonly command: string
  readonly answer: string
}

function complaintsOf(text: string): Complaint[] {
  const sections = text.split(/^## \d+\. /m).slice(1)
  return sections.map((section) => {
    const [, command = ''] = /^```sh\n(.*?)\n```$/ms.exec(section) ?? []
    const [, answer = ''] = /^```text\n(.*?)\n```$/ms.exec(section) ?? []
    return { title: section.split('\n')[0] ?? '', command, answer }
  })
}

/** The common parts of the page and a run, without times, ids and line breaks. */
function normalized(text: string): string {
  return (
    text
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/\d{1,2} [A-Z][a-z]+ 20\d\d at \d\d:\d\d UTC/g, '<date>')
      .replaceAll(/20\d\d-\d\d-\d\d \d\d:\d\d:\d\d/g, '<time>')
      .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>')
      .replaceAll(/[0-9a-f]{8}…/g, '<id>…')
      .replaceAll(/\d+ ms/g, '<duration>')
      .replaceAll(/\d+ failed attempts?/g, '<failures>')
      // On a busy machine, there is more than one attempt.
      .replaceAll(/(<time> delivery 1 to endpoint, attempt \d+: answered 503 )+/g, '')
      .trim()
  )
}

let service: TestService
let consumer: Receiver
/** The tenant whose events the consumer rejects. */
let refusing = ''

before(async () => {
  consumer = await startReceiver()
  consumer.answer(({ tenant }) => (tenant === 'fjord' ? 503 : tenant === refusing ? 422 : 204))
  service = await startTestService('sqlite')
})
after(async () => {
  await service[Symbol.asyncDispose]()
  await consumer[Symbol.asyncDispose]()
})

interface Fields {
  readonly tenant: string
  readonly name: string
  readonly type?: string
}

/** A directory with an endpoint. */
const connect = (fields: Fields) => service.createDirectory({ ...consumer.endpoint, type: 'okta-scim-v2', ...fields })

const send = (directory: DirectoryView, method: string, path: string, body?: unknown) =>
  service.scim(directory, method, path, body)

const person = (userName: string) => ({ userName, emails: [{ value: userName, primary: true }], active: true })

/** Creates a user; its event is delivered when this resolves, unless the consumer does not accept it. */
async function provision(directory: DirectoryView, userName: string): Promise<string> {
  const { status, body } = await send(directory, 'POST', '/Users', person(userName))
  assert.equal(status, 201)
  await (directory.tenant === 'fjord' ? failed(service, directory.id) : isDelivered(directory))
  return body.id
}

const isDelivered = (directory: DirectoryView) =>
  statusWhen(service, directory.id, ({ undelivered }) => undelivered === 0)

/** Creates the situation of each complaint, by its title. */
const situations: Readonly<Record<string, () => Promise<unknown>>> = {
  async 'Nobody arrives'() {
    await connect({ tenant: 'acme', name: 'Acme' })
  },
  async 'One user is missing, others are there'() {
    const directory = await connect({ tenant: 'borealis', name: 'Borealis', type: 'azure-scim-v2' })
    await provision(directory, 'omar@borealis.example')
  },
  async 'The identity provider finds the user, but does not create it'() {
    const directory = await connect({ tenant: 'cobalt', name: 'Cobalt' })
    await send(directory, 'GET', '/Users?filter=userName%20eq%20%22maya%40cobalt.example%22')
  },
  async 'The identity provider reports an error for one user'() {
    const directory = await connect({ tenant: 'dunes', name: 'Dunes' })
    await provision(directory, 'maya@dunes.example')
    assert.equal((await send(directory, 'POST', '/Users', person('maya@dunes.example'))).status, 409)
  },
  async 'Since a certain day nothing arrives'() {
    const directory = await connect({ tenant: 'ember', name: 'Ember' })
    await send(directory, 'GET', '/ServiceProviderConfig')
    const mistaken = { scim: { ...directory.scim, secret: 'the token before the last rotation' } }
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      assert.equal((await service.scim(mistaken, 'GET', '/Users')).status, 401)
    }
  },
  async 'Everything arrives late, or not at all'() {
    const directory = await connect({ tenant: 'fjord', name: 'Fjord' })
    await provision(directory, 'maya@fjord.example')
  },
  async 'Rollcall has the user, the product does not'() {
    const directory = await connect({ tenant: 'grove', name: 'Grove' })
    await provision(directory, 'maya@grove.example')
    refusing = 'grove'
    await service.api('POST', `/${directory.id}/replay`, { sequence: 1 })
    await statusWhen(service, directory.id, ({ dead_events: dead }) => dead === 1)
  },
  async 'A user can no longer sign in'() {
    const directory = await connect({ tenant: 'harbor', name: 'Harbor' })
    const id = await provision(directory, 'maya@harbor.example')
    const operation = { op: 'replace', value: { active: false } }
    const schemas = ['urn:ietf:params:scim:api:messages:2.0:PatchOp']
    await send(directory, 'PATCH', `/Users/${id}`, { schemas, Operations: [operation] })
    await isDelivered(directory)
  },
  async 'A user has disappeared'() {
    const directory = await connect({ tenant: 'iris', name: 'Iris' })
    await send(directory, 'DELETE', `/Users/${await provision(directory, 'maya@iris.example')}`)
    await isDelivered(directory)
  },
  async 'Everything seems to be right'() {
    const directory = await connect({ tenant: 'juniper', name: 'Juniper' })
    await provision(directory, 'maya@juniper.example')
  },
}

/** Runs a command of the page. */
async function run(command: string): Promise<string> {
  const [program, name, ...argv] = command.split(' ')
  assert.deepEqual([program, name], ['rollcall', 'explain'])
  const io = fakeIo({ env: { ROLLCALL_API_KEY: testApiKey } })
  const code = await explainCommand([...argv, '--url', service.origin], io)
  const isUnknown = / {2}(never-sent|unauthorized)\n/.test(io.out())
  assert.equal(code, isUnknown ? 1 : 0, io.err())
  return io.out()
}

const complaints = complaintsOf(page)

for (const { title, command, answer } of complaints) {
  test(`docs/troubleshooting.md: ${title}`, async () => {
    const produce = situations[title] ?? assert.fail(`no situation is called ${title}`)
    await produce()
    const out = await run(command)
    assert.equal(normalized(answer), normalized(out))
    const widths = out.split('\n').map((line) => line.length)
    assert.ok(Math.max(...widths) <= 80, 'it fits into a terminal')
  })
}

test('docs/troubleshooting.md has every situation', () => {
  assert.deepEqual(
    complaints.map(({ title }) => title),
    Object.keys(situations),
  )
})
