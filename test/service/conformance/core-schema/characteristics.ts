import assert from 'node:assert/strict'
import { assertScimError } from '../../../support/errors.ts'
import type { Requirement } from '../requirement.ts'
import { readAttributes, readResourceTypes } from './definitions.ts'
import { createGroup, createUser, fieldsOf, findUsers, patchOf, pathOf, reread } from './resources.ts'

/** RFC 7643 §7: the effect of an attribute's characteristics on its values. */
export const characteristicRequirements: readonly Requirement[] = [
  {
    section: '7',
    level: 'MUST',
    text: '`required`: a resource without such an attribute is not accepted.',
    coveredBy: {
      test: 'a resource of each type is rejected with invalidValue when an attribute that is defined as required is missing',
      run: async (provider) => {
        for (const { endpoint, schema } of await readResourceTypes(provider)) {
          const required = (await readAttributes(provider, schema)).filter((one) => one.required)
          assert.equal(required.length, 1)
          const response = await provider.send('POST', endpoint, { schemas: [schema], externalId: '1' })
          assertScimError(response, 400, 'invalidValue')
          assert(response.body.detail.includes(required[0]?.name ?? ''), response.text)
        }
      },
    },
  },
  {
    section: '7',
    level: 'MUST',
    text: '`caseExact`: a filter on such an attribute is case-sensitive.',
    coveredBy: {
      test: 'a filter on profileUrl matches the exact case only',
      run: async (provider) => {
        const user = await createUser(provider, { profileUrl: 'https://acme.example/Babs' })
        const found = await findUsers(provider, 'profileUrl eq "https://acme.example/Babs"')
        assert.deepEqual(found, [user.body.id])
        assert.deepEqual(await findUsers(provider, 'profileUrl eq "https://acme.example/BABS"'), [])
      },
    },
  },
  {
    section: '7',
    level: 'MUST',
    text: '`caseExact`: a filter on any other attribute is case-insensitive.',
    coveredBy: {
      test: 'filters on userName, title and emails.value match values in capitals',
      run: async (provider) => {
        const user = await createUser(provider, { title: 'Guide', emails: [{ value: 'b@acme.example' }] })
        for (const filter of ['userName eq "BJENSEN"', 'title eq "GUIDE"', 'emails.value eq "B@ACME.EXAMPLE"']) {
          assert.deepEqual(await findUsers(provider, filter), [user.body.id], filter)
        }
      },
    },
  },
  {
    section: '7',
    level: 'MUST',
    text: '`caseExact`: the case of such a value is preserved.',
    coveredBy: {
      test: 'externalId, profileUrl and a certificate are returned in their original case',
      run: async (provider) => {
        const attributes = {
          externalId: 'aBcD',
          profileUrl: 'https://ACME.example/BaBs',
          x509Certificates: [{ value: 'TUlJQkNn' }],
        }
        const { externalId, profileUrl, x509Certificates } = fieldsOf(
          await reread(provider, await createUser(provider, attributes)),
        )
        assert.deepEqual({ externalId, profileUrl, x509Certificates }, attributes)
      },
    },
  },
  {
    section: '7',
    level: 'MUST',
    text: '`readOnly`: a client cannot change such an attribute.',
    coveredBy: {
      test: 'a PATCH of id, of meta.created and of groups is rejected with mutability and changes nothing',
      run: async (provider) => {
        const user = await createUser(provider)
        for (const path of ['id', 'meta.created', 'groups']) {
          const patch = patchOf({ op: 'replace', path, value: '2001-01-01T00:00:00Z' })
          assertScimError(await provider.send('PATCH', pathOf(provider, user), patch), 400, 'mutability')
        }
        assert.deepEqual((await reread(provider, user)).body, user.body)
      },
    },
  },
  {
    section: '7',
    level: 'MUST',
    text: '`immutable`: such an attribute is not changed once it has a value.',
    coveredBy: {
      test: 'a member is unchanged after a PATCH of its value is rejected',
      run: async (provider) => {
        const [user, other] = [await createUser(provider), await createUser(provider, { userName: 'jsmith' })]
        const group = await createGroup(provider, { members: [{ value: user.body.id }] })
        const path = `members[value eq "${user.body.id}"].value`
        const patch = patchOf({ op: 'replace', path, value: other.body.id })
        assertScimError(await provider.send('PATCH', pathOf(provider, group), patch), 400, 'mutability')
        const members = (await reread(provider, group)).body.members
        assert.deepEqual(
          members?.map(({ value }) => value),
          [user.body.id],
        )
      },
    },
  },
  {
    section: '7',
    level: 'MUST',
    text: '`writeOnly` and returned `never`: such an attribute is accepted and not returned.',
    coveredBy: {
      test: 'a user is created with a password and read without one',
      run: async (provider) => {
        const user = await createUser(provider, { password: 't1meMa$heen' })
        assert(!('password' in fieldsOf(await reread(provider, user, '?attributes=password,userName'))))
      },
      strict: { because: 'The only such attribute is `password`, which a strict directory does not have.' },
    },
  },
  {
    section: '7',
    level: 'MUST',
    text: 'Returned `always`: such an attribute is returned with every request.',
    coveredBy: {
      test: 'a user with one requested attribute has that attribute, id and schemas, and nothing else',
      run: async (provider) => {
        const user = await createUser(provider, { title: 'Guide', displayName: 'Babs' })
        const shown = fieldsOf(await reread(provider, user, '?attributes=title'))
        assert.deepEqual(Object.keys(shown).sort(), ['id', 'schemas', 'title'])
      },
    },
  },
  {
    section: '7',
    level: 'MUST',
    text: 'Returned `default`: such an attribute is returned unless the request selects others.',
    coveredBy: {
      test: 'a title is returned by POST, GET, PUT, PATCH and lists',
      run: async (provider) => {
        const user = await createUser(provider, { title: 'Guide' })
        const path = pathOf(provider, user)
        const responses = [
          user,
          await reread(provider, user),
          await provider.send('PUT', path, { userName: 'bjensen', title: 'Guide', nickName: 'Babs' }),
          await provider.send('PATCH', path, patchOf({ op: 'remove', path: 'nickName' })),
        ].map(fieldsOf)
        const [listed] = (await provider.send('GET', '/Users')).body.Resources as unknown as typeof responses
        assert.deepEqual(
          [...responses, listed].map((shown) => shown?.['title']),
          Array(5).fill('Guide'),
        )
      },
    },
  },
  {
    section: '7',
    level: 'SHOULD',
    text: 'Uniqueness `server`: no two resources of a tenant have the same value; other tenants may use it.',
    coveredBy: {
      test: 'a userName is rejected twice in one directory, and accepted in another',
      run: async (provider) => {
        await createUser(provider)
        assertScimError(await provider.send('POST', '/Users', { userName: 'bjensen' }), 409, 'uniqueness')
        assert.equal((await createUser(await provider.another())).status, 201)
      },
    },
  },
]
