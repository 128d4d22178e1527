import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { startCommand } from '../../support/command.ts'
import { runsAll } from '../../support/extent.ts'

const local = { HOST: '127.0.0.1', PORT: '0' }

async function openFolder() {
  const path = await mkdtemp(join(tmpdir(), 'rollcall-output-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) }
}

const others = [['serve', '--help'], ['simulate', '--help'], ['demo', '--once'], ['listen']]

for (const argv of [['help'], ['serve'], ...(runsAll ? others : [])]) {
  test(`rollcall ${argv.join(' ')} ends without an error when nobody reads its output`, async () => {
    await using folder = await openFolder()
    const child = startCommand([...argv, ...(argv[0] === 'listen' ? ['--port', '0'] : [])], {
      cwd: folder.path,
      env: local,
    })
    child.stdout.destroy()
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
    assert.deepEqual([code, stderr], [0, ''])
  })
}

test('the service ends without an error when the reader of its log goes away', async () => {
  await using folder = await openFolder()
  const child = startCommand(['serve'], { cwd: folder.path, env: local })
  let output = ''
  const ended = Promise.all([text(child.stderr), once(child, 'exit')])
  for await (const chunk of child.stdout) {
    output += String(chunk)
    if (output.includes('Rollcall is running')) break
  }
  const [, baseUrl] = /"baseUrl":"(http:[^"]+)"/.exec(output) ?? []
  // The next line of its log reveals that the reader has gone.
  await fetch(`${baseUrl?.replace('localhost', '127.0.0.1')}/api/v1/directory-sync/providers`).catch(() => {})
  const [stderr, [code]] = await ended
  assert.deepEqual([code, stderr], [0, ''])
})
