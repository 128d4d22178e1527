import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { freePort } from '../../../tools/polis/postgres-cluster.ts'
import { simulateCommand } from '../../../tools/simulate/command.ts'
import { eventually } from '../../support/eventually.ts'
import { startTestService, testApiKey } from '../../support/service.ts'
import { fakeIo } from '../../unit/cli/support/fake-io.ts'

const page = await readFile(new URL('../../../docs/quick-start.md', import.meta.url), 'utf8')
const webhooks = new URL('../../../src/webhooks/index.ts', import.meta.url)

/** The blocks of the page in one language. */
const blocks = (language: string): string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, block = '']) => block)

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.end(() => resolve(true)))
    socket.once('error', () => resolve(false))
  })
}

test('following docs/quick-start.md delivers verified events to the handler on the page', async () => {
  await using service = await startTestService('sqlite')
  const port = String(await freePort())
  const [, create = '', fields = '', simulation = ''] = blocks('sh')
  const script = create
    .replace(/ROLLCALL_API_KEY=rck_….*/, `ROLLCALL_API_KEY=${testApiKey}`)
    .replace('http://localhost:5225', service.origin)
    .replace('localhost:3000', `localhost:${port}`)
  const all = `${script}\n${fields}\necho "$DIRECTORY $WEBHOOK_SECRET"`
  const { stdout } = await promisify(execFile)('sh', ['-eu', '-c', all])
  const [id = '', secret = ''] = stdout.trim().split('\n').at(-1)?.split(' ') ?? []

  const handler = join(service.database.folder, 'handler.mts')
  const [code = ''] = blocks('ts')
  await writeFile(
    handler,
    code.replace("'rollcall/webhooks'", `'${webhooks}'`).replace('listen(3000)', `listen(${port})`),
  )
  const env = { ...process.env, WEBHOOK_SECRET: secret }
  const child = spawn(process.execPath, [handler], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    await eventually('the handler to listen', () => isOpen(Number(port)))
    const [, command = ''] = /npx rollcall simulate (.*)/.exec(simulation) ?? []
    const argv = command.replace('"$DIRECTORY"', id).split(' ')
    const io = fakeIo({ env: { ROLLCALL_API_KEY: testApiKey, EXTERNAL_URL: service.origin } })
    assert.equal(await simulateCommand(argv, io), 0, io.out() + io.err())
    const lines: string[] = []
    for await (const line of createInterface(child.stdout)) {
      lines.push(line)
      if (line.startsWith('  goodbye')) break
    }
    // The simulation has several connections, so that the order of the users varies.
    const [shown = ''] = blocks('text')
    assert.deepEqual(lines.slice(0, 6).toSorted(), shown.trimEnd().split('\n').toSorted())
  } finally {
    child.kill()
    await once(child, 'close')
  }
})
