import assert from 'node:assert/strict'
import { test } from 'node:test'
import { v7 as uuidv7 } from 'uuid'
import type { SetupLink } from '../../../src/setup/setup-link.ts'
import type { Store } from '../../../src/store/store.ts'
import { failingAudit, someAudit, writtenBy } from './audit-samples.ts'
import type { StoreUnderTest } from './database.ts'
import { addDirectory } from './samples.ts'

const now = 1_700_000_000_000
const day = 86_400_000

function someLink(fields: Partial<SetupLink> = {}): SetupLink {
  return {
    ...{
      id: uuidv7(),
      tenant: uuidv7(),
      product: 'crm',
      name: undefined,
      directoryId: undefined,
      isDirectoryGiven: false,
    },
    ...{ endpoint: undefined, types: undefined, roles: [], tokenDigest: uuidv7() },
    googleScope: { groups: [], orgUnits: [] },
    ...{ createdAt: now, expiresAt: now + 3 * day, revokedAt: undefined, openedAt: undefined, usedAt: undefined },
    ...fields,
  }
}

function add(store: Store, link: SetupLink, { replaces = false, forgetBefore = 0 } = {}) {
  return store.createSetupLink(link, someAudit({ action: 'setup_link.created' }), { replaces, forgetBefore })
}

