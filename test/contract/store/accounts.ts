import assert from 'node:assert/strict'
import { test } from 'node:test'
import { v7 as uuidv7 } from 'uuid'
import type { AdminToken, AdminUser } from '../../../src/admin/accounts/account-store.ts'
import type { Store } from '../../../src/store/store.ts'
import { failingAudit, someAudit, writtenBy } from './audit-samples.ts'
import type { StoreUnderTest } from './database.ts'
import { openAlone } from './database.ts'

const createdAt = 1_700_000_000_000

function someAdmin(email = `${uuidv7()}@acme.example`): AdminUser {
  return { id: uuidv7(), email, timezone: 'UTC', createdAt }
}

function someToken(fields: Partial<AdminToken> = {}): AdminToken {
  return {
    ...{ id: uuidv7(), userId: 'replaced', tokenHash: '$2b$10$hash', disabled: false },
    ...{ createdAt, lastUsedAt: createdAt, ...fields },
  }
}

function logIn(store: Store, email?: string, token: Partial<AdminToken> = {}) {
  const audit = ({ id }: AdminUser) => someAudit({ action: 'admin.login', targetKind: 'admin-user', targetId: id })
  return store.logIn(someAdmin(email), someToken(token), audit)
}

export function accountContract(engine: string, { createDatabase, openStore }: StoreUnderTest): void {
  test(`${engine}: a token is read back with its user`, async () => {
    const store = await openStore()
    const admin = someAdmin()
    const made = await store.logIn(admin, someToken(), () => someAudit())
    assert.deepEqual(made.user, admin)
    assert.equal(made.token.userId, admin.id)
    assert.deepEqual(await store.getAdminToken(made.token.id), made)
    for (const unknown of [uuidv7(), 'with \0 NUL']) assert.equal(await store.getAdminToken(unknown), undefined)
  })

  test(`${engine}: e-mail addresses that differ only in case are the same user`, async () => {
    const store = await openStore()
    const name = uuidv7()
    const first = await logIn(store, `Ann.${name}@Acme.example`)
    const second = await logIn(store, `ann.${name}@ACME.example`)
    assert.deepEqual(second.user, first.user)
    assert.equal(second.token.userId, first.user.id)
    assert.notEqual(second.token.id, first.token.id)
  })

  test(`${engine}: concurrent logins with a new e-mail address create one user, and return it`, async () => {
    const store = await openStore()
    const email = `${uuidv7()}@acme.example`
    const entries = await writtenBy(store, () =>
      Promise.all(Array.from({ length: 8 }, (_, n) => logIn(store, n % 2 === 0 ? email : email.toUpperCase()))),
    )
    const { user } = await logIn(store, email)
    assert.equal(entries.length, 8)
    assert.deepEqual(new Set(entries.map(({ targetId }) => targetId)), new Set([user.id]))
  })

  test(`${engine}: a login whose audit entry fails creates no user and no token`, async () => {
    const store = await openStore()
    const [admin, token] = [someAdmin(), someToken()]
    await assert.rejects(
      store.logIn(admin, token, () => failingAudit),
      /no entry/,
    )
    assert.equal(await store.getAdminToken(token.id), undefined)
    assert.notEqual((await logIn(store, admin.email)).user.id, admin.id)
  })

  test(`${engine}: tokens are listed in order of creation, page by page`, async () => {
    await using alone = await openAlone(createDatabase)
    const { store } = alone
    for (const [id, at] of Object.entries({ d: 4, b: 2, c: 2, a: 3 })) {
      await logIn(store, undefined, { id, createdAt: at, lastUsedAt: at })
    }
    const first = await store.listAdminTokens({ limit: 2 })
    const rest = await store.listAdminTokens({ after: first.at(-1)?.token, limit: 9 })
    assert.deepEqual(
      [...first, ...rest].map(({ token }) => token.id),
      ['b', 'c', 'a', 'd'],
    )
    assert.equal(first.length, 2)
  })

  test(`${engine}: a token is disabled once`, async () => {
    const store = await openStore()
    const { token } = await logIn(store)
    const disable = () => store.disableAdminToken(token.id, someAudit({ action: 'admin_token.disabled' }))
    const entries = await writtenBy(store, async () => {
      const outcomes = await Promise.all([disable(), disable(), disable()])
      assert.deepEqual(outcomes.sort(), [false, false, true])
    })
    assert.equal(entries.length, 1)
    assert.equal((await store.getAdminToken(token.id))?.token.disabled, true)
  })

  test(`${engine}: disabling an unknown token writes nothing`, async () => {
    const store = await openStore()
    const entries = await writtenBy(store, async () => {
      for (const id of [uuidv7(), 'with \0 NUL']) assert.equal(await store.disableAdminToken(id, someAudit()), false)
    })
    assert.deepEqual(entries, [])
  })

  test(`${engine}: a token is not disabled when the audit entry cannot be written`, async () => {
    const store = await openStore()
    const { token } = await logIn(store)
    await assert.rejects(store.disableAdminToken(token.id, failingAudit), /no entry/)
    assert.equal((await store.getAdminToken(token.id))?.token.disabled, false)
  })

  test(`${engine}: the last use of a token never moves back in time`, async () => {
    const store = await openStore()
    const { token } = await logIn(store)
    for (const later of [5_000, 3_000]) await store.touchAdminToken(token.id, createdAt + later)
    assert.equal((await store.getAdminToken(token.id))?.token.lastUsedAt, createdAt + 5_000)
  })

  test(`${engine}: unused tokens are removed, the least recently used first`, async () => {
    await using alone = await openAlone(createDatabase)
    const { store } = alone
    for (const [id, lastUsedAt] of Object.entries({ a: 4, b: 2, c: 5, d: 3 }))
      await logIn(store, 'a@x', { id, lastUsedAt })
    const left = async () => (await store.listAdminTokens({ limit: 9 })).map(({ token }) => token.id)
    assert.equal(await store.pruneAdminTokens(5, 2), 2)
    assert.deepEqual(await left(), ['a', 'c'])
    assert.equal(await store.pruneAdminTokens(5, 2), 1)
    assert.deepEqual(await left(), ['c'])
    assert.equal(await store.pruneAdminTokens(5, 2), 0)
  })

  test(`${engine}: a change of a user's time zone writes one audit entry`, async () => {
    const store = await openStore()
    const { user, token } = await logIn(store)
    const entries = await writtenBy(store, async () => {
      const set = () => store.setAdminTimezone(user.id, 'Europe/Berlin', someAudit({ action: 'admin.updated' }))
      assert.deepEqual(await set(), { ...user, timezone: 'Europe/Berlin' })
      assert.deepEqual(await set(), { ...user, timezone: 'Europe/Berlin' })
    })
    assert.equal((await store.getAdminToken(token.id))?.user.timezone, 'Europe/Berlin')
    assert.deepEqual(
      entries.map(({ action }) => action),
      ['admin.updated'],
    )
  })

  test(`${engine}: changing the time zone of an unknown user writes nothing`, async () => {
    const store = await openStore()
    const entries = await writtenBy(store, async () => {
      for (const id of [uuidv7(), 'with \0 NUL']) {
        assert.equal(await store.setAdminTimezone(id, 'UTC', someAudit()), undefined)
      }
    })
    assert.deepEqual(entries, [])
  })
}
