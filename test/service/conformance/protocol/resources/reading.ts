import assert from 'node:assert/strict'
import { assertScimError } from '../../../../support/errors.ts'
import type { Requirement } from '../../requirement.ts'
import { provisionGroup, provisionUser, readGroup, readUser } from './support/provision.ts'
import { userUrn } from './support/urns.ts'

/** RFC 7644 §3.4 and §3.4.1: reading a known resource. */
export const readingRequirements: readonly Requirement[] = [
  {
    section: '3.4',
    level: 'MUST',
    text: 'Attributes with returned `default` are returned unless the request says otherwise.',
    coveredBy: {
      test: 'a user is read with all its attributes except the password',
      async run(provider) {
        const given = {
          userName: 'ann',
          externalId: '7',
          title: 'Guide',
          nickName: 'Annie',
          profileUrl: 'https://a.example',
        }
        const hidden = provider.profile === 'strict' ? {} : { password: 'not to be shown' }
        const user = await provisionUser(provider, { ...given, ...hidden })
        const { schemas, id, meta, active, ...rest } = await readUser(provider, user)
        assert.deepEqual(rest, given)
        assert(schemas && id && meta && active)
      },
    },
  },
  {
    section: '3.4.1',
    level: 'MUST',
    text: 'A GET of an existing resource returns 200 and the resource.',
    coveredBy: {
      test: 'a user is read by id',
      async run(provider) {
        const { id } = await provisionUser(provider, { userName: 'ann' })
        const { status, body } = await provider.send('GET', `/Users/${id}`)
        assert.deepEqual([status, body.id, body.userName], [200, id, 'ann'])
      },
    },
  },
  {
    section: '3.4.1',
    level: 'MUST',
    text: 'A group is read by id, with its members.',
    coveredBy: {
      test: 'a group is read by id, with its member',
      async run(provider) {
        const user = await provisionUser(provider, { userName: 'ann' })
        const group = await provisionGroup(provider, 'Guides', [user])
        const { members } = await readGroup(provider, group)
        assert(Array.isArray(members))
        assert.deepEqual(
          members.map(({ value }) => value),
          [user.id],
        )
      },
    },
  },
  {
    section: '3.4.1',
    level: 'MUST',
    text: 'A schema is read by its URN.',
    coveredBy: {
      test: 'the User schema is read by its URN',
      async run(provider) {
        const { status, body } = await provider.send('GET', `/Schemas/${userUrn}`)
        assert.deepEqual([status, body.id], [200, userUrn])
      },
    },
  },
  {
    section: '3.4.1',
    level: 'MUST',
    text: 'Only a resource that exists at that endpoint returns 200.',
    coveredBy: {
      test: 'an unknown id, and one of another resource type, are not found',
      async run(provider) {
        const { id } = await provisionUser(provider, { userName: 'ann' })
        assertScimError(await provider.send('GET', `/Users/${id}x`), 404)
        assertScimError(await provider.send('GET', `/Groups/${id}`), 404)
      },
    },
  },
]