export function setupLinkContract(engine: string, { openStore }: StoreUnderTest): void {
  test(`${engine}: a setup link is read back unchanged, by id, by scope and by the digest of its token`, async () => {
    const store = await openStore()
    const full = someLink({
      ...{ name: 'Acme', directoryId: uuidv7(), isDirectoryGiven: true, types: ['okta-scim-v2', 'extdir'] },
      roles: ['admin', 'with, comma'],
      ...{ domains: { allowed: ['acme.example'], outside: 'refuse' }, scimProfile: 'strict', adoption: 'hold' },
      googleScope: { groups: ['sales@acme.example'], orgUnits: ['/Press'] },
      endpoint: { url: 'https://app.example.com/events', secret: 'whsec_AAAA' },
      ...{ openedAt: now + 1, usedAt: now + 2, returnUrl: 'https://app.example.com/settings' },
    })
    const token = '0123456789abcdef'.repeat(3)
    const withToken = someLink({ token, endpoint: full.endpoint })
    for (const link of [someLink(), full, someLink({ token }), withToken]) {
      assert.equal(await add(store, link), 'created')
      assert.deepEqual(await store.getSetupLink(link.id), link)
      assert.deepEqual(await store.getSetupLinkOf(link.tenant, 'crm'), link)
      assert.deepEqual(await store.findSetupLink(link.tokenDigest), link)
    }
    for (const unknown of [uuidv7(), 'with \0 NUL']) {
      assert.equal(await store.getSetupLink(unknown), undefined)
      assert.equal(await store.getSetupLinkOf(full.tenant, unknown), undefined)
    }
  })

  test(`${engine}: a valid setup link is kept; an expired or replaced one is revoked`, async () => {
    const store = await openStore()
    const first = someLink()
    const next = (createdAt: number) => someLink({ tenant: first.tenant, createdAt, expiresAt: createdAt + 3 * day })
    await add(store, first)
    const entries = await writtenBy(store, async () => {
      assert.deepEqual(await add(store, next(now + 1)), first)
    })
    assert.deepEqual(entries, [])
    const second = next(first.expiresAt)
    assert.equal(await add(store, second), 'created')
    assert.equal((await store.findSetupLink(first.tokenDigest))?.revokedAt, second.createdAt)
    const third = next(second.createdAt + 1)
    assert.equal(await add(store, third, { replaces: true }), 'created')
    assert.equal(await store.getSetupLink(second.id), undefined)
    assert.deepEqual(await store.getSetupLinkOf(first.tenant, 'crm'), third)
  })

  test(`${engine}: of several setup links created at once for one scope, all but the first return it`, async () => {
    const store = await openStore()
    const links = Array.from({ length: 4 }, () => someLink({ tenant: 'at-once' }))
    const outcomes = await Promise.all(links.map((link) => add(store, link)))
    const kept = await store.getSetupLinkOf('at-once', 'crm')
    assert.equal(outcomes.filter((outcome) => outcome === 'created').length, 1)
    for (const outcome of outcomes) if (outcome !== 'created') assert.deepEqual(outcome, kept)
  })

  test(`${engine}: a setup link is neither created nor revoked when the audit entry cannot be written`, async () => {
    const store = await openStore()
    const link = someLink()
    await assert.rejects(store.createSetupLink(link, failingAudit, { replaces: false, forgetBefore: 0 }), /no entry/)
    assert.equal(await store.getSetupLink(link.id), undefined)
    await add(store, link)
    await assert.rejects(store.revokeSetupLink(link.id, now, failingAudit), /no entry/)
    assert.deepEqual(await store.getSetupLink(link.id), link)
  })

  test(`${engine}: a setup link is revoked once and still found by its token`, async () => {
    const store = await openStore()
    const link = someLink()
    await add(store, link)
    const revoke = () => store.revokeSetupLink(link.id, now + 5, someAudit({ action: 'setup_link.deleted' }))
    assert.deepEqual((await Promise.all([revoke(), revoke()])).sort(), [false, true])
    assert.equal((await store.findSetupLink(link.tokenDigest))?.revokedAt, now + 5)
  })

  test(`${engine}: the setup links of a product are listed in order of creation, without revoked ones`, async () => {
    const store = await openStore()
    const product = uuidv7()
    const links = [3, 1, 2, 2].map((at) => someLink({ product, createdAt: now + at }))
    for (const link of links) await add(store, link)
    const revoked = someLink({ product })
    await add(store, revoked)
    await store.revokeSetupLink(revoked.id, now, someAudit({ action: 'setup_link.deleted' }))
    const first = await store.listSetupLinks(product, { limit: 2 })
    const rest = await store.listSetupLinks(product, { after: first.at(-1), limit: 9 })
    const ordered = links.toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
    assert.deepEqual([...first, ...rest], ordered)
    assert.deepEqual(await store.listSetupLinks(product, { offset: 3, limit: 9 }), ordered.slice(3))
  })

  test(`${engine}: all setup links are listed, newest first and page by page, with revoked ones`, async () => {
    const store = await openStore()
    const [product, tenant, directoryId] = [uuidv7(), uuidv7(), uuidv7()]
    const links = [1, 2, 2, 3].map((at) => someLink({ product, createdAt: now + at }))
    for (const link of links) await add(store, link)
    await add(store, someLink({ tenant, directoryId, createdAt: now + 9 }))
    const [revoked] = links
    await store.revokeSetupLink(revoked?.id ?? '', now + 5, someAudit({ action: 'setup_link.deleted' }))
    const ordered = links
      .map((link) => (link === revoked ? { ...link, revokedAt: now + 5 } : link))
      .toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1))
    const first = await store.listNewestSetupLinks({ product }, { before: undefined, limit: 2 })
    const rest = await store.listNewestSetupLinks({ product }, { before: first.at(-1), limit: 9 })
    assert.deepEqual([...first, ...rest], ordered)
    for (const filter of [{ tenant }, { directoryId }, { tenant, directoryId, product: 'crm' }]) {
      const found = await store.listNewestSetupLinks(filter, { before: undefined, limit: 9 })
      assert.deepEqual(
        found.map((link) => link.tenant),
        [tenant],
      )
    }
    const all = await store.listNewestSetupLinks({}, { before: undefined, limit: 1 })
    assert.equal(all.length, 1)
  })

  test(`${engine}: a setup link keeps the first times at which it was opened and used`, async () => {
    const store = await openStore()
    const link = someLink()
    await add(store, link)
    for (const at of [now + 1, now + 2]) await store.markSetupLink(link.id, 'opened', at)
    for (const at of [now + 3, now + 4]) await store.markSetupLink(link.id, 'used', at)
    assert.deepEqual(await store.getSetupLink(link.id), { ...link, openedAt: now + 1, usedAt: now + 3 })
  })

  test(`${engine}: setup links that expired long ago are removed`, async () => {
    const store = await openStore()
    const [old, recent] = [someLink({ expiresAt: 1 }), someLink({ expiresAt: 3 })]
    for (const link of [old, recent]) await add(store, link)
    await add(store, someLink(), { forgetBefore: 2 })
    assert.equal(await store.findSetupLink(old.tokenDigest), undefined)
    assert.deepEqual(await store.findSetupLink(recent.tokenDigest), recent)
  })

  test(`${engine}: the directory of a setup link is set by only one of two`, async () => {
    const store = await openStore()
    const link = someLink()
    await add(store, link)
    const set = await Promise.all(['a', 'b'].map((id) => store.setSetupLinkDirectory(link.id, id)))
    assert.deepEqual(set.toSorted(), [false, true])
    assert.equal(await store.setSetupLinkDirectory(link.id, 'c'), false)
    const revoked = someLink()
    await add(store, revoked)
    await store.revokeSetupLink(revoked.id, now, someAudit())
    assert.equal(await store.setSetupLinkDirectory(revoked.id, 'd'), false)
  })

  test(`${engine}: deleting a directory revokes the setup links that name it, in the same commit`, async () => {
    const store = await openStore()
    const directory = await addDirectory(store)
    const [made, given, other] = [
      someLink(),
      someLink({ directoryId: directory.id, isDirectoryGiven: true }),
      someLink({ directoryId: uuidv7() }),
    ]
    for (const link of [made, given, other]) await add(store, link)
    await store.setSetupLinkDirectory(made.id, directory.id)
    await assert.rejects(store.deleteDirectory(directory.id, now + 7, failingAudit), /no entry/)
    assert.deepEqual(await store.getSetupLink(given.id), given)
    await store.deleteDirectory(directory.id, now + 7, someAudit())
    for (const { tokenDigest } of [made, given]) {
      assert.equal((await store.findSetupLink(tokenDigest))?.revokedAt, now + 7)
    }
    assert.deepEqual(await store.getSetupLink(other.id), other)
  })
}
