import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { githubSlug } from '../../site/anchors.ts'
import type { Setting } from '../../src/app/setting-kinds.ts'
import { settingTable } from '../../src/app/settings.ts'
import type { DirectoryErrorCode } from '../../src/directory/errors.ts'
import { DirectoryError } from '../../src/directory/errors.ts'
import { eventTypes } from '../../src/directory/event.ts'
import { providers } from '../../src/directory/provider.ts'
import { errorCodeOf, errorCodes, errorResponseOf } from '../../src/error-response.ts'
import { optionPaths } from '../../src/library/option-names.ts'

const read = (path: string): Promise<string> => readFile(new URL(`../../${path}`, import.meta.url), 'utf8')

/** The first cells of a page's table rows that are code. */
function codeCells(page: string): string[] {
  return [...page.matchAll(/^\| `([^`]+)` \|/gm)].map(([, cell]) => cell ?? '')
}

test('docs/configuration.md lists every setting, with its default and its meaning', async () => {
  const page = await read('docs/configuration.md')
  assert.deepEqual(codeCells(page), Object.keys(settingTable))
  for (const [name, { defaultValue, meaning }] of Object.entries(settingTable)) {
    const hasDefault = defaultValue !== undefined && !Array.isArray(defaultValue)
    const row = `| \`${name}\` | ${hasDefault ? `\`${defaultValue}\`` : ''} | ${meaning} |`
    assert.ok(page.includes(row), `docs/configuration.md should have the row ${row}`)
  }
})

test('docs/configuration.md and .env.example name the files of secrets', async () => {
  const [page, example] = [await read('docs/configuration.md'), await read('.env.example')]
  const secrets = Object.entries<Setting<unknown>>(settingTable).flatMap(([name, { isSecret }]) =>
    isSecret ? [name] : [],
  )
  assert.deepEqual(
    [...page.matchAll(/`([A-Z_]+)_FILE`/g)].map(([, name]) => name),
    secrets,
  )
  assert.match(example, /_FILE\b/)
})

test('the container and the systemd unit listen on every address', async () => {
  for (const [path, line] of [
    ['Dockerfile', /^ENV [^#]*\bHOST=0\.0\.0\.0\b/m],
    ['compose.yaml', /^ +HOST: 0\.0\.0\.0$/m],
    ['deploy/systemd/rollcall.service', /^Environment=.*\bHOST=0\.0\.0\.0\b/m],
    ['deploy/helm/rollcall/values.yaml', /^settings:\n {2}HOST: 0\.0\.0\.0$/m],
  ] as const) {
    assert.match(await read(path), line, path)
  }
})

test('.env.example names every setting', async () => {
  const example = await read('.env.example')
  for (const name of Object.keys(settingTable)) assert.match(example, new RegExp(`^# ${name}=`, 'm'))
})

test('docs/events.md lists every event type', async () => {
  assert.deepEqual(codeCells(await read('docs/events.md')), [...eventTypes])
})

test('docs/identity-providers.md lists every provider type', async () => {
  assert.deepEqual(codeCells(await read('docs/identity-providers.md')), Object.keys(providers))
})

for (const page of ['docs/entra-gallery.md', 'docs/ipsie.md']) {
  test(`${page} only names tests that exist`, async () => {
    const text = await read(page)
    const tests = [...text.matchAll(/`(test\/[^`]+)`: "([^|]+?)"(?:,| \|)/g)]
    assert.ok(tests.length > 10)
    for (const [, file = '', title = ''] of tests) assert.ok((await read(file)).includes(title), `${file}: ${title}`)
  })
}

test('docs/languages.md shows every file of examples/languages', async () => {
  const page = await read('docs/languages.md')
  const samples = globSync('examples/languages/*/*', { cwd: new URL('../../', import.meta.url).pathname })
  assert.equal(samples.length, 12)
  for (const sample of samples) {
    const [, , language = ''] = sample.split('/')
    assert(
      page.includes(`\`\`\`${language}\n${await read(sample)}\`\`\`\n`),
      `docs/languages.md has another text of ${sample}`,
    )
  }
})

test('docs/library.md lists every option of createRollcall', async () => {
  const page = await read('docs/library.md')
  const section = page.slice(page.indexOf('\n## Options'))
  assert.deepEqual(codeCells(section.slice(0, section.indexOf('\n## ', 4))).toSorted(), optionPaths.toSorted())
})

test('docs/directory-sync-api.md lists every reason of an error, with its status', async () => {
  const page = await read('docs/directory-sync-api.md')
  const section = page.slice(page.indexOf('\n## Errors'))
  const rows = [...section.matchAll(/^\| `([a-z-]+)` \| (\d{3}) \|/gm)].map(
    ([, code = '', status]) => [code, Number(status)] as const,
  )
  assert.deepEqual(
    rows.map(([code]) => code),
    errorCodes,
  )
  for (const [code, status] of rows) {
    const ofDomain = errorResponseOf(new DirectoryError(code as DirectoryErrorCode, ''))?.status
    assert.ok(ofDomain === status || errorCodeOf(undefined, status) === code, `the status of ${code}`)
  }
})

/** The anchors of a page's headings. */
function headingsOf(page: string): string[] {
  const text = page.replaceAll(/```.*?```/gs, '')
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => githubSlug(heading))
}

const docs = (await readdir(new URL('../../docs/', import.meta.url), { recursive: true })).filter((name) =>
  name.endsWith('.md'),
)

