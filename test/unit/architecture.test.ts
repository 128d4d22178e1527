import assert from 'node:assert/strict'
import { test } from 'node:test'
import { architectureProblems, importsOf, readSources } from '../support/architecture.ts'

test('imports follow the layers, without cycles, in src and tools', () => {
  const sources = readSources(new URL('../../', import.meta.url))
  assert(sources.size > 100, 'the source files are found')
  assert([...sources.keys()].some((path) => path.startsWith('tools/')))
  assert.deepEqual(architectureProblems(sources), [])
})

for (const { what, text, path, problem } of [
  {
    what: 'the protocol imports the domain',
    path: 'src/scim/a.ts',
    text: `import { newSecret } from '../directory/secret.ts'`,
    problem: 'src/scim/a.ts must not import src/directory/secret.ts',
  },
  {
    what: 'the protocol imports a type of the domain',
    path: 'src/scim/patch/a.ts',
    text: `import type { Directory } from '../../directory/directory.ts'`,
    problem: 'src/scim/patch/a.ts must not import src/directory/directory.ts',
  },
  {
    what: 'the protocol imports a module of Node',
    path: 'src/scim/a.ts',
    text: `import { readFileSync } from 'node:fs'`,
    problem: 'src/scim/a.ts must not import node:fs: src/scim/ is portable',
  },
  {
    what: 'the client imports a module of Node',
    path: 'src/client/a.ts',
    text: `import { setTimeout } from 'node:timers/promises'`,
    problem: 'src/client/a.ts must not import node:timers/promises: src/client/ is portable',
  },
  {
    what: 'the client imports the service',
    path: 'src/client/a.ts',
    text: `import type { DirectoryView } from '../directory/directory-view.ts'`,
    problem: 'src/client/a.ts must not import src/directory/directory-view.ts',
  },
  {
    what: 'the domain imports a store',
    path: 'src/directory/a.ts',
    text: `import {\n  openStore,\n} from '../store/open.ts'`,
    problem: 'src/directory/a.ts must not import src/store/open.ts',
  },
  {
    what: 'the domain imports delivery',
    path: 'src/directory/a.ts',
    text: `export type { EventStore } from '../delivery/event-store.ts'`,
    problem: 'src/directory/a.ts must not import src/delivery/event-store.ts',
  },
  {
    what: 'delivery imports a store',
    path: 'src/delivery/a.ts',
    text: `const { openStore } = await import('../store/open.ts')`,
    problem: 'src/delivery/a.ts must not import src/store/open.ts',
  },
  {
    what: 'delivery imports administration',
    path: 'src/delivery/a.ts',
    text: `import '../admin/api-keys.ts'`,
    problem: 'src/delivery/a.ts must not import src/admin/api-keys.ts',
  },
  {
    what: 'provisioning imports the service provider',
    path: 'src/provisioning/a.ts',
    text: `import type { ScimResponse } from '../service-provider/response.ts'`,
    problem: 'src/provisioning/a.ts must not import src/service-provider/response.ts',
  },
  {
    what: 'a store imports more of delivery than the declaration of what is stored',
    path: 'src/store/sqlite/a.ts',
    text: `import { createStream } from '../../delivery/stream.ts'`,
    problem: 'src/store/sqlite/a.ts must not import src/delivery/stream.ts',
  },
  {
    what: 'a store imports HTTP in a type',
    path: 'src/store/a.ts',
    text: `export type Context = import('../http/context.ts').HttpContext`,
    problem: 'src/store/a.ts must not import src/http/context.ts',
  },
  {
    what: 'the library imports HTTP',
    path: 'src/library/a.ts',
    text: `import { createApp } from '../http/app.ts'`,
    problem: 'src/library/a.ts must not import src/http/app.ts',
  },
  {
    what: 'the library loads Fastify',
    path: 'src/library/a.ts',
    text: `import Fastify from 'fastify'`,
    problem: 'src/library/a.ts must not import fastify',
  },
  {
    what: 'HTTP imports a command',
    path: 'src/http/a.ts',
    text: `import { serveCommand } from '../cli/serve.ts'`,
    problem: 'src/http/a.ts must not import src/cli/serve.ts',
  },
  {
    what: 'HTTP imports the composition root',
    path: 'src/http/a.ts',
    text: `import { startServer } from '../app/server.ts'`,
    problem: 'src/http/a.ts must not import src/app/server.ts',
  },
  {
    what: 'HTTP imports Polis',
    path: 'src/http/a.ts',
    text: `const { polisRoutes } = await import('../polis/compat/http/routes.ts')`,
    problem: 'src/http/a.ts must not import src/polis/compat/http/routes.ts',
  },
  {
    what: 'a command imports Polis',
    path: 'src/cli/a.ts',
    text: `import { importCommand } from '../polis/import/command/command.ts'`,
    problem: 'src/cli/a.ts must not import src/polis/import/command/command.ts',
  },
  {
    what: 'a store imports Polis outside imports.ts',
    path: 'src/store/users.ts',
    text: `import type { ImportStep } from '../polis/import/import-store.ts'`,
    problem: 'src/store/users.ts must not import src/polis/import/import-store.ts',
  },
  {
    what: 'the command line loads a tool at its start',
    path: 'src/cli/a.ts',
    text: `import { demoCommand } from '../../tools/demo/command.ts'`,
    problem: 'src/cli/a.ts must not import tools/demo/command.ts',
  },
  {
    what: 'a tool imports a store',
    path: 'tools/demo/a.ts',
    text: `import { openStore } from '../../src/store/open.ts'`,
    problem: 'tools/demo/a.ts must not import src/store/open.ts',
  },
  {
    what: 'a folder is not a layer',
    path: 'src/lib/a.ts',
    text: `import { own } from '../scim/json.ts'`,
    problem: 'src/lib/a.ts belongs to no layer',
  },
  { what: 'a name has capitals', path: 'src/scim/aB.ts', text: '', problem: 'src/scim/aB.ts is not in kebab-case' },
  {
    what: 'a name says nothing',
    path: 'src/http/utils.ts',
    text: '',
    problem: 'src/http/utils.ts has a name that says nothing',
  },
  {
    what: 'an export has no name',
    path: 'src/http/a.ts',
    text: 'export default 1',
    problem: 'src/http/a.ts has a default export',
  },
]) {
  test(`reports when ${what}`, () => {
    assert.deepEqual(architectureProblems(new Map([[path, text]])), [problem])
  })
}

