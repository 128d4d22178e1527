import assert from 'node:assert/strict'
import { assertScimError } from '../../../support/errors.ts'
import type { Requirement } from '../requirement.ts'
import { outline, readAttributes } from './definitions.ts'
import { createGroup, createUser, fieldsOf, patchOf, pathOf, reread, userUrn } from './resources.ts'

/** RFC 7643 §4.1.1: the single attributes of a user, except the password. */
export const userRequirements: readonly Requirement[] = [
  {
    section: '4.1',
    level: 'MUST',
    text: 'Users are described by the User schema, with every attribute that the RFC defines.',
    coveredBy: {
      test: 'the User schema has the attributes of the RFC, with their types and characteristics',
      run: async (provider) => {
        const attributes = await readAttributes(provider, userUrn)
        assert.deepEqual(
          outline(attributes)
            .filter((line) => !line.includes('.'))
            .sort(),
          // A strict directory has no password.
          [
            'active boolean',
            'addresses complex list',
            'displayName string',
            'emails complex list',
            'entitlements complex list',
            'groups complex list readOnly',
            'ims complex list',
            'locale string',
            'name complex',
            'nickName string',
            ...(provider.profile === 'strict' ? [] : ['password string writeOnly returned-never']),
            'phoneNumbers complex list',
            'photos complex list',
            'preferredLanguage string',
            'profileUrl reference',
            'roles complex list',
            'timezone string',
            'title string',
            'userName string required unique-server',
            'userType string',
            'x509Certificates complex list',
          ],
        )
      },
    },
  },
  {
    section: '4.1.1',
    level: 'MUST',
    text: 'Every user has a `userName`.',
    coveredBy: {
      test: 'a user without userName is rejected with invalidValue',
      run: async (provider) => {
        const response = await provider.send('POST', '/Users', { schemas: [userUrn], displayName: 'Babs' })
        assertScimError(response, 400, 'invalidValue')
      },
      strict: {
        test: 'a user without userName is rejected with invalidValue, although it has an email address',
        run: async (provider) => {
          const body = { schemas: [userUrn], emails: [{ value: 'babs@x.example', primary: true }] }
          assertScimError(await provider.send('POST', '/Users', body), 400, 'invalidValue')
        },
      },
    },
    deviation: {
      text: 'A user that is created without `userName` gets the email address as `userName`: some systems send only that.',
      endedBy: 'scim_profile: "strict"',
    },
  },
  {
    section: '4.1.1',
    level: 'MUST',
    text: 'The `userName` is not empty.',
    coveredBy: {
      test: 'a user whose userName is the empty text is rejected with invalidValue',
      run: async (provider) => {
        const response = await provider.send('POST', '/Users', { schemas: [userUrn], userName: '' })
        assertScimError(response, 400, 'invalidValue')
      },
    },
  },
  {
    section: '4.1.1',
    level: 'MUST',
    text: 'A user always has a `userName`, after any change.',
    coveredBy: {
      test: 'a PUT without userName keeps it, and its removal by PATCH is rejected as mutability',
      run: async (provider) => {
        const created = await createUser(provider, { userName: 'bjensen' })
        const path = pathOf(provider, created)
        for (const body of [{ title: 'Guide' }, { userName: null, emails: [{ value: 'babs@x.example' }] }]) {
          const { status, body: replaced } = await provider.send('PUT', path, body)
          assert.deepEqual([status, replaced.userName], [200, 'bjensen'])
        }
        const removal = patchOf({ op: 'remove', path: 'userName' })
        assertScimError(await provider.send('PATCH', path, removal), 400, 'mutability')
      },
      strict: {
        test: 'a PUT without userName is rejected with invalidValue, and its removal by PATCH as mutability',
        run: async (provider) => {
          const path = pathOf(provider, await createUser(provider, { userName: 'bjensen' }))
          assertScimError(await provider.send('PUT', path, { title: 'Guide' }), 400, 'invalidValue')
          const removal = patchOf({ op: 'remove', path: 'userName' })
          assertScimError(await provider.send('PATCH', path, removal), 400, 'mutability')
        },
      },
    },
    deviation: {
      text: 'A PUT without `userName` keeps the present one: an omission must not make a user unknown to the product.',
      endedBy: 'scim_profile: "strict"',
    },
  },
  {
    section: '4.1.1',
    level: 'MUST',
    text: 'No two users of a service provider have the same `userName`, ignoring case.',
    coveredBy: {
      test: 'a second user with the same userName, in any letter case, is rejected with 409 uniqueness',
      run: async (provider) => {
        await createUser(provider, { userName: 'bjensen' })
        for (const userName of ['bjensen', 'BJensen']) {
          assertScimError(await provider.send('POST', '/Users', { userName }), 409, 'uniqueness')
        }
      },
    },
  },
  {
    section: '4.1.1',
    level: 'MUST',
    text: "No user can be changed to another user's `userName`.",
    coveredBy: {
      test: 'a PUT and a PATCH to the userName of another user are rejected with 409 uniqueness',
      run: async (provider) => {
        await createUser(provider, { userName: 'bjensen' })
        const path = pathOf(provider, await createUser(provider, { userName: 'jsmith' }))
        const patch = patchOf({ op: 'replace', path: 'userName', value: 'BJENSEN' })
        assertScimError(await provider.send('PUT', path, { userName: 'bjensen' }), 409, 'uniqueness')
        assertScimError(await provider.send('PATCH', path, patch), 409, 'uniqueness')
      },
    },
  },
  {
    section: '4.1.1',
    level: 'SHOULD',
    text: 'When a full name and its parts are returned, they describe the same name.',
    coveredBy: {
      test: 'a user has exactly the parts of the name that were sent',
      run: async (provider) => {
        const names = [{ givenName: 'Barbara', familyName: 'Jensen' }, { formatted: 'Ms. Barbara J Jensen III' }]
        const users = [
          await createUser(provider, { name: names[0] }),
          await createUser(provider, { userName: 'b', name: names[1] }),
        ]
        assert.deepEqual(
          users.map((user) => fieldsOf(user)['name']),
          names,
        )
      },
    },
  },
  {
    section: '4.1.1',
    level: 'SHOULD',
    text: 'The service provider displays the user by `displayName`.',
    coveredBy: {
      test: 'a group shows its members by displayName',
      run: async (provider) => {
        const user = await createUser(provider, { displayName: 'Babs Jensen' })
        const group = await createGroup(provider, { members: [{ value: user.body.id }] })
        assert.equal((await reread(provider, group)).body.members?.[0]?.display, 'Babs Jensen')
      },
    },
  },
  {
    section: '4.1.1',
    level: 'SHOULD',
    text: 'The `nickName` is not derived from the userName.',
    coveredBy: {
      test: 'a user sent without nickName has none',
      run: async (provider) => {
        assert.equal(fieldsOf(await createUser(provider))['nickName'], undefined)
      },
    },
  },
]
