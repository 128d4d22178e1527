import assert from 'node:assert/strict'
import { assertScimError } from '../../../support/errors.ts'
import type { Provider, Requirement } from '../requirement.ts'
import type { Created } from './support/create-resource.ts'
import { createGroup, createUser } from './support/create-resource.ts'
import { group, patchOf, retitled, user } from './support/messages.ts'
import { fieldsOf, read } from './support/read-resources.ts'

const weakTag = /^W\/"[^"]+"$/

/** Requests that change a resource created as `ann` or `Guides`. */
const changes = (path: string) =>
  path.startsWith('/Users')
    ? ([
        ['PUT', user('ann', { title: 'Guide' })],
        ['PATCH', retitled('Driver')],
        ['DELETE', undefined],
      ] as const)
    : ([
        ['PUT', group('Drivers')],
        ['PATCH', patchOf({ op: 'replace', path: 'displayName', value: 'Pilots' })],
        ['DELETE', undefined],
      ] as const)

const resources = async (provider: Provider): Promise<readonly Created[]> => [
  await createUser(provider, 'ann'),
  await createGroup(provider, 'Guides'),
]

/** The ETag of the resource at a path. */
async function tagOf(provider: Provider, path: string): Promise<string> {
  return String((await provider.send('GET', path)).headers['etag'])
}

