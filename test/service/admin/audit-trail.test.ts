import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import type { AuditEntryView } from '../../../src/admin/audit/entry-view.ts'
import { assertApiError } from '../../support/errors.ts'
import type { TestDatabase } from '../../support/service.ts'
import { forEachEngine, forSuite, openTestDatabase, serviceForSuite, startTestService } from '../../support/service.ts'
import { adminSettings, dataOf, events, login, makeKey, sharedAdmin } from './support/admin.ts'

const sequencesOf = (entries: readonly AuditEntryView[]) => entries.map(({ sequence }) => sequence)

forEachEngine((engine) => {
  /** An audit trail of some admins, keys and directories. */
  const opened = forSuite(async () => {
    const service = await startTestService(engine, adminSettings)
    const admin = await login(service)
    const key = await makeKey(admin, 'of the CRM', { product: 'crm' })
    const directory = await service.createDirectory({ tenant: 'globex' })
    const authorization = `Api-Key ${key.key}`
    await service.api('PATCH', `/${directory.id}`, { name: 'renamed' }, { authorization })
    await service.createDirectory({ product: 'hr' })
    const all = await events(admin)
    return { service, admin, key, directory, all, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() }
  })

  test('the trail is returned newest first', () => {
    const { all } = opened()
    assert.deepEqual(
      all.map(({ action }) => action),
      ['directory.created', 'directory.updated', 'directory.created', 'api_key.created', 'admin.login'],
    )
    assert.deepEqual(sequencesOf(all), [5, 4, 3, 2, 1])
    for (const [index, { previous_hash }] of all.slice(0, -1).entries()) {
      assert.equal(previous_hash, all[index + 1]?.hash, 'each has the hash of the one before')
    }
  })

  for (const { by, query, sequences } of [
    { by: 'action', query: () => ({ action: 'directory.created' }), sequences: [5, 3] },
    { by: 'kind of actor', query: () => ({ actor_kind: 'admin' }), sequences: [2, 1] },
    { by: 'actor', query: () => ({ actor_id: opened().key.id }), sequences: [4] },
    { by: 'name of an actor', query: () => ({ actor_name: 'of the CRM' }), sequences: [4] },
    { by: 'target', query: () => ({ target_id: opened().directory.id }), sequences: [4, 3] },
    { by: 'tenant', query: () => ({ tenant: 'globex' }), sequences: [4, 3] },
    { by: 'product', query: () => ({ product: 'crm' }), sequences: [4, 3, 2] },
    { by: 'tenant and product', query: () => ({ tenant: 'acme', product: 'hr' }), sequences: [5] },
    { by: 'two things', query: () => ({ tenant: 'globex', action: 'directory.updated' }), sequences: [4] },
    { by: 'time, from', query: () => ({ from: '2020-01-01', to: '2100-01-01T00:00:00Z' }), sequences: [5, 4, 3, 2, 1] },
    { by: 'time, to', query: () => ({ to: '1767225600000' }), sequences: [] },
    { by: 'what nobody is', query: () => ({ tenant: 'nobody' }), sequences: [] },
    { by: 'SQL', query: () => ({ target_id: "' or 1=1 --" }), sequences: [] },
  ]) {
    test(`the trail is filtered by ${by}`, async () => {
      assert.deepEqual(sequencesOf(await events(opened().admin, { to: '2100-01-01T00:00:00Z', ...query() })), sequences)
    })
  }

  test('an entry is read by its number, and one that does not exist is not found', async () => {
    const { admin, all } = opened()
    assert.deepEqual(dataOf(await admin.admin('GET', '/event/4')), all[1])
    for (const other of ['6', '0', 'first']) assertApiError(await admin.admin('GET', `/event/${other}`), 404)
  })

  test('entries have the present name of their directory, or the last one if it was deleted', async () => {
    await using service = await startTestService(engine, adminSettings)
    const admin = await login(service)
    const [kept, deleted] = [await service.createDirectory(), await service.createDirectory()]
    for (const { id } of [kept, deleted]) await service.api('PATCH', `/${id}`, { name: `renamed ${id}` })
    await service.api('DELETE', `/${deleted.id}`)
    for (const [{ id }, isDeleted] of [
      [kept, false],
      [deleted, true],
    ] as const) {
      const targets = (await events(admin, { target_id: id })).map(({ target }) => target)
      assert.deepEqual(
        targets.map(({ name, is_deleted }) => [name, is_deleted]),
        targets.map(() => [`renamed ${id}`, isDeleted]),
      )
    }
  })

  test('each page has the token of the next one', async () => {
    const { admin, all } = opened()
    const paged: AuditEntryView[] = []
    for (let query: string | undefined = '?pageLimit=2'; query !== undefined; ) {
      const page = await admin.admin('GET', `/event${query}`)
      paged.push(...dataOf<AuditEntryView[]>(page))
      const { pageToken } = page.body
      query = pageToken === undefined ? undefined : `?pageLimit=2&pageToken=${pageToken}`
    }
    assert.deepEqual(paged, all)
  })

  test('pages keep their filter', async () => {
    const { admin } = opened()
    const first = await admin.admin('GET', '/event?action=directory.created&pageLimit=1')
    const second = await admin.admin(
      'GET',
      `/event?action=directory.created&pageLimit=1&pageToken=${first.body.pageToken}`,
    )
    assert.deepEqual(
      [first, second].map((page) => sequencesOf(dataOf(page))),
      [[5], [3]],
    )
    assert.equal(second.body.pageToken, undefined)
  })

  test('the export has one line per entry, oldest first, including the export itself', async () => {
    await using service = await startTestService(engine, adminSettings)
    const admin = await login(service)
    await Promise.all(Array.from({ length: 250 }, () => service.createDirectory()))
    const response = await admin.admin('GET', '/event/export')
    assert.equal(response.status, 200)
    assert.equal(response.headers['content-type'], 'application/x-ndjson; charset=utf-8')
    assert(response.text.endsWith('\n'))
    const lines = response.text
      .trimEnd()
      .split('\n')
      .map((line): AuditEntryView => JSON.parse(line))
    assert.deepEqual(
      sequencesOf(lines),
      Array.from({ length: 252 }, (_, index) => index + 1),
    )
    assert.equal(lines.at(-1)?.action, 'audit.exported')
    const hashesOf = (entries: readonly Pick<AuditEntryView, 'hash'>[]) => entries.map(({ hash }) => hash)
    assert.deepEqual(hashesOf(lines.toReversed().slice(0, 5)), hashesOf(await events(admin, { pageLimit: '5' })))
  })

  test('an untouched trail is intact', async () => {
    await using service = await startTestService(engine, adminSettings)
    const admin = await login(service)
    await service.createDirectory()
    const [last, first] = await events(admin)
    const verified = dataOf(await admin.admin('GET', '/event/verify'))
    const end = { sequence: last?.sequence, hash: last?.hash }
    const times = { first_at: first?.at, last_at: last?.at }
    assert.deepEqual(verified, { ok: true, entries: 2, erased: 0, from: 1, to: 2, ...times, end })
  })
})

