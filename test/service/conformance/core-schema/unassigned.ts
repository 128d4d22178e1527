import assert from 'node:assert/strict'
import type { Provider, Requirement } from '../requirement.ts'
import { createUser, fieldsOf, findUsers, patchOf, pathOf, reread } from './resources.ts'

const assigned = { nickName: 'Babs', emails: [{ value: 'bjensen@acme.example' }] }

/** RFC 7643 §2.5: an attribute without a value. */
export const unassignedRequirements: readonly Requirement[] = [
  {
    section: '2.5',
    level: 'MUST',
    text: 'Null, an empty list and an omitted attribute are equivalent in a POST.',
    coveredBy: {
      test: 'a user created with null and an empty list equals one created without these attributes',
      run: async (provider) => {
        const created = await createUser(provider, { nickName: null, emails: [], phoneNumbers: null })
        const { id, meta, ...attributes } = fieldsOf(await reread(provider, created))
        const other = await createUser(await provider.another())
        const { id: otherId, meta: otherMeta, ...expected } = fieldsOf(other)
        assert.deepEqual(attributes, expected)
      },
    },
  },
  {
    section: '2.5',
    level: 'MUST',
    text: 'Null and an empty list clear an attribute in a PUT.',
    coveredBy: {
      test: 'a PUT with null and an empty list leaves neither attribute',
      run: async (provider) => {
        const user = await createUser(provider, assigned)
        const body = { userName: 'bjensen', nickName: null, emails: [] }
        await provider.send('PUT', pathOf(provider, user), body)
        assert.deepEqual(await assignedNames(provider, user), [])
      },
    },
  },
  {
    section: '2.5',
    level: 'MUST',
    text: 'Null and an empty list clear an attribute in a PATCH.',
    coveredBy: {
      test: 'a PATCH that replaces by null and by an empty list leaves neither attribute',
      run: async (provider) => {
        const user = await createUser(provider, assigned)
        const body = patchOf(
          { op: 'replace', path: 'nickName', value: null },
          { op: 'replace', path: 'emails', value: [] },
        )
        await provider.send('PATCH', pathOf(provider, user), body)
        assert.deepEqual(await assignedNames(provider, user), [])
      },
    },
  },
  {
    section: '2.5',
    level: 'MUST',
    text: 'Null, an empty list and an omitted attribute are equivalent in a filter.',
    coveredBy: {
      test: 'a filter for users without emails matches null, an empty list and an omitted attribute',
      run: async (provider) => {
        const absent = await createUser(provider, { userName: 'absent' })
        const none = await createUser(provider, { userName: 'none', emails: null })
        const empty = await createUser(provider, { userName: 'empty', emails: [] })
        await createUser(provider, { userName: 'assigned', ...assigned })
        const ids = [absent, none, empty].map(({ body }) => body.id)
        assert.deepEqual(new Set(await findUsers(provider, 'not (emails pr)')), new Set(ids))
      },
    },
  },
]

/** The names of the assigned ones of the two attributes. */
async function assignedNames(provider: Provider, user: Parameters<typeof reread>[1]): Promise<string[]> {
  const fields = fieldsOf(await reread(provider, user))
  return Object.keys(assigned).filter((name) => name in fields)
}
