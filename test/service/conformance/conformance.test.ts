import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { forEachEngine, serviceForSuite } from '../../support/service.ts'
import { allRequirements } from './all.ts'
import { conformancePage } from './page.ts'
import { createProvider } from './provider.ts'
import { isTested } from './requirement.ts'

forEachEngine((engine) => {
  const service = serviceForSuite(engine)
  for (const { rfc, requirements } of allRequirements) {
    for (const { section, coveredBy } of requirements.filter(isTested)) {
      test(`RFC ${rfc} §${section}: ${coveredBy.test}`, async () => coveredBy.run(await createProvider(service())))
    }
  }
})

test('no two tests of an RFC have the same name', () => {
  for (const { rfc, requirements } of allRequirements) {
    const names = requirements.filter(isTested).map(({ section, coveredBy }) => `${rfc} ${section} ${coveredBy.test}`)
    assert.deepEqual(names, [...new Set(names)])
  }
})

test('docs/conformance.md is up to date: run npm run conformance', async () => {
  const page = await readFile(new URL('../../../docs/conformance.md', import.meta.url), 'utf8')
  assert.equal(page, conformancePage(allRequirements))
})
