import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { test } from 'node:test'

const chart = 'deploy/helm/rollcall'
const read = (path: string): Promise<string> => readFile(new URL(`../../${path}`, import.meta.url), 'utf8')
const { version } = JSON.parse(await read('package.json')) as { readonly version: string }

for (const { file, pattern } of [
  { file: 'package-lock.json', pattern: /^ {2}"version": "(.+)",$/gm },
  { file: 'package-lock.json', pattern: /^ {6}"name": "rollcall",\n {6}"version": "(.+)",$/gm },
  { file: 'package-lock.json', pattern: /^ {6}"name": "rollcall-client",\n {6}"version": "(.+)",$/gm },
  { file: 'packages/client/package.json', pattern: /^ {2}"version": "(.+)",$/gm },
  { file: `${chart}/Chart.yaml`, pattern: /^(?:appVersion|version): (.+)$/gm },
  { file: 'compose.yaml', pattern: /^ +image: rollcall:(.+)$/gm },
  { file: 'docs/deployment.md', pattern: /\brollcall[:-](\d+\.\d+\.\d+)/g },
]) {
  test(`${file} has the version of the package: ${pattern.source}`, async () => {
    const found = [...(await read(file)).matchAll(pattern)].map(([, one]) => one)
    assert.notEqual(found.length, 0)
    assert.deepEqual([...new Set(found)], [version])
  })
}

test('the chart declares a default for every value that its templates use', async () => {
  const values = await read(`${chart}/values.yaml`)
  const used = new Set<string>()
  for (const name of await readdir(new URL(`../../${chart}/templates/`, import.meta.url))) {
    const template = await read(`${chart}/templates/${name}`)
    for (const [, path = ''] of template.matchAll(/\.Values\.([\w.]+)/g)) used.add(path)
  }
  assert.ok(used.size > 40)
  for (const path of used) {
    const [section = '', key] = path.split('.')
    const declared = new RegExp(`^${section}:(.*\\n(?: .*\\n|#.*\\n)*)`, 'm').exec(values)?.[1]
    assert.ok(declared !== undefined, `${path} has no default`)
    // Settings are named by whoever installs the chart.
    if (key !== undefined && section !== 'settings') assert.match(declared, new RegExp(`^ {2}${key}:`, 'm'), path)
  }
})

test('the image is built on a base image that a digest names, the same in every stage', async () => {
  const bases = [...(await read('Dockerfile')).matchAll(/^FROM (\S+)/gm)].map(([, base]) => base)
  assert.equal(new Set(bases).size, 1)
  assert.match(String(bases[0]), /^node:\d+\.\d+\.\d+-bookworm-slim@sha256:[0-9a-f]{64}$/)
})
