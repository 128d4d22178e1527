import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { before, test } from 'node:test'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { buildConsole } from '../support/browser.ts'
import { startTestService } from '../support/service.ts'

const dist = new URL('../../console/dist/', import.meta.url)
/** With Brotli, as browsers accept it over HTTPS. */
const maxBytes = 160_000
/** On a slow network, each file costs a round trip. */
const maxFiles = 6

before(buildConsole)

for (const name of ['index.html', 'setup.html']) {
  test(`the initial script of ${name} has at most 160 KB compressed, in few files`, () => {
    const html = readFileSync(new URL(name, dist), 'utf8')
    const found = [...html.matchAll(/"__BASE_PATH__\/console\/(assets\/[^"]+\.js)"/g)].map(([, path = '']) => path)
    const scripts = [...new Set(found)]
    assert.notEqual(scripts.length, 0)
    const bytes = scripts.map((path) => brotliCompressSync(readFileSync(new URL(path, dist))).length)
    const total = bytes.reduce((sum, size) => sum + size, 0)
    assert(total <= maxBytes, `${total} bytes`)
    assert(scripts.length <= maxFiles, `${scripts.length} files`)
  })
}

test('the page has no inline script and no inline style, and loads nothing from elsewhere', () => {
  const html = readFileSync(new URL('index.html', dist), 'utf8')
  assert.doesNotMatch(html, /<script(?![^>]*\ssrc=)|<style|\sstyle=|\son[a-z]+=|https?:\/\/|"\/\//)
})

test('the code of a page is loaded when the page is opened', () => {
  const names = readdirSync(new URL('assets/', dist))
  for (const page of ['tenant', 'explain', 'events', 'hold', 'roles', 'settings', 'audit'])
    assert(
      names.some((name) => name.startsWith(`${page}-`)),
      page,
    )
})

test('a script is sent with Brotli, with gzip, or as it is, whichever the browser accepts', async () => {
  await using service = await startTestService('sqlite')
  const script = readdirSync(new URL('assets/', dist)).find((name) => /^index-.*\.js$/.test(name)) ?? ''
  const content = readFileSync(new URL(`assets/${script}`, dist))
  for (const [accepted, sent] of [
    ['gzip, deflate, br', 'br'],
    ['gzip, br;q=0', 'gzip'],
    ['identity', null],
  ] as const) {
    const url = `${service.origin}/console/assets/${script}`
    const response = await fetch(url, { headers: { 'accept-encoding': accepted } })
    assert.equal(response.headers.get('content-encoding'), sent, accepted)
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), content, accepted)
  }
  assert.deepEqual(brotliDecompressSync(readFileSync(new URL(`assets/${script}.br`, dist))), content)
})
