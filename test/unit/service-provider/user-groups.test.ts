import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createKeyedMutex } from '../../../src/concurrency/keyed-mutex.ts'
import { createTimeSlices } from '../../../src/concurrency/time-slices.ts'
import type { DirectoryReads, FoundUser, ProvisioningStore } from '../../../src/directory/directory-store.ts'
import { firstGroups } from '../../../src/directory/directory-store.ts'
import { toJsonText } from '../../../src/scim/json-text.ts'
import type { OperationContext, ScimRequest } from '../../../src/service-provider/request.ts'
import { userOperations } from '../../../src/service-provider/users.ts'

const scimUrl = 'https://sync.example/api/scim/v2.0/d'
const raw = toJsonText({ schemas: ['urn:user'], id: 'u', userName: 'ann', active: true })
const user = { id: 'u', version: 1, createdAt: 0, updatedAt: 0, userName: 'ann', raw }

/** A store with one user in this many groups, which records its calls. */
function storeOf(groupCount: number) {
  const groups = Array.from({ length: groupCount }, (_, n) => ({
    id: `g${String(n).padStart(6, '0')}`,
    name: `Group ${n}`,
  }))
  const calls: string[] = []
  const found: FoundUser = { ...user, groups: groups.slice(0, firstGroups) }
  const answers: Partial<Record<keyof (DirectoryReads & ProvisioningStore), (...args: never[]) => unknown>> = {
    getUser: () => user,
    getUserWithGroups: () => found,
    listGroupsOfUser: (_directoryId: string, _userId: string, after: string, limit: number) =>
      groups.filter(({ id }) => id > after).slice(0, limit),
    replaceUser: () => ({ events: [] }),
  }
  const store = new Proxy({} as DirectoryReads & ProvisioningStore, {
    get:
      (_, name: keyof typeof answers) =>
      async (...args: never[]) => {
        calls.push(name)
        return (answers[name] ?? assert.fail(name))(...args)
      },
  })
  return { store, calls, groups }
}

function contextOf(store: DirectoryReads & ProvisioningStore): OperationContext {
  return {
    provisioning: { store, mutex: createKeyedMutex() },
    newId: () => 'new',
    slices: createTimeSlices(),
    directory: { id: 'd', tenant: 'acme' } as OperationContext['directory'],
    profile: 'tolerant',
    scimUrl,
    cause: { requestId: 'r', at: 1 },
  }
}

const request = (query: ScimRequest['query'], body?: unknown): ScimRequest => ({
  ...{ method: 'GET', endpoint: '/Users/:id', resourceId: 'u', body, query },
  ...{ ifMatch: undefined, ifNoneMatch: undefined, requestId: 'r' },
})

const body = { userName: 'ann', nickName: 'Ann' }
const patch = { Operations: [{ op: 'replace', path: 'nickName', value: 'Ann' }] }

for (const [what, operation, sent] of [
  ['a read', userOperations.read, undefined],
  ['a PUT', userOperations.replace, body],
  ['a PATCH', userOperations.patch, patch],
] as const) {
  test(`groups are not read for the response to ${what} that does not show them`, async () => {
    for (const query of [
      { attributes: 'userName' },
      { excludedAttributes: 'groups' },
      { excludedAttributes: 'groups,title' },
    ]) {
      const { store, calls } = storeOf(20_000)
      const response = await operation(contextOf(store), request(query, sent))
      assert.equal(typeof response.body, 'string')
      assert.deepEqual(
        calls.filter((call) => call !== 'replaceUser'),
        ['getUser'],
      )
    }
  })

  test(`many groups in the response to ${what} are read in parts, for the entity tag and for the body`, async () => {
    const partCount = 68
    for (const query of [{}, { attributes: 'groups.display' }]) {
      const { store, calls, groups } = storeOf(20_150)
      const response = await operation(contextOf(store), request(query, sent))
      const { body: pieces, headers } = response
      assert.ok(typeof pieces === 'object')
      assert.equal(calls.filter((call) => call === 'listGroupsOfUser').length, partCount)
      const texts = await Array.fromAsync(pieces)
      assert.ok(texts.every((text) => text.length < 65_536))
      const sentUser = JSON.parse(texts.join(''))
      assert.deepEqual(
        sentUser.groups.map(({ display }: { display: string }) => display),
        groups.map(({ name }) => name),
      )
      if (!('attributes' in query)) assert.equal(sentUser.meta.version, headers['etag'])
      assert.equal(calls.filter((call) => call === 'listGroupsOfUser').length, 2 * partCount)
    }
  })
}
