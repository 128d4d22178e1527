import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'vitepress'
import { deadAnchors, readSite } from './anchors.ts'
import type { ApiDocument } from './api-reference.ts'
import { apiReference } from './api-reference.ts'
import { badAnswers } from './search.ts'

const root = new URL('..', import.meta.url)
const pages = new URL('pages/', import.meta.url)

await gatherPages()
await build(fileURLToPath(new URL('.', import.meta.url)))
const dead = deadAnchors(await readSite(new URL('.vitepress/dist/', import.meta.url)))
if (dead.length > 0) throw new Error(`These links lead to headings that do not exist:\n${dead.join('\n')}`)
const bad = badAnswers(await readIndex(new URL('.vitepress/dist/assets/chunks/', import.meta.url)))
if (bad.length > 0) throw new Error(`The search does not find the page of a question first:\n${bad.join('\n')}`)

/** Reads the index of the search, which is a module that exports its text. */
async function readIndex(folder: URL): Promise<string> {
  const name = (await readdir(folder)).find((file) => file.startsWith('@localSearchIndex'))
  if (name === undefined) throw new Error('The build has written no index for the search.')
  const { default: index }: { default: string } = await import(new URL(name, folder).href)
  return index
}

/** Copies the pages of docs/, the changelog, the security policy and the start page, and writes the API reference. */
async function gatherPages(): Promise<void> {
  await rm(pages, { recursive: true, force: true })
  await mkdir(pages, { recursive: true })
  await cp(new URL('docs/', root), pages, { recursive: true })
  // The index of the folder, for which the site has its menu.
  await rm(new URL('README.md', pages))
  await cp(new URL('CHANGELOG.md', root), new URL('changelog.md', pages))
  await cp(new URL('SECURITY.md', root), new URL('report-a-vulnerability.md', pages))
  await cp(new URL('index.md', import.meta.url), new URL('index.md', pages))
  const document = JSON.parse(await readFile(new URL('openapi/openapi.json', root), 'utf8')) as ApiDocument
  await writeFile(new URL('api-reference.md', pages), apiReference(document))
  for (const name of await readdir(pages, { recursive: true })) {
    if (!name.endsWith('.md')) continue
    const file = new URL(name, pages)
    await writeFile(file, forSite(await readFile(file, 'utf8')))
  }
}

/**
 * Turns links to files of the repository that are not pages into plain text, and adapts links to pages of the root,
 * which are in one folder here.
 */
function forSite(text: string): string {
  return text
    .replaceAll(/^<!--.*-->\n+/gm, '')
    .replaceAll('{{', '&#123;&#123;')
    .replaceAll(/\]\(\.\.\/CHANGELOG\.md/g, '](changelog.md')
    .replaceAll(/\]\(\.\.\/SECURITY\.md/g, '](report-a-vulnerability.md')
    .replaceAll(/\]\(docs\//g, '](')
    .replaceAll(/\[([^\]]+)\]\((?:\.\.\/)+(?!directory-sync-api)[^)]*\)/g, '$1')
}
