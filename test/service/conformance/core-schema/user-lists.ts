import assert from 'node:assert/strict'
import type { Answer } from '../../../support/client.ts'
import { assertScimRefusal } from '../../../support/refusals.ts'
import type { Provider, Requirement } from '../requirement.ts'
import { outline, readAttributes } from './definitions.ts'
import { createGroup, createUser, fieldsOf, patchOf, pathOf, reread, userUrn } from './resources.ts'

const passedOn = 'The identity provider chooses the value; it is neither inspected nor changed.'

/** RFC 7643 §4.1.2: the lists of a user. */
export const userListRequirements: readonly Requirement[] = [
  {
    section: '4.1.2',
    level: 'MUST',
    asks: 'The values of the lists have the sub-attributes that the RFC defines.',
    shownBy: {
      test: 'the lists of the User schema have value, display, type and primary, addresses and groups their own parts',
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
    asks: 'An email address is put in canonical form: its domain in lower case.',
    shownBy: {
      because:
        'Departed from: identity providers compare what they read with what they wrote, so text is returned as sent; lookups and filters ignore case.',
    },
  },
  {
    section: '4.1.2',
    level: 'SHOULD',
    asks: 'A phone number is put in the form of RFC 3966 where that is possible.',
    shownBy: {
      because:
        'A number without a country code has no such form: numbers are returned as the identity provider wrote them.',
    },
  },
  {
    section: '4.1.2',
    level: 'SHOULD',
    asks: 'An instant messaging address is normalized: no spaces, lower case.',
    shownBy: {
      because:
        'Departed from: identity providers compare what they read with what they wrote, so text is returned as sent; lookups and filters ignore case.',
    },
  },
  {
    section: '4.1.2',
    level: 'MUST',
    asks: 'A photo is the address of an image file, not of a page that has one.',
    shownBy: { because: passedOn },
  },
  {
    section: '4.1.2',
    level: 'SHOULD',
    asks: 'Photos are those that show the user, not just any that the user took.',
    shownBy: { because: passedOn },
  },
  {
    section: '4.1.2',
    level: 'MUST',
    asks: 'The country of an address is its two-letter code of ISO 3166-1.',
    shownBy: {
      because: `${passedOn} Several send the country's name, and rejecting it would prevent the user from being synced.`,
    },
  },
  {
    section: '4.1.2',
    level: 'MUST',
    asks: 'The `value` of a group of a user is the id of that group, and its `$ref` the address.',
    shownBy: {
      test: 'a member of a group has its id and its address among its groups',
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
    asks: 'A membership that is called direct can be changed through the group.',
    shownBy: {
      test: 'the membership of type direct goes when the member is removed from the group',
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
    asks: 'Memberships are changed through groups: groups in a POST or PUT of a user are ignored.',
    shownBy: {
      test: 'a user that is sent with a group, or without its group, has the groups that it is a member of',
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
    asks: "Memberships are changed through groups: a PATCH of a user's groups is rejected.",
    shownBy: {
      test: 'a PATCH that adds a group to a user is rejected with mutability',
      run: async (provider) => {
        const [user, group] = [await createUser(provider), await createGroup(provider)]
        const patch = patchOf({ op: 'add', path: 'groups', value: [{ value: group.body.id }] })
        assertScimRefusal(await provider.send('PATCH', pathOf(provider, user), patch), 400, 'mutability')
      },
    },
  },
  {
    section: '4.1.2',
    level: 'MUST',
    asks: 'The value of a certificate is in base64.',
    shownBy: {
      test: 'a certificate with characters that base64 does not have is rejected with invalidValue',
      run: async (provider) => {
        const body = { userName: 'bjensen', x509Certificates: [{ value: '<not base64!>' }] }
        assertScimRefusal(await provider.send('POST', '/Users', body), 400, 'invalidValue')
      },
    },
  },
  {
    section: '4.1.2',
    level: 'MUST',
    asks: 'One value holds one certificate.',
    shownBy: { because: passedOn },
  },
]

async function userInGroup(provider: Provider): Promise<{ user: Answer; group: Answer }> {
  const user = await createUser(provider)
  return { user, group: await createGroup(provider, { members: [{ value: user.body.id }] }) }
}