for (const page of [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  ...docs.map((name) => `docs/${name}`),
]) {
  test(`every link of ${page} leads to an existing page and heading`, async () => {
    const text = (await read(page)).replaceAll(/```.*?```/gs, '')
    for (const [, target = ''] of text.matchAll(/\]\((?!https?:)([^)]+)\)/g)) {
      const [path = '', heading] = target.split('#')
      const base = new URL(`../../${page}`, import.meta.url)
      const linked = await readFile(path === '' ? base : new URL(path, base), 'utf8')
      if (heading !== undefined) assert(headingsOf(linked).includes(heading), `${page} links to ${target}`)
    }
  })
}

/** Link targets that exist only in a clone of the repository. */
const onlyInRepository = ['CONTRIBUTING.md', 'Dockerfile', 'bench/README.md', 'compose.yaml']

test('the package contains the link targets of its pages', async () => {
  const { files } = JSON.parse(await read('package.json')) as { readonly files: readonly string[] }
  const shipped = [...files, 'README.md', 'LICENSE']
  const isShipped = (path: string) => shipped.some((one) => path === one || path.startsWith(`${one}/`))
  const missing = new Set<string>()
  for (const page of ['README.md', 'SECURITY.md', ...docs.map((name) => `docs/${name}`)]) {
    const text = (await read(page)).replaceAll(/```.*?```/gs, '')
    for (const [, target = ''] of text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)) {
      const path = new URL(target, `file:///${page}`).pathname.slice(1)
      if (!isShipped(path)) missing.add(path)
    }
  }
  assert.deepEqual([...missing].toSorted(), onlyInRepository)
})

test('the examples and pages install the file that npm pack makes, because the package is not published', async () => {
  const { version } = JSON.parse(await read('package.json')) as { readonly version: string }
  for (const path of globSync('examples/*/package.json', { cwd: new URL('../../', import.meta.url).pathname })) {
    const { dependencies, engines } = JSON.parse(await read(path))
    const name = path.startsWith('examples/client/') ? 'rollcall-client' : 'rollcall'
    assert.equal(dependencies[name], `file:../../${name}-${version}.tgz`, path)
    assert.deepEqual(engines, { node: '>=24' }, path)
  }
  for (const page of ['README.md', 'examples/README.md', ...docs.map((name) => `docs/${name}`)]) {
    const installed = [...(await read(page)).matchAll(/^.*npm install .*rollcall.*$/gm)]
    for (const [line] of installed)
      assert.match(line, new RegExp(`\\./rollcall(-client)?-${RegExp.escape(version)}\\.tgz$`), page)
  }
})

/** The rows of the tables in a section: a function, its file, and further ones named in the last cell. */
function journeySteps(page: string): { name: string; file: string }[] {
  const section = page.slice(page.indexOf('\n## Journeys'))
  const rows = section
    .slice(0, section.indexOf('\n## ', 4))
    .matchAll(/^\| `(?<name>\w+)` \| `(?<file>src\/[^`]+)` \|(?<rest>.*)$/gm)
  return [...rows].flatMap(({ groups: { name = '', file = '', rest = '' } = {} }) => {
    const others = [...rest.matchAll(/(?:`(\w+)` in )?`(src\/[^`]+)`/g)]
    return [{ name, file }, ...others.map(([, other = name, path = '']) => ({ name: other, file: path }))]
  })
}

const journeys = journeySteps(await read('docs/ARCHITECTURE.md'))

test('docs/ARCHITECTURE.md lists the functions of the journeys', () => {
  assert(journeys.length > 50, `${journeys.length} functions were found`)
})

for (const { name, file } of journeys) {
  test(`docs/ARCHITECTURE.md names ${name}, which ${file} has`, async () => {
    const declaration = `(?:function\\*?|const) ${name}\\b|^\\s+(?:async )?${name}(?:\\(|[:,]|<)`
    assert.match(await read(file), new RegExp(declaration, 'm'))
  })
}

/** The folders of the repository; other paths of the pages begin in `src/`. */
const folders = (await readdir(new URL('../../', import.meta.url), { withFileTypes: true }))
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)

/** Folders that are not committed. */
const ignored = ['data', 'dist', 'node_modules']

test('CONTRIBUTING.md names every folder of the repository, and every script of package.json', async () => {
  const page = await read('CONTRIBUTING.md')
  const { scripts } = JSON.parse(await read('package.json')) as { readonly scripts: Readonly<Record<string, string>> }
  const committed = folders.filter((name) => !name.startsWith('.') && !ignored.includes(name))
  assert.deepEqual(
    committed.filter((name) => !page.includes(`\`${name}/`)),
    [],
  )
  // npm itself calls those that begin with `pre`.
  const called = Object.keys(scripts).filter((name) => !name.startsWith('pre'))
  assert.deepEqual(
    called.filter((name) => !new RegExp(`npm (?:run )?${name}(?![\\w:-])`).test(page)),
    [],
  )
})

for (const page of ['docs/ARCHITECTURE.md', 'docs/performance.md', 'docs/STYLE.md', 'CONTRIBUTING.md']) {
  test(`${page} only names files that exist`, async () => {
    for (const [, path = ''] of (await read(page)).matchAll(/`((?:[\w-]+\/)+[\w.-]+\.(?:ts|js))`/g)) {
      const [folder = ''] = path.split('/', 1)
      await read(folders.includes(folder) ? path : `src/${path}`)
    }
  })
}
