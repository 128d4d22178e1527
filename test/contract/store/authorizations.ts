import assert from 'node:assert/strict'
import { test } from 'node:test'
import { v7 as uuidv7 } from 'uuid'
import { keyId } from '../../../src/store/sealing.ts'
import type { StoreUnderTest } from './database.ts'
import { someKey } from './database.ts'
import { addPulled } from './sync-run-samples.ts'

const now = 1_700_000_000_000
const later = now + 600_000

export function authorizationContract(engine: string, { createDatabase, openStore }: StoreUnderTest): void {
  test(`${engine}: an authorization state is spent once, even when it comes back twice concurrently`, async () => {
    const store = await openStore()
    const id = uuidv7()
    const spend = (state: string) => store.spendAuthorization(state, later, now)
    const outcomes = await Promise.all([id, id, id].map(spend))
    assert.deepEqual(outcomes.sort(), [false, false, true])
    assert.equal(await spend(id), false)
    assert.equal(await spend(uuidv7()), true)
  })

  test(`${engine}: expired states are removed, others are kept`, async () => {
    await using database = await createDatabase()
    const store = await database.open()
    for (const [id, expiresAt] of [
      ['old', later],
      ['older', later - 1],
      ['young', later + 1],
    ] as const) {
      assert.equal(await store.spendAuthorization(id, expiresAt, now), true)
    }
    assert.equal(await store.spendAuthorization('new', later + 600_000, later), true)
    assert.equal(await store.spendAuthorization('young', later + 1, later), false)
    await store.close()
    const left = (await database.rows('spent_authorizations')).map(({ id }) => id)
    assert.deepEqual(left.sort(), ['new', 'young'])
  })

  test(`${engine}: a state that comes back as it expires is still spent only once`, async () => {
    const store = await openStore()
    const id = uuidv7()
    assert.equal(await store.spendAuthorization(id, now, now), true)
    assert.equal(await store.spendAuthorization(id, now, now), false)
  })

  test(`${engine}: the latest pending authorization of a directory can be taken once`, async () => {
    const store = await openStore()
    const [{ id }, { id: other }] = [await addPulled(store), await addPulled(store)]
    assert.equal(await store.takeAuthorization(id, now), undefined)
    await store.keepAuthorization(id, 'first', later)
    await store.keepAuthorization(other, 'of another', later)
    await store.keepAuthorization(id, 'last', later)
    const taken = await Promise.all([1, 2, 3].map(() => store.takeAuthorization(id, later - 1)))
    assert.deepEqual(taken.sort(), ['last', undefined, undefined])
    assert.equal(await store.takeAuthorization(other, now), 'of another')
  })

  test(`${engine}: an expired authorization cannot be taken`, async () => {
    const store = await openStore()
    const { id } = await addPulled(store)
    await store.keepAuthorization(id, 'verifier', later)
    assert.equal(await store.takeAuthorization(id, later), undefined)
    assert.equal(await store.takeAuthorization(id, now), undefined, 'it was removed')
  })

  test(`${engine}: no authorization is stored for a directory that is unknown or deleted`, async () => {
    const store = await openStore()
    const { id } = await addPulled(store)
    await store.keepAuthorization(id, 'verifier', later)
    await store.deleteDirectory(id, 0)
    assert.equal(await store.takeAuthorization(id, now), undefined)
    for (const directoryId of [id, 'nobody']) {
      await store.keepAuthorization(directoryId, 'verifier', later)
      assert.equal(await store.takeAuthorization(directoryId, now), undefined)
    }
  })

  test(`${engine}: an authorization is stored encrypted`, async () => {
    await using database = await createDatabase()
    const store = await database.open()
    const { id } = await addPulled(store)
    await store.keepAuthorization(id, 'verifier-in-plain-text', later)
    await store.close()
    const text = JSON.stringify(await database.rows('pending_authorizations'))
    assert.ok(text.includes(`v2.${keyId(someKey)}.`))
    assert.ok(!text.includes('verifier-in-plain-text'))
    const again = await database.open()
    assert.equal(await again.takeAuthorization(id, now), 'verifier-in-plain-text')
    await again.close()
  })
}
