import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { eventTypes } from '../src/directory/event.ts'
import { providers } from '../src/directory/provider.ts'
import { settingTable } from '../src/settings.ts'

const read = (path: string): Promise<string> => readFile(new URL(`../${path}`, import.meta.url), 'utf8')

/** The first cells of a page's table rows that are code. */
function codeCells(page: string): string[] {
  return [...page.matchAll(/^\| `([^`]+)` \|/gm)].map(([, cell]) => cell ?? '')
}

test('docs/configuration.md lists every setting, with its default and its meaning', async () => {
  const page = await read('docs/configuration.md')
  assert.deepEqual(codeCells(page), Object.keys(settingTable))
  for (const [name, { fallback, meaning }] of Object.entries(settingTable)) {
    const hasDefault = fallback !== undefined && !Array.isArray(fallback)
    const row = `| \`${name}\` | ${hasDefault ? `\`${fallback}\`` : ''} | ${meaning} |`
    assert.ok(page.includes(row), `docs/configuration.md should have the row ${row}`)
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

test('every link within docs/events.md leads to one of its headings', async () => {
  const page = await read('docs/events.md')
  const text = page.replaceAll(/```.*?```/gs, '')
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading.toLowerCase().replaceAll(' ', '-'),
  )
  for (const [, target = ''] of text.matchAll(/\]\(#([^)]+)\)/g)) assert.ok(headings.includes(target), target)
})

test('every page that a page links to is there', async () => {
  const pages = ['README.md', 'CONTRIBUTING.md', 'docs/ARCHITECTURE.md']
  for (const page of pages) {
    for (const [, target = ''] of (await read(page)).matchAll(/\]\((?!https?:)([^)#]+)\)/g)) {
      const base = new URL(`../${page}`, import.meta.url)
      await assert.doesNotReject(readFile(new URL(target, base)), `${page} links to ${target}`)
    }
  }
})
