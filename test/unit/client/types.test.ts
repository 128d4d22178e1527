import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** The options of a product in a browser or on an edge platform, without the types of Node.js. */
const compilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
  lib: ['esnext', 'dom', 'dom.iterable', 'dom.asynciterable'],
  types: [],
  paths: { 'rollcall/client': [join(root, 'src/client/index.ts')] },
}

/** The errors of the compiler about files; empty when it accepts them. */
function compilerOutput(files: readonly string[]): string {
  const folder = mkdtempSync(join(root, 'node_modules/.examples-'))
  try {
    for (const [index, code] of files.entries()) writeFileSync(join(folder, `${index}.ts`), code)
    const project = { extends: join(root, 'tsconfig.json'), compilerOptions, include: ['*.ts'], exclude: [] }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project))
    return spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', folder], { encoding: 'utf8' }).stdout
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('the examples of the client compile in a project without Node.js that checks the types of its libraries', () => {
  const blocks = readFileSync(join(root, 'docs/client.md'), 'utf8').matchAll(/^```ts\n(.*?)^```$/gms)
  assert.equal(compilerOutput([...blocks].map(([, code = '']) => code)), '')
})

const createdClient = `import { createClient } from 'rollcall/client'
export const rollcall = createClient({ baseUrl: 'https://rollcall.example', apiKey: 'key' })
`
const scoped = [
  '{ directoryId: "d" }',
  '{ tenant: "acme", product: "crm" }',
  '{ product: "crm" }',
  '{ directoryId: "d", tenant: "acme" }',
]
const calls = ['users(…)', 'groups(…)', 'members({ groupId: "g", ...… })', 'events(…)']

test('a list without a directory or a product does not compile', () => {
  const callsWith = (scope: string) => calls.map((call) => `rollcall.${call.replace('…', scope)}\n`)
  const unscoped = ['{}', '{ tenant: "acme" }'].flatMap(callsWith)
  const rejected = unscoped.map((call) => `// @ts-expect-error\n${call}`)
  assert.equal(compilerOutput([createdClient + [...scoped.flatMap(callsWith), ...rejected].join('')]), '')
})
