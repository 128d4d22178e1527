import assert from 'node:assert/strict'
import type { Answer } from '../../../support/client.ts'
import { assertScimError } from '../../../support/errors.ts'
import type { Deviation, Provider, Requirement } from '../requirement.ts'
import { outline, readAttributes } from './definitions.ts'
import { createGroup, createUser, fieldsOf, patchOf, pathOf, reread, userUrn } from './resources.ts'

const passedOn = 'The identity provider chooses the value; it is neither inspected nor changed.'

const asSent = (what: string): Deviation => ({
  text: `${what} is returned as sent; look-ups and filters ignore case.`,
  endedBy: { none: 'identity providers compare what they read with what they wrote, and would write again.' },
})

/** RFC 7643 §4.1.2: the lists of a user. */
export const userListRequirements: readonly Requirement[] = [
  {
    section: '4.1.2',
    level: 'MUST',
    text: 'The values of the lists have the sub-attributes that the RFC defines.',
    coveredBy: {
      test: 'the lists of the User schema have value, display, type and primary; addresses and groups have their own sub-attributes',
      run: async (provider) => {
        const parts = new Map(
          (await readAttributes(provider, userUrn)).map(({ name, subAttributes = [] }) => [
            name,
            outline(subAttributes),
          ]),
        )
        const common = ['display string', 'primary boolean', 'type string']
        const text = [...common, 'value string']
        const { photos, x509Certificates, addresses, groups, ...others } = Object.fromEntries(parts)
        for (const name of ['emails', 'phoneNumbers', 'ims', 'entitlements', 'roles']) {
          assert.deepEqual(others[name]?.sort(), text, name)
        }
        assert.deepEqual(photos?.sort(), [...common, 'value reference'])
        assert.deepEqual(x509Certificates?.sort(), [...common, 'value binary'])
        const address = ['country', 'formatted', 'locality', 'postalCode', 'region', 'streetAddress', 'type']
        assert.deepEqual(
          address.filter((name) => !addresses?.includes(`${name} string`)),
          [],
        )
        const readOnly = ['$ref reference', 'display string', 'type string', 'value string']
        assert.deepEqual(
          groups?.sort(),
          readOnly.map((part) => `${part} readOnly`),
        )
      },
    },
  },
  {
    section: '4.1.2',
    level: 'SHOULD',
    text: 'An email address is put in canonical form: its domain in lower case.',
    coveredBy: { because: 'A deviation: see the table above.' },
    deviation: asSent('An email address'),
  },
  {
    section: '4.1.2',
    level: 'SHOULD',
    text: 'A phone number is put in the form of RFC 3966 where that is possible.',
    coveredBy: {
      because:
        'A number without a country code has no such form: numbers are returned as the identity provider wrote them.',
    },
  },
  {
    section: '4.1.2',
    level: 'SHOULD',
    text: 'An instant messaging address is normalized: no spaces, lower case.',
    coveredBy: { because: 'A deviation: see the table above.' },
    deviation: asSent('An instant messaging address'),
  },
  {
    section: '4.1.2',
    level: 'MUST',
    text: 'A photo is the URL of an image file, not of a page that contains one.',
    coveredBy: { because: passedOn },
  },
  {
    section: '4.1.2',
    level: 'SHOULD',
    text: 'Photos show the user; they are not arbitrary photos taken by the user.',
    coveredBy: { because: passedOn },
  },
  {
    section: '4.1.2',
    level: 'MUST',
    text: 'The country of an address is a two-letter code of ISO 3166-1.',
    coveredBy: {
      because: `${passedOn} Several send the country's name, and rejecting it would prevent the user from being synced.`,
    },
  },
  {
    section: '4.1.2',
    level: 'MUST',
    text: 'The `value` of a group of a user is the id of that group, and its `$ref` the URL.',
    coveredBy: {
      test: 'a member of a group has the id and the URL of the group among its groups',
      run: async (provider) => {
        const { user, group } = await userInGroup(provider)
        const [{ value, $ref } = {}] = fieldsOf(await reread(provider, user))['groups'] as Record<string, unknown>[]
        assert.deepEqual({ value, $ref }, { value: group.body.id, $ref: group.body.meta.location })
      },
    },
  },
  {
    section: '4.1.2',
    level: 'SHOULD',
    text: 'A membership of type `direct` can be changed through the group.',
    coveredBy: {
      test: 'a membership of type direct ends when the member is removed from the group',
      run: async (provider) => {
        const { user, group } = await userInGroup(provider)
        const [{ type } = {}] = fieldsOf(await reread(provider, user))['groups'] as Record<string, unknown>[]
        assert.equal(type, 'direct')
        const removal = patchOf({ op: 'remove', path: `members[value eq "${user.body.id}"]` })
        await provider.send('PATCH', pathOf(provider, group), removal)
        assert.deepEqual((await reread(provider, user)).body.groups ?? [], [])
      },
    },
  },
  {
    section: '4.1.2',
    level: 'MUST',
    text: 'Memberships are changed through groups: groups in a POST or PUT of a user are ignored.',
    coveredBy: {
      test: 'a user sent with a group, or without its group, still has the groups that it is a member of',
      run: async (provider) => {
        const { user, group } = await userInGroup(provider)
        const groups = [{ value: group.body.id }]
        const outsider = await createUser(provider, { userName: 'jsmith', groups })
        await provider.send('PUT', pathOf(provider, user), { userName: 'bjensen', groups: [] })
        const ids = (await reread(provider, user)).body.groups?.map(({ value }) => value)
        assert.deepEqual([ids, (await reread(provider, outsider)).body.groups ?? []], [[group.body.id], []])
      },
    },
  },
  {
    section: '4.1.2',
    level: 'MUST',
    text: "Memberships are changed through groups: a PATCH of a user's groups is rejected.",
    coveredBy: {
      test: 'a PATCH that adds a group to a user is rejected with mutability',
      run: async (provider) => {
        const [user, group] = [await createUser(provider), await createGroup(provider)]
        const patch = patchOf({ op: 'add', path: 'groups', value: [{ value: group.body.id }] })
        assertScimError(await provider.send('PATCH', pathOf(provider, user), patch), 400, 'mutability')
      },
    },
  },
  {
    section: '4.1.2',
    level: 'MUST',
    text: 'The value of a certificate is in base64.',
    coveredBy: {
      test: 'a certificate with characters that base64 does not have is rejected with invalidValue',
      run: async (provider) => {
        const body = { userName: 'bjensen', x509Certificates: [{ value: '<not base64!>' }] }
        assertScimError(await provider.send('POST', '/Users', body), 400, 'invalidValue')
      },
    },
  },
  {
    section: '4.1.2',
    level: 'MUST',
    text: 'One value holds one certificate.',
    coveredBy: { because: passedOn },
  },
]

async function userInGroup(provider: Provider): Promise<{ user: Answer; group: Answer }> {
  const user = await createUser(provider)
  return { user, group: await createGroup(provider, { members: [{ value: user.body.id }] }) }
}