const service = serviceForSuite('sqlite', adminSettings)
const somebody = sharedAdmin(service)

for (const [query, field] of [
  ['action=directory.renamed', 'action'],
  ['actor_kind=root', 'actor_kind'],
  ['from=yesterday', 'from'],
  ['to=2026-13-01', 'to'],
  ['tenant=a:b', 'tenant'],
  ['pageLimit=0', 'pageLimit'],
  ['pageLimit=1001', 'pageLimit'],
  ['pageLimit=many', 'pageLimit'],
  ['pageToken=nonsense', 'pageToken'],
  ['target_id=', 'target_id'],
  ['action=directory.created&action=directory.deleted', 'action'],
] as const) {
  test(`the query ${query} is rejected and the field is named`, async () => {
    const { admin } = await somebody()
    const response = await admin('GET', `/event?${query}`)
    assertApiError(response, 400)
    assert.equal(response.body.error.problems?.[0]?.field, field)
  })
}

test('an end recorded earlier is verified as well', async () => {
  const { admin } = await somebody()
  const { end } = dataOf<{ end: { sequence: number; hash: string } }>(await admin('GET', '/event/verify'))
  await service().createDirectory()
  const verified = async (noted: string) => dataOf<{ ok: boolean }>(await admin('GET', `/event/verify?end=${noted}`)).ok
  assert.equal(await verified(`${end.sequence}:${end.hash}`), true)
  assert.equal(await verified(`${end.sequence}:${'0'.repeat(64)}`), false)
  assert.equal(await verified(`${end.sequence + 1000}:${end.hash}`), false)
  assertApiError(await admin('GET', '/event/verify?end=nonsense'), 400)
})

/** Writes five entries, stops, changes the file as someone with access to it could, and verifies. */
async function verifiedAfter(tamper: string) {
  await using database = await openTestDatabase('sqlite')
  const before = await startTestService(database, adminSettings)
  for (let n = 0; n < 5; n += 1) await before.createDirectory({ name: `directory ${n}` })
  await before[Symbol.asyncDispose]()
  changeFile(database, tamper)
  await using after = await startTestService(database, adminSettings)
  const { admin } = await login(after)
  return dataOf(await admin('GET', '/event/verify'))
}

function changeFile({ env }: TestDatabase, sql: string): void {
  const db = new DatabaseSync(String(env['DATABASE_URL']).replace('sqlite:', ''))
  const { changes } = db.prepare(sql).run()
  db.close()
  assert(Number(changes) > 0, 'something was changed')
}

for (const { did, tamper, sequence, what } of [
  {
    did: 'an actor was changed',
    tamper: "update audit_entries set caller_kind = 'system' where sequence = 3",
    sequence: 3,
    what: 'changed',
  },
  {
    did: 'a time was changed',
    tamper: 'update audit_entries set at = at - 1 where sequence = 5',
    sequence: 5,
    what: 'changed',
  },
  {
    did: 'two entries were changed',
    tamper: "update audit_entries set tenant = 'x' where sequence in (2, 4)",
    sequence: 2,
    what: 'changed',
  },
  {
    did: 'an entry was taken out',
    tamper: 'delete from audit_entries where sequence = 2',
    sequence: 2,
    what: 'missing',
  },
]) {
  test(`the trail is broken when ${did}, and the first break is returned`, async () => {
    const { ok, break: broken } = (await verifiedAfter(tamper)) as {
      readonly ok: boolean
      readonly break: { readonly sequence: number; readonly what: string; readonly message: string }
    }
    assert.equal(ok, false)
    const { message, ...rest } = broken
    assert.deepEqual(rest, { sequence, what })
    assert.match(message, new RegExp(`Entry ${sequence} .+\\.$`))
  })
}
