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
for (const page of readdirSync(docs).filter((name) => /^[\w-]+\.md$/.test(name))) {
  const blocks = readFileSync(new URL(page, docs), 'utf8').matchAll(/^```ts\n(.*?)^```$/gms)
  for (const [index, [, code = '']] of [...blocks].entries()) {
    writeFileSync(new URL(`${page.replace('.md', '')}-${index + 1}.ts`, out), code)
  }
}
