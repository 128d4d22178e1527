import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { scimProfiles } from '../../../src/scim/schema/resource-type.ts'
import { forEachEngine, serviceForSuite } from '../../support/service.ts'
import { allRequirements } from './all.ts'
import { conformancePage } from './page.ts'
import { createProvider } from './provider.ts'
import { isTested, testFor } from './requirement.ts'

forEachEngine((engine) => {
  const service = serviceForSuite(engine, { MAX_DIRECTORIES_PER_TENANT: '0' })
  for (const { rfc, requirements } of allRequirements) {
    for (const requirement of requirements) {
      for (const profile of scimProfiles) {
        const covering = testFor(requirement, profile)
        if (covering === undefined) continue
        const title = `RFC ${rfc} §${requirement.section}, ${profile}: ${covering.test}`
        test(title, async () => covering.run(await createProvider(service(), profile)))
      }
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