test('the command line may load a tool when its command is run', () => {
  const text = `const { demoCommand } = await import('../../tools/demo/command.ts')`
  assert.deepEqual(architectureProblems(new Map([['src/cli/main.ts', text]])), [])
})

test('reports a cycle, also over type imports', () => {
  const sources = new Map([
    ['src/directory/a.ts', `import { b } from './b.ts'`],
    ['src/directory/b.ts', `import type { C } from './c/c.ts'`],
    ['src/directory/c/c.ts', `import { a } from '../a.ts'`],
  ])
  const files = ['a.ts', 'b.ts', 'c/c.ts', 'a.ts'].map((name) => `src/directory/${name}`)
  assert.deepEqual(architectureProblems(sources), [`${files.join(' imports ')}: a cycle`])
})

test('finds imports in every form, and none in comments', () => {
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
  const found = importsOf('src/scim/x.ts', text)
  const file = (name: string) => `src/scim/${name}.ts`
  const plain = [...['a', 'b', 'c'].map(file), 'node:fs', ...['f', 'g', 'h'].map(file)]
  assert.deepEqual(
    found.filter(({ isDynamic }) => !isDynamic).map(({ target }) => target),
    plain,
  )
  assert.deepEqual(
    found.filter(({ isDynamic }) => isDynamic).map(({ target }) => target),
    ['i', 'j'].map(file),
  )
})
