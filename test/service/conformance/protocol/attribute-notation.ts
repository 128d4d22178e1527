import assert from 'node:assert/strict'
import { assertScimError } from '../../../support/errors.ts'
import type { Provider, Requirement } from '../requirement.ts'
import { createUser } from './support/create-resource.ts'
import { coreUser, enterpriseUser, patchOf } from './support/messages.ts'
import { fieldsOf, idsAt, read, usersFound } from './support/read-resources.ts'

/** Creates three users: two differ in every attribute that the tests use, and the third has only a userName. */
async function createUsers(provider: Provider) {
  const staff = (department: string, givenName: string) => ({
    name: { givenName, familyName: 'Jones' },
    [enterpriseUser]: { department, costCenter: '7' },
  })
  const ann = await createUser(provider, 'ann', staff('Tours', 'Ann'))
  const bob = await createUser(provider, 'bob', staff('Sales', 'Bob'))
  await createUser(provider, 'eve')
  return { ann, bob }
}

/** The resource at a path with the requested attributes, without `schemas` and `id`. */
async function readAttributes(provider: Provider, path: string, attributes: string): Promise<Record<string, unknown>> {
  const { schemas: _, id: __, ...rest } = fieldsOf(await read(provider, `${path}?attributes=${attributes}`))
  return rest
}

const notations = {
  'a bare name': { userName: 'userName', givenName: 'name.givenName', department: `${enterpriseUser}:department` },
  'a name with its URN': {
    userName: `${coreUser}:userName`,
    givenName: `${coreUser}:name.givenName`,
    department: `${enterpriseUser}:department`,
  },
  'a name in another letter case': {
    userName: `${coreUser.toUpperCase()}:USERNAME`,
    givenName: `${coreUser.toLowerCase()}:Name.GIVENNAME`,
    department: `${enterpriseUser.toUpperCase()}:Department`,
  },
} as const

const requirementOf = {
  'a bare name': 'An attribute of the core schema needs no URN, and a sub-attribute follows a dot',
  'a name with its URN': 'An attribute may be named with the URN of its schema before a colon',
  'a name in another letter case': 'The letter case of URN, attribute and sub-attribute does not matter',
} as const

const requirements = (Object.keys(notations) as (keyof typeof notations)[]).flatMap((notation): Requirement[] => {
  const { userName, givenName, department } = notations[notation]
  return [
    {
      section: '3.10',
      level: 'MUST',
      text: `${requirementOf[notation]}: in filters.`,
      coveredBy: {
        test: `filters find users by ${notation}`,
        async run(provider) {
          const { ann } = await createUsers(provider)
          for (const filter of [`${userName} eq "ann"`, `${givenName} eq "Ann"`, `${department} eq "Tours"`]) {
            assert.deepEqual(await usersFound(provider, filter), [ann.id], filter)
          }
        },
      },
    },
    {
      section: '3.10',
      level: 'MUST',
      text: `${requirementOf[notation]}: in attributes and excludedAttributes.`,
      coveredBy: {
        test: `attributes are selected and excluded by ${notation}`,
        async run(provider) {
          const { ann } = await createUsers(provider)
          const picked = await readAttributes(provider, ann.path, [userName, givenName, department].join())
          assert.deepEqual(picked, {
            userName: 'ann',
            name: { givenName: 'Ann' },
            [enterpriseUser]: { department: 'Tours' },
          })
          const left = fieldsOf(await read(provider, `${ann.path}?excludedAttributes=${givenName},${department}`))
          assert.deepEqual([left['name'], left[enterpriseUser]], [{ familyName: 'Jones' }, { costCenter: '7' }])
        },
      },
    },
    {
      section: '3.10',
      level: 'MUST',
      text: `${requirementOf[notation]}: in the paths of a PATCH.`,
      coveredBy: {
        test: `a PATCH changes attributes named by ${notation}`,
        async run(provider) {
          const { ann } = await createUsers(provider)
          const changes = { [userName]: 'anna', [givenName]: 'Anna', [department]: 'Sales' }
          const operations = Object.entries(changes).map(([path, value]) => ({ op: 'replace', path, value }))
          const { status, body, text } = await provider.send('PATCH', ann.path, patchOf(...operations))
          assert.equal(status, 200, text)
          const { userName: newName, name, [enterpriseUser]: extension } = fieldsOf(body)
          assert.deepEqual([newName, name], ['anna', { givenName: 'Anna', familyName: 'Jones' }])
          assert.deepEqual(extension, { department: 'Sales', costCenter: '7' })
        },
      },
    },
    {
      section: '3.10',
      level: 'MUST',
      text: `${requirementOf[notation]}: in sortBy.`,
      coveredBy: {
        test: `users are sorted by ${notation}`,
        async run(provider) {
          const { ann, bob } = await createUsers(provider)
          const filter = encodeURIComponent(`${enterpriseUser}:costCenter eq "7"`)
          for (const [sortBy, ids] of [
            [givenName, [bob.id, ann.id]],
            [userName, [bob.id, ann.id]],
            [department, [ann.id, bob.id]],
          ] as const) {
            const path = `/Users?filter=${filter}&sortBy=${sortBy}&sortOrder=descending`
            assert.deepEqual(await idsAt(provider, path), ids, sortBy)
          }
        },
      },
    },
  ]
})

/** RFC 7644 §3.10. */
export const attributeNotation: readonly Requirement[] = [
  ...requirements,
  {
    section: '3.10',
    level: 'MUST',
    text: 'An attribute of an extension is named with the URN of its schema before a colon.',
    coveredBy: {
      test: 'a department is found by its name alone, and by the URN before a dot',
      async run(provider) {
        const { ann } = await createUsers(provider)
        for (const name of ['department', `${enterpriseUser}.department`]) {
          assert.deepEqual(await usersFound(provider, `${name} eq "Tours"`), [ann.id], name)
        }
      },
      strict: {
        test: 'a department by its name alone, by the URN before a dot, and by another URN is rejected',
        async run(provider) {
          const { ann } = await createUsers(provider)
          const other = 'urn:scim:schemas:extension:enterprise:1.0:department'
          for (const name of ['department', `${enterpriseUser}.department`, other]) {
            const filter = `/Users?filter=${encodeURIComponent(`${name} eq "Tours"`)}`
            assertScimError(await provider.send('GET', filter), 400, 'invalidFilter')
            const patch = patchOf({ op: 'replace', path: name, value: 'Sales' })
            assertScimError(await provider.send('PATCH', ann.path, patch), 400, 'invalidPath')
          }
        },
      },
    },
    deviation: {
      text: 'An attribute of the enterprise extension is also found by its name alone, after a dot, and under older URNs, as Entra ID and others send it.',
      endedBy: 'scim_profile: "strict"',
    },
  },
]
