import assert from 'node:assert/strict'
import { test } from 'node:test'
import { v7 as uuidv7 } from 'uuid'
import type { ConsoleSession } from '../../../src/admin/sessions/session-store.ts'
import { addKey } from './api-keys.ts'
import type { StoreUnderTest } from './database.ts'
import { openAlone } from './database.ts'

const createdAt = 1_700_000_000_000

function someSession(fields: Partial<ConsoleSession> = {}): ConsoleSession {
  const holder = { kind: 'api-key', id: uuidv7(), grant: undefined } as const
  return { digest: uuidv7(), holder, createdAt, lastUsedAt: createdAt, ...fields }
}

export function consoleSessionContract(engine: string, { createDatabase, openStore }: StoreUnderTest): void {
  test(`${engine}: a session of the console is read back unchanged until it is deleted`, async () => {
    const store = await openStore()
    const admins = [undefined, 'grant'].map((grant) => ({ kind: 'admin-token', id: uuidv7(), grant }) as const)
    const sessions = [someSession(), ...admins.map((holder) => someSession({ holder }))]
    for (const session of sessions) {
      await store.createConsoleSession(session, 0)
      assert.deepEqual(await store.findConsoleSession(session.digest), session)
      await store.deleteConsoleSession(session.digest)
      assert.equal(await store.findConsoleSession(session.digest), undefined)
    }
    for (const unknown of [uuidv7(), 'with \0 NUL']) assert.equal(await store.findConsoleSession(unknown), undefined)
  })

  test(`${engine}: the last use of a session never moves back in time`, async () => {
    const store = await openStore()
    const session = someSession()
    await store.createConsoleSession(session, 0)
    for (const later of [5_000, 3_000]) await store.touchConsoleSession(session.digest, createdAt + later)
    assert.deepEqual(await store.findConsoleSession(session.digest), { ...session, lastUsedAt: createdAt + 5_000 })
  })

  test(`${engine}: the sessions of API keys are listed page by page, newest first, with the names of the keys`, async () => {
    const store = await openStore()
    const [key, expired] = [await addKey(store, { name: 'CRM' }), await addKey(store, { expiresAt: createdAt + 2_000 })]
    const of = (id: string, seconds: number) => {
      const at = createdAt + seconds
      return someSession({ holder: { kind: 'api-key', id, grant: undefined }, createdAt: at, lastUsedAt: at })
    }
    const [first, second, other] = [of(key.id, 1), of(key.id, 2), of(uuidv7(), 3)]
    for (const session of [first, second, other, of(expired.id, 4), of(key.id, 0)])
      await store.createConsoleSession(session, 0)
    await store.createConsoleSession(someSession({ holder: { kind: 'admin-token', id: key.id, grant: undefined } }), 0)
    const part = {
      keyId: undefined,
      at: createdAt + 3_000,
      createdAfter: createdAt,
      usedAfter: createdAt,
      after: undefined,
    }
    const named = { keyName: 'CRM' }
    const all = await store.listKeySessions({ ...part, limit: 2 })
    assert.deepEqual(all, [
      { ...other, keyName: undefined },
      { ...second, ...named },
    ])
    const rest = await store.listKeySessions({ ...part, after: second, limit: 2 })
    assert.deepEqual(rest, [{ ...first, ...named }])
    const own = await store.listKeySessions({ ...part, keyId: key.id, usedAfter: createdAt + 1, limit: 5 })
    assert.deepEqual(own, [{ ...second, ...named }])
  })

  test(`${engine}: a new session removes sessions that have not been used for a long time`, async () => {
    await using alone = await openAlone(createDatabase)
    const { store } = alone
    const [old, used, last] = [someSession(), someSession({ lastUsedAt: createdAt + 1 }), someSession()]
    for (const session of [old, used]) await store.createConsoleSession(session, 0)
    await store.createConsoleSession(last, createdAt + 1)
    const found = await Promise.all([old, used, last].map(({ digest }) => store.findConsoleSession(digest)))
    assert.deepEqual(found, [undefined, used, last])
  })
}
