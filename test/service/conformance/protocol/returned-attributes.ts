import assert from 'node:assert/strict'
import type { Loose } from '../../../support/client.ts'
import { assertScimError } from '../../../support/errors.ts'
import type { Provider, Requirement } from '../requirement.ts'
import { createGroup, createUser } from './support/create-resource.ts'
import { coreGroup, coreUser, group, patchOf, retitled, searchRequest, user } from './support/messages.ts'

const fields = {
  title: 'Guide',
  nickName: 'Annie',
  name: { givenName: 'Ann', familyName: 'Jones' },
}

/** A password, which is never returned; a strict directory has none. */
const hidden = { password: 'pa55word' }

/** One user as returned by every kind of request that returns it, each sent with the query. */
async function* userAnswers(provider: Provider, query: string): AsyncGenerator<[string, Loose | undefined]> {
  const sent = provider.profile === 'strict' ? fields : { ...fields, ...hidden }
  const created = await provider.send('POST', `/Users${query}`, user('ann', sent))
  assert.equal(created.status, 201, created.text)
  const path = `/Users/${created.body.id}${query}`
  yield ['POST', created.body]
  yield ['GET', (await provider.send('GET', path)).body]
  yield ['PUT', (await provider.send('PUT', path, user('ann', sent))).body]
  yield ['PATCH', (await provider.send('PATCH', path, retitled('Driver'))).body]
  yield ['list', (await provider.send('GET', `/Users${query}`)).body.Resources[0]]
}

/** Checks that every response with the user has exactly the attributes with these names. */
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
    text: 'A response with a resource contains the attributes that are returned always or by default, and no others.',
    coveredBy: {
      test: 'every request returns all attributes of a user except the password',
      run: (provider) =>
        assertNames(provider, '', ['schemas', 'id', 'meta', 'userName', 'title', 'nickName', 'name', 'active']),
    },
  },
  {
    section: '3.9',
    level: 'MUST',
    text: 'attributes replaces the default set: the response contains only the named attributes and those always returned.',
    coveredBy: {
      test: 'every request returns only the named attributes',
      run: (provider) =>
        assertNames(provider, '?attributes=nickName,userName', ['schemas', 'id', 'userName', 'nickName']),
    },
  },
  {
    section: '3.9',
    level: 'MUST',
    text: 'attributes can name a sub-attribute; only that one is returned.',
    coveredBy: {
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
    text: 'excludedAttributes removes attributes from the default set.',
    coveredBy: {
      test: 'every request leaves out the excluded attributes',
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
    text: 'excludedAttributes cannot remove attributes that are always returned.',
    coveredBy: {
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
    text: 'excludedAttributes can name a sub-attribute; the others are returned.',
    coveredBy: {
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
    text: 'A search names the attributes to return, or to exclude, in its body.',
    coveredBy: {
      test: 'a search returns its attributes, and leaves out its excludedAttributes',
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
    text: 'A change of a group returns the group when attributes are named.',
    coveredBy: {
      test: 'a PATCH of a group returns the named attributes',
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
    text: 'attributes and excludedAttributes are mutually exclusive: a request with both is rejected.',
    coveredBy: {
      test: 'requests with attributes and excludedAttributes are rejected',
      async run(provider) {
        const { path } = await createUser(provider, 'ann')
        const both = '?attributes=title&excludedAttributes=name'
        assertScimError(await provider.send('GET', `${path}${both}`), 400, 'invalidValue')
        assertScimError(await provider.send('GET', `/Users${both}`), 400, 'invalidValue')
        const search = searchRequest({ attributes: ['title'], excludedAttributes: ['name'] })
        assertScimError(await provider.send('POST', '/Users/.search', search), 400, 'invalidValue')
      },
    },
  },
  {
    section: '3.9',
    level: 'MUST',
    text: 'A change that is rejected for its attributes has no effect.',
    coveredBy: {
      test: 'a POST, PUT and PATCH with attributes and excludedAttributes change nothing',
      async run(provider) {
        const { path, body } = await createUser(provider, 'ann')
        const both = '?attributes=title&excludedAttributes=name'
        assertScimError(await provider.send('POST', `/Users${both}`, user('bob')), 400, 'invalidValue')
        assertScimError(await provider.send('PUT', `${path}${both}`, user('eve')), 400, 'invalidValue')
        assertScimError(await provider.send('PATCH', `${path}${both}`, retitled('Guide')), 400, 'invalidValue')
        assertScimError(await provider.send('POST', `/Groups${both}`, group('Guides')), 400, 'invalidValue')
        assert.deepEqual((await provider.send('GET', '/Users')).body.Resources, [body])
        assert.equal((await provider.send('GET', '/Groups')).body.totalResults, 0)
      },
    },
  },
]
