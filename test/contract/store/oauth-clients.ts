import assert from 'node:assert/strict'
import { test } from 'node:test'
import { v7 as uuidv7 } from 'uuid'
import type { FederatedClient, OAuthClient, SecretClient } from '../../../src/oauth/oauth-client.ts'
import type { Store } from '../../../src/store/store.ts'
import { failingAudit, someAudit, writtenBy } from './audit-samples.ts'
import type { StoreUnderTest } from './database.ts'
import { addDirectory, cause, someUser } from './samples.ts'

const now = 1_700_000_000_000

export function secretClient(directoryId: string, fields: Partial<SecretClient> = {}): SecretClient {
  return {
    ...{ id: uuidv7(), directoryId, name: undefined, createdAt: now, lastUsedAt: undefined },
    ...{ type: 'secret', secretDigest: 'a'.repeat(64), expiresAt: now + 1_000 },
    ...fields,
  }
}

function federatedClient(directoryId: string, fields: Partial<FederatedClient> = {}): FederatedClient {
  return {
    ...{ id: uuidv7(), directoryId, name: 'Entra ID', createdAt: now + 1, lastUsedAt: undefined },
    ...{ type: 'federated', issuer: `https://${uuidv7()}.example`, subject: 's', audience: 'api://a' },
    jwksUrl: undefined,
    ...fields,
  }
}

const add = (store: Store, client: OAuthClient, most = 20) =>
  store.createOAuthClient(client, someAudit({ action: 'oauth_client.created' }), most)
const remove = ({ deleteOAuthClient }: Store, { directoryId, id }: OAuthClient) =>
  deleteOAuthClient(directoryId, id, someAudit({ action: 'oauth_client.deleted' }))

export function oauthClientContract(engine: string, { openStore }: StoreUnderTest): void {
  test(`${engine}: an OAuth client is read back unchanged, by id, by directory and by its assertions`, async () => {
    const store = await openStore()
    const { id } = await addDirectory(store)
    const secret = secretClient(id, { name: 'Okta', lastUsedAt: now })
    const federated = federatedClient(id, { jwksUrl: 'https://login.example/keys' })
    for (const client of [secret, federated]) {
      assert.equal(await add(store, client), 'created')
      assert.deepEqual(await store.getOAuthClient(client.id), client)
    }
    assert.deepEqual(await store.listOAuthClients(id), [secret, federated])
    const { issuer, subject } = federated
    assert.deepEqual(await store.findFederatedClients(issuer, subject, 5), [federated])
    assert.deepEqual(await store.findFederatedClients(issuer, 'another', 5), [])
    for (const unknown of [uuidv7(), 'with \0 NUL']) assert.equal(await store.getOAuthClient(unknown), undefined)
  })

  test(`${engine}: the record of a directory has its OAuth clients`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    assert.deepEqual(await store.getDirectory(directory.id), directory)
    const [secret, federated] = [secretClient(directory.id), federatedClient(directory.id)]
    await add(store, secret)
    await add(store, federated)
    const found = await store.getDirectory(directory.id)
    const sorted = found?.oauthClients?.toSorted((a, b) => (a.id < b.id ? -1 : 1))
    assert.deepEqual(sorted, [
      { id: secret.id, expiresAt: secret.expiresAt },
      { id: federated.id, expiresAt: undefined },
    ])
  })

  test(`${engine}: concurrent creates respect the limit of OAuth clients of a directory`, async () => {
    const store = await openStore()
    const { id } = await addDirectory(store)
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => add(store, secretClient(id), 3)))
    assert.deepEqual(outcomes.toSorted(), [
      ...['created', 'created', 'created'],
      ...['too-many-clients', 'too-many-clients'],
    ])
  })

  test(`${engine}: tenants take turns among the clients with an issuer and subject`, async () => {
    const store = await openStore()
    const hostile = await addDirectory(store, { tenant: 'hostile' })
    const directory = await addDirectory(store, { tenant: 'acme' })
    const first = federatedClient(hostile.id)
    const alike = { issuer: first.issuer }
    const own = federatedClient(directory.id, alike)
    for (const client of [first, federatedClient(hostile.id, alike), federatedClient(hostile.id, alike), own]) {
      await add(store, client)
    }
    const found = await store.findFederatedClients(first.issuer, first.subject, 2)
    assert.deepEqual(
      found.map(({ id }) => id),
      [first.id, own.id],
    )
  })

  test(`${engine}: deleting an OAuth client refuses the writes that were authorized before`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const client = secretClient(directory.id)
    await add(store, client)
    const other = await addDirectory(store)
    assert.equal(await remove(store, { ...client, directoryId: other.id }), false)
    const entries = await writtenBy(store, async () => {
      assert.equal(await remove(store, client), true)
      assert.equal(await remove(store, client), false)
    })
    assert.equal(entries.length, 1)
    const event = { eventType: 'user.created', data: '{}' } as never
    const user = someUser({ userName: 'ann' })
    assert.equal(await store.createUser(directory, user, event, cause), 'directory-changed')
    assert.equal((await store.getDirectory(directory.id))?.revision, 2)
    assert.deepEqual(await store.listOAuthClients(directory.id), [])
  })

  test(`${engine}: an OAuth client is created and deleted together with its audit entry, or not at all`, async () => {
    const store = await openStore()
    const { id } = await addDirectory(store)
    const client = secretClient(id)
    await assert.rejects(store.createOAuthClient(client, failingAudit, 20))
    assert.equal(await store.getOAuthClient(client.id), undefined)
    await add(store, client)
    await assert.rejects(store.deleteOAuthClient(id, client.id, failingAudit))
    assert.deepEqual(await store.getOAuthClient(client.id), client)
    assert.equal((await store.getDirectory(id))?.revision, 1)
  })

  test(`${engine}: the OAuth clients of a deleted directory are not found, and it gets no new ones`, async () => {
    const store = await openStore()
    const { id } = await addDirectory(store)
    const client = federatedClient(id)
    await add(store, client)
    await store.deleteDirectory(id, now)
    assert.equal(await store.getOAuthClient(client.id), undefined)
    assert.deepEqual(await store.findFederatedClients(client.issuer, client.subject, 5), [])
    assert.equal(await add(store, federatedClient(id)), 'directory-not-found')
  })

  test(`${engine}: the last use of an OAuth client only moves forward`, async () => {
    const store = await openStore()
    const { id } = await addDirectory(store)
    const client = secretClient(id)
    await add(store, client)
    for (const at of [now + 5, now + 3]) await store.touchOAuthClient(id, client.id, at)
    assert.equal((await store.getOAuthClient(client.id))?.lastUsedAt, now + 5)
  })

  test(`${engine}: a client whose secret expires is taken once`, async () => {
    const store = await openStore()
    const { id: directoryId } = await addDirectory(store)
    // Earlier than those of the other tests, which are in the same database.
    const [soon, later] = [secretClient(directoryId, { expiresAt: 10 }), secretClient(directoryId, { expiresAt: 20 })]
    for (const client of [later, soon, federatedClient(directoryId)]) await add(store, client)
    const taken = (before: number, limit = 5) => store.takeExpiringClients(before, limit)
    const shown = ({ id, name, expiresAt }: SecretClient) => ({ directoryId, id, name, expiresAt })
    assert.deepEqual(await taken(10), [])
    assert.deepEqual(await taken(30, 1), [shown(soon)])
    assert.deepEqual(await taken(30), [shown(later)])
    assert.deepEqual(await taken(30), [])
  })
}
