import assert from 'node:assert/strict'
import { test } from 'node:test'
import { architectureProblems, importsOf, readSources } from '../support/architecture.ts'

test('the house is in order: every import points the right way, without cycles', () => {
  const sources = readSources(new URL('../../src/', import.meta.url))
  assert(sources.size > 100, 'the files are looked for in the right place')
  assert.deepEqual(architectureProblems(sources), [])
})

for (const { wrong, text, at, problem } of [
  {
    wrong: 'the protocol imports the domain',
    at: 'scim/a.ts',
    text: `import { newSecret } from '../directory/secret.ts'`,
    problem: 'scim/a.ts must not import directory/secret.ts',
  },
  {
    wrong: 'the protocol imports a type of the domain',
    at: 'scim/patch/a.ts',
    text: `import type { Directory } from '../../directory/directory.ts'`,
    problem: 'scim/patch/a.ts must not import directory/directory.ts',
  },
  {
    wrong: 'the protocol reaches for the world',
    at: 'scim/a.ts',
    text: `import { readFileSync } from 'node:fs'`,
    problem: 'scim/a.ts must not import node:fs: the protocol is pure',
  },
  {
    wrong: 'the domain imports a store',
    at: 'directory/a.ts',
    text: `import {\n  openStore,\n} from '../store/open.ts'`,
    problem: 'directory/a.ts must not import store/open.ts',
  },
  {
    wrong: 'the domain imports delivery',
    at: 'directory/a.ts',
    text: `export type { EventStore } from '../delivery/store.ts'`,
    problem: 'directory/a.ts must not import delivery/store.ts',
  },
  {
    wrong: 'delivery imports a store',
    at: 'delivery/a.ts',
    text: `const { openStore } = await import('../store/open.ts')`,
    problem: 'delivery/a.ts must not import store/open.ts',
  },
  {
    wrong: 'delivery imports the management of the service',
    at: 'delivery/a.ts',
    text: `import '../admin/api-keys.ts'`,
    problem: 'delivery/a.ts must not import admin/api-keys.ts',
  },
  {
    wrong: 'a store imports more of delivery than its store interface',
    at: 'store/sqlite/a.ts',
    text: `import { createStream } from '../../delivery/stream.ts'`,
    problem: 'store/sqlite/a.ts must not import delivery/stream.ts',
  },
  {
    wrong: 'a store imports HTTP in a type',
    at: 'store/a.ts',
    text: `export type Context = import('../http/context.ts').HttpContext`,
    problem: 'store/a.ts must not import http/context.ts',
  },
  {
    wrong: 'the library imports HTTP',
    at: 'library/a.ts',
    text: `import { createApp } from '../http/app.ts'`,
    problem: 'library/a.ts must not import http/app.ts',
  },
  {
    wrong: 'the library loads Fastify',
    at: 'library/a.ts',
    text: `import Fastify from 'fastify'`,
    problem: 'library/a.ts must not import fastify',
  },
  {
    wrong: 'HTTP imports a command',
    at: 'http/a.ts',
    text: `import { createLog } from '../cli/log.ts'`,
    problem: 'http/a.ts must not import cli/log.ts',
  },
  {
    wrong: 'HTTP imports the composition root',
    at: 'http/a.ts',
    text: `import { startServer } from '../app/start.ts'`,
    problem: 'http/a.ts must not import app/start.ts',
  },
  {
    wrong: 'a room is new',
    at: 'lib/a.ts',
    text: `import { own } from '../scim/json.ts'`,
    problem: 'lib/a.ts is in a place that the house does not have',
  },
  { wrong: 'a name has capitals', at: 'scim/aB.ts', text: '', problem: 'scim/aB.ts is not in kebab-case' },
  {
    wrong: 'a name says nothing',
    at: 'http/utils.ts',
    text: '',
    problem: 'http/utils.ts has a name that says nothing',
  },
  {
    wrong: 'an export has no name',
    at: 'http/a.ts',
    text: 'export default 1',
    problem: 'http/a.ts has a default export',
  },
]) {
  test(`it is noticed when ${wrong}`, () => {
    assert.deepEqual(architectureProblems(new Map([[at, text]])), [problem])
  })
}

test('a cycle is noticed, over types as well', () => {
  const sources = new Map([
    ['directory/a.ts', `import { b } from './b.ts'`],
    ['directory/b.ts', `import type { C } from './c/c.ts'`],
    ['directory/c/c.ts', `import { a } from '../a.ts'`],
  ])
  const cycle = 'directory/a.ts imports directory/b.ts imports directory/c/c.ts imports directory/a.ts: a cycle'
  assert.deepEqual(architectureProblems(sources), [cycle])
})

test('imports are found in every form, and not in comments', () => {
  const text = [
    `import a from './a.ts'`,
    `import type { B } from "./b.ts"`,
    `import {\n  c,\n  type D,\n} from './c.ts'`,
    `import * as e from 'node:fs'`,
    `import './f.ts'`,
    `export { g } from './g.ts'`,
    `export * from './h.ts'`,
    `const { i } = await import('./i.ts')`,
    `type J = import('./j.ts').J`,
    `// import { k } from './k.ts'`,
    `/** import { l } from './l.ts' */`,
    `const text = 'important from here'`,
  ].join('\n')
  const expected = ['a', 'b', 'c'].map((name) => `scim/${name}.ts`)
  const others = ['f', 'g', 'h', 'i', 'j'].map((name) => `scim/${name}.ts`)
  assert.deepEqual(importsOf('scim/x.ts', text), [...expected, 'node:fs', ...others])
})
