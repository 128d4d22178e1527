/**
 * Builds the content of the package `rollcall-client`: `src/client` and `src/webhooks` as JavaScript with type declarations,
 * as ECMAScript modules and in `cjs` as CommonJS. They are compiled for the oldest Node.js that it supports, without the types of Node.js.
 *
 *     node scripts/build-client.ts [--out <folder>] [--quick]
 *
 * `--quick` leaves out the type check and the declarations.
 */
import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { compileCommonJs, run } from './compile.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const { values } = parseArgs({ options: { out: { type: 'string' }, quick: { type: 'boolean' } } })
const { out = 'packages/client/dist', quick = false } = values
const folder = resolve(root, out)

rmSync(folder, { recursive: true, force: true })
const options = quick ? ['--noCheck', '--declaration', 'false'] : []
run(join(root, 'node_modules/.bin/tsc'), ['-p', 'packages/client', '--outDir', folder, ...options])
compileCommonJs(join(folder, 'cjs'), folder)
