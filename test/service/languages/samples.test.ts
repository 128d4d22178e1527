import assert from 'node:assert/strict'
import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { startTestService, testApiKey } from '../../support/service.ts'

/** The languages whose samples are run, each if its tool is installed. */
const languages = [
  {
    name: 'Python',
    check: ['python3', '--version'],
    receiver: ['python3', 'receiver.py'],
    users: ['python3', 'users.py'],
  },
  { name: 'Go', check: ['go', 'version'], receiver: ['go', 'run', 'receiver.go'], users: ['go', 'run', 'users.go'] },
] as const

const secret = 'whsec_C2FVsBQIhrscChlQIMV0Zb2Xl4oYwT3r'
const otherSecret = 'whsec_b3RoZXItc2VjcmV0LW9mLXRoZS10ZXN0'
const folderOf = (name: string) =>
  fileURLToPath(new URL(`../../../examples/languages/${name.toLowerCase()}/`, import.meta.url))

/** A running receiver on a free port, with what it prints. */
async function startReceiver(name: string, [command, ...argv]: readonly [string, ...string[]]) {
  const folder = await mkdtemp(join(tmpdir(), 'rollcall-languages-'))
  const env = { ...process.env, WEBHOOK_SECRET: secret, PORT: '0', DATABASE: join(folder, 'product.db') }
  const child = spawn(command, argv, { cwd: folderOf(name), env, stdio: ['ignore', 'pipe', 'inherit'], detached: true })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const until = async (pattern: RegExp): Promise<RegExpExecArray> => {
    for (;;) {
      const found = pattern.exec(output)
      if (found !== null) return found
      await once(child.stdout, 'data')
    }
  }
  const [, port] = await until(/listening on (\d+)\n/)
  return {
    url: `http://127.0.0.1:${port}/`,
    until,
    processed: () => output.split('\n').slice(1, -1),
    async [Symbol.asyncDispose]() {
      const exit = once(child, 'exit')
      process.kill(-(child.pid ?? 0), 'SIGKILL') // `go run` starts the program as its child
      await exit
      await rm(folder, { recursive: true })
    },
  }
}

interface Sent {
  /** The signatures, by default one that is right. */
  readonly secrets?: readonly string[]
  readonly ageMs?: number
}

/** Sends a body as Rollcall does; returns the status of the response. */
async function send(url: string, body: object, { secrets = [secret], ageMs = 0 }: Sent = {}): Promise<number> {
  const text = JSON.stringify(body)
  const at = new Date(Date.now() - ageMs)
  const headers = {
    'webhook-id': 'e1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map((one) => new Webhook(one).sign('e1', at, text)).join(' '),
  }
  const { status } = await fetch(url, { method: 'POST', headers, body: text })
  return status
}

const event = (sequence: number, type = 'group.created') => ({
  ...{ id: `e${sequence}`, sequence, event: type, directory_id: 'd1', data: { id: `g${sequence}` } },
})

for (const { name, check, receiver, users } of languages) {
  const isMissing = spawnSync(check[0], check.slice(1)).status !== 0
  const options = { skip: isMissing && `${check[0]} is not installed` }

  test(`${name}: the receiver processes the events of a directory`, options, async () => {
    await using service = await startTestService('sqlite')
    await using sample = await startReceiver(name, receiver)
    const directory = await service.createDirectory({ webhook_url: sample.url, webhook_secret: secret })
    const { body: user } = await service.scim(directory, 'POST', '/Users', { userName: 'bjensen@example.com' })
    await service.scim(directory, 'DELETE', `/Users/${user.id}`)
    await sample.until(/^2 user\.deleted .*\n/m)
    assert.deepEqual(sample.processed(), [`1 user.created ${user.id}`, `2 user.deleted ${user.id}`])
  })

  test(`${name}: the receiver refuses what is not signed`, options, async () => {
    await using sample = await startReceiver(name, receiver)
    assert.equal(await send(sample.url, event(1), { secrets: [otherSecret] }), 401)
    assert.equal(await send(sample.url, event(1), { secrets: [] }), 401)
    assert.equal(await send(sample.url, event(1), { ageMs: 400_000 }), 401)
    assert.equal(await send(sample.url, event(1), { ageMs: -400_000 }), 401)
    assert.deepEqual(sample.processed(), [])
    assert.equal(await send(sample.url, event(1), { secrets: [otherSecret, secret] }), 204)
  })

  test(`${name}: the receiver processes each event once, in order and without gaps`, options, async () => {
    await using sample = await startReceiver(name, receiver)
    assert.equal(await send(sample.url, event(5)), 204) // the first may have any number
    assert.equal(await send(sample.url, event(5)), 204)
    assert.equal(await send(sample.url, event(7)), 503)
    assert.equal(await send(sample.url, event(0, 'endpoint.test')), 204)
    assert.equal(await send(sample.url, [event(6), event(7)]), 204)
    assert.equal(await send(sample.url, event(20, 'sync.started')), 204)
    await sample.until(/^20 .*\n/m)
    const processed = ['5 group.created g5', '6 group.created g6', '7 group.created g7', '20 sync.started g20']
    assert.deepEqual(sample.processed(), processed)
  })

  test(`${name}: all users are read, page after page`, options, async () => {
    await using service = await startTestService('sqlite')
    const directory = await service.createDirectory({ tenant: 'a & b', product: 'crm' })
    const names = Array.from({ length: 101 }, (_, index) => `user-${String(index).padStart(3, '0')}@example.com`)
    await Promise.all(names.map((userName) => service.scim(directory, 'POST', '/Users', { userName })))
    const env = { ...process.env, ROLLCALL_URL: service.origin, ROLLCALL_API_KEY: testApiKey }
    const [command, ...argv] = users
    const { stdout } = await promisify(execFile)(command, [...argv, 'a & b', 'crm'], { cwd: folderOf(name), env })
    const emails = stdout
      .trim()
      .split('\n')
      .map((line) => line.split(' ')[1])
    assert.deepEqual(emails.toSorted(), names)
  })
}
