import assert from 'node:assert/strict'
import type { Loose } from '../../../../support/client.ts'
import type { Provider, Requirement } from '../../requirement.ts'
import { fieldsOf } from './support/fields.ts'
import { list } from './support/list.ts'
import { provisionGroup, provisionUser } from './support/provision.ts'
import { enterpriseUrn, userUrn } from './support/urns.ts'

/** RFC 7644 §3.4.2.5: selecting attributes. */
export const attributeRequirements: readonly Requirement[] = [
  {
    section: '3.4.2.5',
    level: 'MUST',
    text: '`attributes` replaces the default attributes in lists.',
    coveredBy: {
      test: 'users in a list have the two requested attributes, schemas and id',
      async run(provider) {
        await provisionAnn(provider)
        const { Resources } = await list(provider, '/Users', { attributes: 'title,nickName' })
        assert.deepEqual(Resources.map(namesIn), [['id', 'nickName', 'schemas', 'title']])
      },
    },
  },
  {
    section: '3.4.2.5',
    level: 'MUST',
    text: '`attributes` also replaces the default attributes of a single resource.',
    coveredBy: {
      test: 'a user read by id has the requested attribute, schemas and id',
      async run(provider) {
        const { id } = await provisionAnn(provider)
        const { body } = await provider.send('GET', `/Users/${id}?attributes=title`)
        assert.deepEqual(namesIn(body), ['id', 'schemas', 'title'])
      },
    },
  },
  {
    section: '3.4.2.5',
    level: 'MUST',
    text: 'Names in `attributes` are in attribute notation: a dot before a sub-attribute, a URN before an extension attribute.',
    coveredBy: {
      test: 'only the given name and the department are returned',
      async run(provider) {
        const { id } = await provisionAnn(provider)
        const path = `/Users/${id}?attributes=name.givenName,${enterpriseUrn}:department`
        const { schemas, ...rest } = (await provider.send('GET', path)).body
        assert.deepEqual({ ...rest }, { id, name: { givenName: 'Ann' }, [enterpriseUrn]: { department: 'Tours' } })
        assert.deepEqual(schemas, [userUrn, enterpriseUrn])
      },
    },
  },
  {
    section: '3.4.2.5',
    level: 'MUST',
    text: '`excludedAttributes` removes default attributes in lists.',
    coveredBy: {
      test: 'groups in a list have all attributes except their members',
      async run(provider) {
        await provisionGroup(provider, 'Guides', [await provisionAnn(provider)])
        const { Resources } = await list(provider, '/Groups', { excludedAttributes: 'members' })
        assert.deepEqual(Resources.map(namesIn), [['displayName', 'id', 'meta', 'schemas']])
      },
    },
  },
  {
    section: '3.4.2.5',
    level: 'MUST',
    text: '`excludedAttributes` also removes attributes of a single resource.',
    coveredBy: {
      test: 'a user read by id has all attributes except the excluded ones',
      async run(provider) {
        const { id } = await provisionAnn(provider)
        const whole = namesIn((await provider.send('GET', `/Users/${id}`)).body)
        const { body } = await provider.send('GET', `/Users/${id}?excludedAttributes=title,meta`)
        assert.deepEqual(
          namesIn(body),
          whole.filter((name) => name !== 'title' && name !== 'meta'),
        )
      },
    },
  },
  {
    section: '3.4.2.5',
    level: 'MUST',
    text: 'Names in `excludedAttributes` are in attribute notation.',
    coveredBy: {
      test: 'only the given name and the department are left out',
      async run(provider) {
        const { id } = await provisionAnn(provider)
        const path = `/Users/${id}?excludedAttributes=name.givenName,${enterpriseUrn}:department`
        const body = fieldsOf((await provider.send('GET', path)).body)
        assert.deepEqual([body['name'], body[enterpriseUrn]], [{ familyName: 'Archer' }, { division: 'West' }])
      },
    },
  },
  {
    section: '3.4.2.5',
    level: 'MUST',
    text: '`excludedAttributes` cannot remove attributes that are always returned.',
    coveredBy: {
      test: 'a user has schemas and id although they are excluded',
      async run(provider) {
        const { id } = await provisionAnn(provider)
        const { body } = await provider.send('GET', `/Users/${id}?excludedAttributes=id,schemas`)
        assert.deepEqual([body.id, body.schemas], [id, [userUrn, enterpriseUrn]])
      },
    },
  },
]

function provisionAnn(provider: Provider): Promise<Loose> {
  return provisionUser(provider, {
    userName: 'ann',
    title: 'Guide',
    nickName: 'Annie',
    name: { givenName: 'Ann', familyName: 'Archer' },
    [enterpriseUrn]: { department: 'Tours', division: 'West' },
  })
}

function namesIn(resource: Loose): string[] {
  return Object.keys(resource).sort()
}
