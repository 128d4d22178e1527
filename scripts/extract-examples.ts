/**
 * Writes the TypeScript examples of the documentation to `docs/.examples`, where `tsc` compiles them with everything else.
 *
 *     node scripts/extract-examples.ts
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'

const docs = new URL('../docs/', import.meta.url)
const out = new URL('.examples/', docs)

rmSync(out, { recursive: true, force: true })
mkdirSync(out)
const pages = readdirSync(docs).filter((name) => /^[\w-]+\.md$/.test(name))
for (const page of [...pages, '../README.md', '../site/index.md']) {
  const blocks = readFileSync(new URL(page, docs), 'utf8').matchAll(/^```ts\n(.*?)^```$/gms)
  for (const [index, [, code = '']] of [...blocks].entries()) {
    const name = page.replace('../', 'root-').replace('/', '-').replace('.md', '')
    writeFileSync(new URL(`${name}-${index + 1}.ts`, out), code)
  }
}
