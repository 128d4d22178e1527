import assert from 'node:assert/strict'
import type { Answer } from '../../../support/client.ts'
import type { Requirement } from '../requirement.ts'
import { readResourceTypes } from './definitions.ts'
import type { Fields } from './resources.ts'
import { createGroup, createUser, fieldsOf, patchOf, pathOf, reread } from './resources.ts'

const invented = {
  resourceType: 'Robot',
  created: '2001-01-01T00:00:00Z',
  lastModified: '2001-01-01T00:00:00Z',
  location: 'https://example.com/Robots/1',
  version: 'W/"of-my-own"',
}

/** The clocks of the service and of this process may differ by so much. */
const clockToleranceMs = 1000

/** RFC 7643 §3.1: the attribute `meta`. */
export const metaRequirements: readonly Requirement[] = [
  {
    section: '3.1',
    level: 'MUST',
    text: 'The `meta` that a client sends is ignored when a resource is created.',
    coveredBy: {
      test: 'a meta sent in a POST is ignored',
      run: async (provider) => {
        assert.deepEqual(inventedIn(await createUser(provider, { meta: invented })), [])
      },
    },
  },
  {
    section: '3.1',
    level: 'MUST',
    text: 'The `meta` that a client sends is ignored when a resource is replaced.',
    coveredBy: {
      test: 'a meta sent in a PUT is ignored',
      run: async (provider) => {
        const user = await createUser(provider)
        const body = { userName: 'bjensen', title: 'Guide', meta: invented }
        assert.deepEqual(inventedIn(await provider.send('PUT', pathOf(provider, user), body)), [])
      },
    },
  },
  {
    section: '3.1',
    level: 'MUST',
    text: '`meta.resourceType` is the name of the resource type.',
    coveredBy: {
      test: 'users and groups have the names that /ResourceTypes lists for their endpoints',
      run: async (provider) => {
        const names = new Map((await readResourceTypes(provider)).map(({ endpoint, name }) => [endpoint, name]))
        const [user, group] = [await createUser(provider), await createGroup(provider)]
        assert.deepEqual(
          [user.body.meta.resourceType, group.body.meta.resourceType],
          [names.get('/Users'), names.get('/Groups')],
        )
      },
    },
  },
  {
    section: '3.1',
    level: 'MUST',
    text: '`meta.created` is the dateTime at which the resource was added.',
    coveredBy: {
      test: 'meta.created is the moment of the POST, to the second, and stays',
      run: async (provider) => {
        const before = Date.now()
        const user = await createUser(provider)
        const after = Date.now()
        const created = Date.parse(String(metaOf(user)['created']))
        assert(before - clockToleranceMs <= created && created <= after + clockToleranceMs)
        const patch = patchOf({ op: 'replace', path: 'title', value: 'Guide' })
        const patched = await provider.send('PATCH', pathOf(provider, user), patch)
        assert.equal(metaOf(patched)['created'], metaOf(user)['created'])
      },
    },
  },
  {
    section: '3.1',
    level: 'MUST',
    text: '`meta.lastModified` equals `meta.created` until a resource is changed.',
    coveredBy: {
      test: 'a new user and a new group were last modified when they were created',
      run: async (provider) => {
        for (const resource of [await createUser(provider), await createGroup(provider)]) {
          const { created, lastModified } = metaOf(await reread(provider, resource))
          assert.equal(lastModified, created)
        }
      },
    },
  },
  {
    section: '3.1',
    level: 'MUST',
    text: '`meta.lastModified` is the dateTime of the last change.',
    coveredBy: {
      test: 'lastModified of a changed user is not before the creation of a group that was added before it',
      run: async (provider) => {
        const user = await createUser(provider)
        const group = await createGroup(provider)
        const patch = patchOf({ op: 'replace', path: 'title', value: 'Guide' })
        const patched = await provider.send('PATCH', pathOf(provider, user), patch)
        assert(String(metaOf(group)['created']) <= String(metaOf(patched)['lastModified']))
      },
    },
  },
  {
    section: '3.1',
    level: 'MUST',
    text: '`meta.location` equals the `Content-Location` header.',
    coveredBy: {
      test: 'the Content-Location of a user that is read is its meta.location',
      run: async (provider) => {
        const { headers, body } = await reread(provider, await createUser(provider))
        assert.equal(headers['content-location'], body.meta.location)
      },
    },
  },
  {
    section: '3.1',
    level: 'MUST',
    text: '`meta.location` is the URI of the resource that is returned.',
    coveredBy: {
      test: 'a GET of the meta.location of a user in a list returns that user',
      run: async (provider) => {
        await createUser(provider)
        const [listed] = (await provider.send('GET', '/Users')).body.Resources
        const location = listed?.meta.location ?? ''
        assert(location.startsWith(provider.scimUrl), location)
        assert.deepEqual((await provider.send('GET', location.slice(provider.scimUrl.length))).body, listed)
      },
    },
  },
  {
    section: '3.1',
    level: 'MUST',
    text: '`meta.version` equals the `ETag` header.',
    coveredBy: {
      test: 'the ETag of a user equals its meta.version when it is created, changed and read',
      run: async (provider) => {
        const created = await createUser(provider)
        const patch = patchOf({ op: 'replace', path: 'title', value: 'Guide' })
        const patched = await provider.send('PATCH', pathOf(provider, created), patch)
        for (const { headers, body } of [created, patched, await reread(provider, created)]) {
          assert.equal(headers['etag'], body.meta.version)
        }
      },
    },
  },
  {
    section: '3.1',
    level: 'MUST',
    text: 'A version that is a weak entity tag starts with `W/`.',
    coveredBy: {
      test: 'meta.version is a quoted entity tag after W/',
      run: async (provider) => {
        assert.match((await createUser(provider)).body.meta.version, /^W\/"[^"]+"$/)
      },
    },
  },
  {
    section: '3.1',
    level: 'MUST',
    text: 'The parts of `meta` are returned by default, not when other attributes are requested.',
    coveredBy: {
      test: 'attributes=userName returns no meta, and attributes=meta.location only that part',
      run: async (provider) => {
        const user = await createUser(provider)
        const other = await reread(provider, user, '?attributes=userName')
        const part = await reread(provider, user, '?attributes=meta.location')
        assert.deepEqual([other.body.meta, part.body.meta], [undefined, { location: user.body.meta.location }])
      },
    },
  },
]

function metaOf(resource: Answer): Fields {
  assert(resource.status < 300, resource.text)
  return fieldsOf(resource)['meta'] as Fields
}

/** The parts of `meta` that equal those sent by the client. */
function inventedIn(resource: Answer): string[] {
  const meta = metaOf(resource)
  return Object.entries(invented).flatMap(([name, value]) => (meta[name] === value ? [name] : []))
}