/** RFC 7644 §3.14. */
export const entityTags: readonly Requirement[] = [
  {
    section: '3.14',
    level: 'MUST',
    text: 'Every response with a resource has its version in the ETag header.',
    coveredBy: {
      test: 'POST, GET, PUT and PATCH return an ETag',
      async run(provider) {
        for (const { path, tag } of await resources(provider)) {
          assert.match(tag, weakTag)
          assert.equal(await tagOf(provider, path), tag)
          const [put, patch] = changes(path)
          for (const [method, body] of [put, patch]) {
            const { headers } = await provider.send(method, path, body)
            assert.match(String(headers['etag']), weakTag)
            assert.equal(await tagOf(provider, path), headers['etag'])
          }
        }
      },
    },
  },
  {
    section: '3.14',
    level: 'SHOULD',
    text: 'meta.version is the same as the ETag.',
    coveredBy: {
      test: 'a user in a group, and the group, have their ETags as meta.version, in lists too',
      async run(provider) {
        const { id, path } = await createUser(provider, 'ann')
        const guides = await createGroup(provider, 'Guides', id)
        for (const [one, list] of [
          [path, '/Users'],
          [guides.path, '/Groups'],
        ] as const) {
          const { headers, body } = await provider.send('GET', one)
          assert.equal(body.meta.version, headers['etag'])
          assert.equal((await read(provider, list)).Resources[0]?.meta.version, headers['etag'])
        }
      },
    },
  },
  {
    section: '3.14',
    level: 'MUST',
    text: 'A changed resource has a new version.',
    coveredBy: {
      test: 'a change of a user or group changes the ETag, and a change without effect does not',
      async run(provider) {
        for (const { path, tag } of await resources(provider)) {
          const [, [method, body]] = changes(path)
          await provider.send(method, path, body)
          const changed = await tagOf(provider, path)
          assert.notEqual(changed, tag)
          await provider.send(method, path, body)
          assert.equal(await tagOf(provider, path), changed)
        }
      },
    },
  },
  {
    section: '3.14',
    level: 'SHOULD',
    text: 'Computed attributes count as well: a user has a new version when its groups change or are renamed.',
    coveredBy: {
      test: 'the ETag of a user changes when it joins a group, when that is renamed, and when it leaves',
      async run(provider) {
        const { id, path, tag } = await createUser(provider, 'ann')
        const guides = await createGroup(provider, 'Guides', id)
        const joined = await tagOf(provider, path)
        await provider.send('PUT', guides.path, group('Drivers', id))
        const renamed = await tagOf(provider, path)
        await provider.send('DELETE', guides.path)
        const left = await tagOf(provider, path)
        assert.equal(new Set([tag, joined, renamed]).size, 3)
        assert(![joined, renamed].includes(left), 'leaving changes the ETag')
      },
    },
  },
  {
    section: '3.14',
    level: 'MUST',
    text: 'A GET with If-None-Match returns 304 without a body if the version is current.',
    coveredBy: {
      test: 'a user and a group that have not changed return 304 without a body',
      async run(provider) {
        for (const { path, tag } of await resources(provider)) {
          const { status, text, headers } = await provider.send('GET', path, undefined, { 'if-none-match': tag })
          assert.deepEqual([status, text, headers['etag']], [304, '', tag])
        }
      },
    },
  },
  {
    section: '3.14',
    level: 'MUST',
    text: 'A GET with If-None-Match returns the resource if it has another version.',
    coveredBy: {
      test: 'a user is returned after it was changed, and after it joined a group',
      async run(provider) {
        const { id, path, tag } = await createUser(provider, 'ann')
        await provider.send('PATCH', path, retitled('Guide'))
        const changed = await provider.send('GET', path, undefined, { 'if-none-match': tag })
        assert.equal(changed.status, 200)
        await createGroup(provider, 'Guides', id)
        const headers = { 'if-none-match': String(changed.headers['etag']) }
        const { body } = await provider.send('GET', path, undefined, headers)
        assert.equal(body?.groups?.length, 1)
      },
    },
  },
  {
    section: '3.14',
    level: 'MUST',
    text: 'A change whose If-Match is not the current version is rejected and changes nothing.',
    coveredBy: {
      test: 'changes of a user and a group for another version are rejected',
      async run(provider) {
        for (const { path, body: before } of await resources(provider)) {
          for (const [method, body] of changes(path)) {
            assertScimError(await provider.send(method, path, body, { 'if-match': 'W/"another"' }), 412)
          }
          assert.deepEqual(await read(provider, path), before)
        }
      },
    },
  },
  {
    section: '3.14',
    level: 'MUST',
    text: 'A change whose If-Match is the current version, or `*`, succeeds.',
    coveredBy: {
      test: 'changes of a user and a group for the current version, and for any version, succeed',
      async run(provider) {
        for (const { path } of await resources(provider)) {
          const [[put, replaced], [patch, changed], [deletion]] = changes(path)
          const tag = await tagOf(provider, path)
          assert.equal((await provider.send(put, path, replaced, { 'if-match': tag })).status, 200)
          const { status } = await provider.send(patch, path, changed, { 'if-match': '*' })
          assert.equal(status, path.startsWith('/Users') ? 200 : 204)
          const last = await tagOf(provider, path)
          assert.equal((await provider.send(deletion, path, undefined, { 'if-match': last })).status, 204)
        }
      },
    },
  },
  {
    section: '3.14',
    level: 'MUST',
    text: 'A change whose If-None-Match is the current version, or `*`, is rejected and changes nothing.',
    coveredBy: {
      test: 'changes of a user and a group that must not exist are rejected',
      async run(provider) {
        for (const { path, body: before } of await resources(provider)) {
          for (const [method, body] of changes(path)) {
            for (const tag of ['*', await tagOf(provider, path)]) {
              assertScimError(await provider.send(method, path, body, { 'if-none-match': tag }), 412)
            }
          }
          assert.deepEqual(await read(provider, path), before)
        }
      },
    },
  },
  {
    section: '3.14',
    level: 'MUST',
    text: 'Concurrent changes to the same version do not overwrite each other: one succeeds.',
    coveredBy: {
      test: 'one of many changes for the same version succeeds, the others are rejected',
      async run(provider) {
        const { path, tag } = await createUser(provider, 'ann')
        const titles = ['a', 'b', 'c', 'd', 'e', 'f']
        const send = (title: string) => provider.send('PATCH', path, retitled(title), { 'if-match': tag })
        const statuses = (await Promise.all(titles.map(send))).map(({ status }) => status)
        assert.deepEqual([...statuses].sort(), [200, 412, 412, 412, 412, 412])
        assert.equal(fieldsOf(await read(provider, path))['title'], titles[statuses.indexOf(200)])
      },
    },
  },
]
