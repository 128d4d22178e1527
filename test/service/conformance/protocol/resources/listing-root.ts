import assert from 'node:assert/strict'
import type { Loose } from '../../../../support/client.ts'
import type { Provider, Requirement } from '../../requirement.ts'
import { list } from './support/list.ts'
import { provisionGroup, provisionUser } from './support/provision.ts'

/** RFC 7644 §3.4.2.1: queries of all resource types at once, at the root. */
export const rootRequirements: readonly Requirement[] = [
  {
    section: '3.4.2.1',
    level: 'MUST',
    text: 'A query at the root searches the resources of all types.',
    coveredBy: {
      test: 'users and groups are found at the root, with a filter that matches both and without one',
      async run(provider) {
        await provisionOneOfEach(provider)
        assert.deepEqual(typesIn(await list(provider, '')), ['Group', 'User'])
        assert.deepEqual(await typesWhere(provider, 'id pr'), ['Group', 'User'])
      },
    },
  },
  {
    section: '3.4.2.1',
    level: 'MUST',
    text: 'At the root a filter on `meta.resourceType` restricts the query to resource types.',
    coveredBy: {
      test: 'a filter on the resource type finds only groups at the root',
      async run(provider) {
        await provisionOneOfEach(provider)
        assert.deepEqual(await typesWhere(provider, 'meta.resourceType eq "Group"'), ['Group'])
      },
    },
  },
  {
    section: '3.4.2.1',
    level: 'MUST',
    text: 'Filters work at the root as at the endpoint of a resource type.',
    coveredBy: {
      test: 'a filter at the root compares each attribute by its own rules',
      async run(provider) {
        await provisionOneOfEach(provider)
        const filter = 'userName sw "AN" or (displayName EQ "guides" and not (externalId pr))'
        assert.deepEqual(await typesWhere(provider, filter), ['Group', 'User'])
        assert.deepEqual(await typesWhere(provider, 'externalId eq "BADGE-1"'), [])
      },
    },
  },
  {
    section: '3.4.2.1',
    level: 'MUST',
    text: 'An attribute that a resource type does not have is treated as unassigned: comparisons are false.',
    coveredBy: {
      test: 'a comparison of userName at the root finds no group',
      async run(provider) {
        await provisionOneOfEach(provider)
        assert.deepEqual(await typesWhere(provider, 'userName eq "ann"'), ['User'])
      },
    },
  },
  {
    section: '3.4.2.1',
    level: 'MUST',
    text: 'An attribute that a resource type does not have is not present in its resources.',
    coveredBy: {
      test: 'at the root only a user has a userName, and a group has none',
      async run(provider) {
        await provisionOneOfEach(provider)
        assert.deepEqual(await typesWhere(provider, 'userName pr'), ['User'])
        assert.deepEqual(await typesWhere(provider, 'not (userName pr)'), ['Group'])
      },
    },
  },
  {
    section: '3.4.2.1',
    level: 'MUST',
    text: 'An attribute that no resource type has is absent, not an error in the filter.',
    coveredBy: {
      test: 'a comparison with an unknown attribute matches nothing at the root',
      async run(provider) {
        await provisionOneOfEach(provider)
        assert.deepEqual(await typesWhere(provider, 'helmetSize eq 7 or helmetSize pr'), [])
      },
    },
  },
]

async function provisionOneOfEach(provider: Provider): Promise<void> {
  const user = await provisionUser(provider, { userName: 'ann', externalId: 'Badge-1' })
  await provisionGroup(provider, 'Guides', [user])
}

async function typesWhere(provider: Provider, filter: string): Promise<string[]> {
  return typesIn(await list(provider, '', { filter }))
}

function typesIn({ Resources }: Loose): string[] {
  return Resources.map(({ meta }) => meta.resourceType).sort()
}
