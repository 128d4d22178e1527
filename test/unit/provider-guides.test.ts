import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { providerGuides } from '../../site/provider-guides.ts'

const folder = new URL('../../docs/providers/', import.meta.url)

test('docs/providers contains the guides of the setup portal: npm run guides writes them', async () => {
  const guides = providerGuides()
  assert.deepEqual((await readdir(folder)).toSorted(), [...guides.keys()].toSorted())
  for (const [file, text] of guides) assert.equal(await readFile(new URL(file, folder), 'utf8'), text, file)
})
