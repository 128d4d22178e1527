import assert from 'node:assert/strict'
import type { Requirement } from '../requirement.ts'
import { readEveryAttribute } from './definitions.ts'
import { createUser, enterpriseUrn, pathOf, userUrn } from './resources.ts'

/** RFC 7643 §2.3.8: values that have sub-attributes. */
export const complexRequirements: readonly Requirement[] = [
  {
    section: '2.3.8',
    level: 'MUST',
    text: 'Attributes and sub-attributes may come in any order.',
    coveredBy: {
      test: 'a PUT that only changes the order of attributes changes nothing',
      run: async (provider) => {
        const name = { givenName: 'Barbara', familyName: 'Jensen' }
        const created = await createUser(provider, { name, [enterpriseUrn]: { department: 'Tours' } })
        const reversed = {
          [enterpriseUrn]: { department: 'Tours' },
          name: { familyName: 'Jensen', givenName: 'Barbara' },
          userName: 'bjensen',
          schemas: [enterpriseUrn, userUrn],
        }
        const replaced = await provider.send('PUT', pathOf(provider, created), reversed)
        assert.equal(replaced.status, 200, replaced.text)
        assert.deepEqual(replaced.body, created.body)
      },
    },
  },
  {
    section: '2.3.8',
    level: 'MUST',
    text: 'A sub-attribute has no sub-attributes of its own.',
    coveredBy: {
      test: 'no sub-attribute of any schema is complex',
      run: async (provider) => {
        const subAttributes = (await readEveryAttribute(provider)).flatMap((one) => one.subAttributes ?? [])
        assert(subAttributes.length > 0)
        assert.deepEqual(
          subAttributes.filter((one) => one.type === 'complex' || one.subAttributes !== undefined),
          [],
        )
      },
    },
  },
]
