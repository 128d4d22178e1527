import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { forEachEngine, serviceForSuite } from '../../support/service.ts'
import { allRequirements } from './all.ts'
import { conformancePage } from './page.ts'
import { openProvider } from './provider.ts'
import { isTested } from './requirement.ts'

forEachEngine((engine) => {
  const service = serviceForSuite(engine)
  for (const { rfc, requirements } of allRequirements) {
    for (const { section, shownBy } of requirements.filter(isTested)) {
      test(`RFC ${rfc} §${section}: ${shownBy.test}`, async () => shownBy.run(await openProvider(service())))
    }
  }
})

test('no two tests of an RFC have the same name', () => {
  for (const { rfc, requirements } of allRequirements) {
    const names = requirements.filter(isTested).map(({ section, shownBy }) => `${rfc} ${section} ${shownBy.test}`)
    assert.deepEqual(names, [...new Set(names)])
  }
})

test('docs/conformance.md is what these tests make it: run npm run conformance', async () => {
  const page = await readFile(new URL('../../../docs/conformance.md', import.meta.url), 'utf8')
  assert.equal(page, conformancePage(allRequirements))
})
