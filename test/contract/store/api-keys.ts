import assert from 'node:assert/strict'
import { test } from 'node:test'
import { v7 as uuidv7 } from 'uuid'
import type { ManagedApiKey } from '../../../src/admin/keys/api-key-store.ts'
import type { Store } from '../../../src/store/store.ts'
import { failingAudit, someAudit, writtenBy } from './audit-samples.ts'
import type { StoreUnderTest } from './database.ts'
import { openAlone } from './database.ts'

const createdAt = 1_700_000_000_000

function someKey(fields: Partial<ManagedApiKey> = {}): ManagedApiKey {
  return {
    ...{ id: uuidv7(), name: 'The CRM', prefix: 'rck_abcd', digest: uuidv7(), createdAt },
    ...{
      scope: { tenant: undefined, product: undefined, readOnly: false },
      expiresAt: undefined,
      lastUsedAt: undefined,
    },
    ...fields,
  }
}

/** Stores a key as an admin creates it. */
export async function addKey(store: Store, fields: Partial<ManagedApiKey> = {}): Promise<ManagedApiKey> {
  const key = someKey(fields)
  await store.createApiKey(key, someAudit({ action: 'api_key.created' }))
  return key
}

export function apiKeyContract(engine: string, { createDatabase, openStore }: StoreUnderTest): void {
  test(`${engine}: an API key is read back unchanged, by id and by digest`, async () => {
    const store = await openStore()
    const plain = await addKey(store)
    const narrow = await addKey(store, {
      scope: { tenant: 'acme', product: 'crm', readOnly: true },
      ...{ expiresAt: createdAt + 9_000_000_000, lastUsedAt: createdAt + 1 },
    })
    for (const key of [plain, narrow]) {
      assert.deepEqual(await store.getApiKey(key.id), key)
      assert.deepEqual(await store.findApiKey(key.digest), key)
    }
    for (const unknown of [uuidv7(), 'with \0 NUL']) {
      assert.equal(await store.getApiKey(unknown), undefined)
      assert.equal(await store.findApiKey(unknown), undefined)
    }
  })

  test(`${engine}: the digest of an API key is unique`, async () => {
    const store = await openStore()
    const key = await addKey(store)
    const entries = await writtenBy(store, () => assert.rejects(addKey(store, { digest: key.digest })))
    assert.deepEqual(entries, [])
    assert.deepEqual(await store.findApiKey(key.digest), key)
  })

  test(`${engine}: an API key is not created when the audit entry cannot be written`, async () => {
    const store = await openStore()
    const key = someKey()
    await assert.rejects(store.createApiKey(key, failingAudit), /no entry/)
    assert.equal(await store.getApiKey(key.id), undefined)
  })

  test(`${engine}: API keys are listed in order of creation, page by page`, async () => {
    await using alone = await openAlone(createDatabase)
    const { store } = alone
    for (const [id, at] of Object.entries({ d: 4, b: 2, c: 2, a: 3 })) await addKey(store, { id, createdAt: at })
    const first = await store.listApiKeys({ limit: 2 })
    const rest = await store.listApiKeys({ after: first.at(-1), limit: 9 })
    assert.deepEqual(
      [...first, ...rest].map(({ id }) => id),
      ['b', 'c', 'a', 'd'],
    )
    assert.equal(first.length, 2)
  })

  test(`${engine}: an API key is deleted once`, async () => {
    const store = await openStore()
    const { id, digest } = await addKey(store)
    const remove = () => store.deleteApiKey(id, someAudit({ action: 'api_key.deleted' }))
    const entries = await writtenBy(store, async () => {
      assert.deepEqual((await Promise.all([remove(), remove()])).sort(), [false, true])
      assert.equal(await store.deleteApiKey('with \0 NUL', someAudit()), false)
    })
    assert.equal(entries.length, 1)
    assert.equal(await store.findApiKey(digest), undefined)
  })

  test(`${engine}: an API key is not deleted when the audit entry cannot be written`, async () => {
    const store = await openStore()
    const key = await addKey(store)
    await assert.rejects(store.deleteApiKey(key.id, failingAudit), /no entry/)
    assert.deepEqual(await store.getApiKey(key.id), key)
  })

  test(`${engine}: the last use of an API key never moves back in time`, async () => {
    const store = await openStore()
    const key = await addKey(store)
    for (const later of [5_000, 3_000]) await store.touchApiKey(key.id, createdAt + later)
    assert.deepEqual(await store.getApiKey(key.id), { ...key, lastUsedAt: createdAt + 5_000 })
  })
}
