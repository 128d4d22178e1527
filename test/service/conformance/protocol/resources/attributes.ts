import assert from 'node:assert/strict'
import type { Loose } from '../../../../support/client.ts'
import type { Provider, Requirement } from '../../requirement.ts'
import { fieldsOf } from './support/fields.ts'
import { list } from './support/list.ts'
import { provisionGroup, provisionUser } from './support/provision.ts'
import { enterpriseUrn, userUrn } from './support/urns.ts'

/** RFC 7644 §3.4.2.5: choosing attributes. */
export const attributeRequirements: readonly Requirement[] = [
  {
    section: '3.4.2.5',
    level: 'MUST',
    asks: '`attributes` replaces the default attributes in lists.',
    shownBy: {
      test: 'users of a list show the two attributes that are requested, beside schemas and id',
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
    asks: '`attributes` also replaces the default attributes of a single resource.',
    shownBy: {
      test: 'a user who is read shows the attribute that is requested, beside schemas and id',
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
    asks: 'Names in `attributes` are in attribute notation: with a dot for a part, with a URN for an extension.',
    shownBy: {
      test: 'the given name and the department are shown, and nothing beside them',
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
    asks: '`excludedAttributes` removes default attributes in lists.',
    shownBy: {
      test: 'groups of a list come without their members and with all else',
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
    asks: '`excludedAttributes` also removes attributes of a single resource.',
    shownBy: {
      test: 'a user who is read comes without the attributes that are excluded and with all else',
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
    asks: 'Names in `excludedAttributes` are in attribute notation.',
    shownBy: {
      test: 'the given name and the department are left out, and what is beside them is not',
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
    asks: '`excludedAttributes` cannot remove attributes that are always returned.',
    shownBy: {
      test: 'a user comes with schemas and id though they are excluded',
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
