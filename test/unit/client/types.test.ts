import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Those of a product in a browser or on an edge platform, without the types of Node.js. */
const compilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
  lib: ['esnext', 'dom', 'dom.iterable', 'dom.asynciterable'],
  types: [],
  paths: { 'rollcall/client': [join(root, 'src/client/index.ts')] },
}

test('the examples of the client compile in a project without Node.js that checks the types of its libraries', () => {
  const folder = mkdtempSync(join(root, 'node_modules/.examples-'))
  try {
    const blocks = readFileSync(join(root, 'docs/client.md'), 'utf8').matchAll(/^```ts\n(.*?)^```$/gms)
    for (const [index, [, code = '']] of [...blocks].entries()) writeFileSync(join(folder, `${index}.ts`), code)
    const project = { extends: join(root, 'tsconfig.json'), compilerOptions, include: ['*.ts'], exclude: [] }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project))
    assert.equal(execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', folder], { encoding: 'utf8' }), '')
  } finally {
    rmSync(folder, { recursive: true })
  }
})
