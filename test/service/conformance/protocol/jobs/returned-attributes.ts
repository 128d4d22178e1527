import assert from 'node:assert/strict'
import type { Loose } from '../../../../support/client.ts'
import { assertScimRefusal } from '../../../../support/refusals.ts'
import type { Provider, Requirement } from '../../requirement.ts'
import { createGroup, createUser } from './create-resource.ts'
import { coreGroup, coreUser, group, patchOf, retitled, searchRequest, user } from './messages.ts'

const fields = {
  title: 'Guide',
  nickName: 'Annie',
  name: { givenName: 'Ann', familyName: 'Jones' },
  password: 'pa55word',
}

/** One user, as every kind of request that is answered with it shows it; each is sent with the query. */
async function* userAnswers(provider: Provider, query: string): AsyncGenerator<[string, Loose | undefined]> {
  const created = await provider.send('POST', `/Users${query}`, user('ann', fields))
  assert.equal(created.status, 201, created.text)
  const path = `/Users/${created.body.id}${query}`
  yield ['POST', created.body]
  yield ['GET', (await provider.send('GET', path)).body]
  yield ['PUT', (await provider.send('PUT', path, user('ann', fields))).body]
  yield ['PATCH', (await provider.send('PATCH', path, retitled('Driver'))).body]
  yield ['list', (await provider.send('GET', `/Users${query}`)).body.Resources[0]]
}

/** Holds every answer with the user against the names of the attributes that it must have. */
async function assertNames(provider: Provider, query: string, names: readonly string[]): Promise<void> {
  for await (const [kind, resource] of userAnswers(provider, query)) {
    assert.deepEqual(Object.keys(resource ?? {}).sort(), [...names].sort(), kind)
  }
}

/** RFC 7644 §3.9. */
export const returnedAttributes: readonly Requirement[] = [
  {
    section: '3.9',
    level: 'MUST',
    asks: 'An answer with a resource shows what is always returned and what is returned by default, and nothing else.',
    shownBy: {
      test: 'every request returns all attributes of a user except the password',
      run: (provider) =>
        assertNames(provider, '', ['schemas', 'id', 'meta', 'userName', 'title', 'nickName', 'name', 'active']),
    },
  },
  {
    section: '3.9',
    level: 'MUST',
    asks: 'attributes replaces the default set: only named attributes and those always returned are in the response.',
    shownBy: {
      test: 'every request returns the attributes that are named',
      run: (provider) =>
        assertNames(provider, '?attributes=nickName,userName', ['schemas', 'id', 'userName', 'nickName']),
    },
  },
  {
    section: '3.9',
    level: 'MUST',
    asks: 'attributes can name a sub-attribute; only that one is returned.',
    shownBy: {
      test: 'attributes=name.givenName returns only the given name',
      async run(provider) {
        const { id, path } = await createUser(provider, 'ann', fields)
        const { body } = await provider.send('GET', `${path}?attributes=name.givenName`)
        assert.deepEqual(body, { schemas: [coreUser], id, name: { givenName: 'Ann' } })
      },
    },
  },
  {
    section: '3.9',
    level: 'MUST',
    asks: 'excludedAttributes removes attributes from the default set.',
    shownBy: {
      test: 'every request leaves out the attributes that are excluded',
      run: (provider) =>
        assertNames(provider, '?excludedAttributes=name,title,meta', [
          'schemas',
          'id',
          'userName',
          'nickName',
          'active',
        ]),
    },
  },
  {
    section: '3.9',
    level: 'MUST',
    asks: 'excludedAttributes cannot remove attributes that are always returned.',
    shownBy: {
      test: 'every request returns id and schemas even when they are excluded',
      run: (provider) =>
        assertNames(provider, '?excludedAttributes=id,schemas,meta,name,title,nickName,active', [
          'schemas',
          'id',
          'userName',
        ]),
    },
  },
  {
    section: '3.9',
    level: 'MUST',
    asks: 'excludedAttributes can name a sub-attribute; the others are returned.',
    shownBy: {
      test: 'excludedAttributes=name.givenName still returns the family name',
      async run(provider) {
        const { path, body: whole } = await createUser(provider, 'ann', fields)
        const { body } = await provider.send('GET', `${path}?excludedAttributes=name.givenName`)
        assert.deepEqual(body, { ...whole, name: { familyName: 'Jones' } })
      },
    },
  },
  {
    section: '3.9',
    level: 'MUST',
    asks: 'A search names the attributes to answer, or to leave out, in its body.',
    shownBy: {
      test: 'a search answers what its attributes name, and leaves out what its excludedAttributes name',
      async run(provider) {
        const { id, body: whole } = await createUser(provider, 'ann', { title: 'Guide' })
        const only = await provider.send('POST', '/Users/.search', searchRequest({ attributes: ['title'] }))
        assert.deepEqual(only.body.Resources, [{ schemas: [coreUser], id, title: 'Guide' }])
        const left = await provider.send('POST', '/Users/.search', searchRequest({ excludedAttributes: ['title'] }))
        const { title: _, ...rest } = whole as Loose & { readonly title: string }
        assert.deepEqual(left.body.Resources, [rest])
      },
    },
  },
  {
    section: '3.9',
    level: 'MUST',
    asks: 'A change of a group returns the group when attributes are named.',
    shownBy: {
      test: 'a PATCH of a group returns the attributes that are named',
      async run(provider) {
        const { id, path } = await createGroup(provider, 'Guides')
        const renamed = patchOf({ op: 'replace', path: 'displayName', value: 'Drivers' })
        const { status, body } = await provider.send('PATCH', `${path}?attributes=displayName`, renamed)
        assert.equal(status, 200)
        assert.deepEqual(body, { schemas: [coreGroup], id, displayName: 'Drivers' })
      },
    },
  },
  {
    section: '3.9',
    level: 'MUST',
    asks: 'attributes and excludedAttributes exclude each other: a request with both is rejected.',
    shownBy: {
      test: 'requests that name attributes and exclude others are rejected',
      async run(provider) {
        const { path } = await createUser(provider, 'ann')
        const both = '?attributes=title&excludedAttributes=name'
        assertScimRefusal(await provider.send('GET', `${path}${both}`), 400, 'invalidValue')
        assertScimRefusal(await provider.send('GET', `/Users${both}`), 400, 'invalidValue')
        const search = searchRequest({ attributes: ['title'], excludedAttributes: ['name'] })
        assertScimRefusal(await provider.send('POST', '/Users/.search', search), 400, 'invalidValue')
      },
    },
  },
  {
    section: '3.9',
    level: 'MUST',
    asks: 'A change that is rejected for its attributes is not done.',
    shownBy: {
      test: 'a creation and a change that name attributes and exclude others leave everything as it is',
      async run(provider) {
        const { path, body } = await createUser(provider, 'ann')
        const both = '?attributes=title&excludedAttributes=name'
        assertScimRefusal(await provider.send('POST', `/Users${both}`, user('bob')), 400, 'invalidValue')
        assertScimRefusal(await provider.send('PUT', `${path}${both}`, user('eve')), 400, 'invalidValue')
        assertScimRefusal(await provider.send('PATCH', `${path}${both}`, retitled('Guide')), 400, 'invalidValue')
        assertScimRefusal(await provider.send('POST', `/Groups${both}`, group('Guides')), 400, 'invalidValue')
        assert.deepEqual((await provider.send('GET', '/Users')).body.Resources, [body])
        assert.equal((await provider.send('GET', '/Groups')).body.totalResults, 0)
      },
    },
  },
]
