import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AuditReport } from '../../../src/admin/audit/verify.ts'
import { subjectDigest, verifyReceipt } from '../../../src/privacy/receipt.ts'
import { assertApiError } from '../../support/errors.ts'
import { forEachEngine, startTestService } from '../../support/service.ts'
import { adminSettings, dataOf, events, login } from '../admin/support/admin.ts'

const subject = 'ann.marker@acme.example'
const scope = { tenant: 'acme', product: 'crm' }

interface Erased {
  readonly erasure_id: string | null
  readonly places: Readonly<Record<string, number>>
  readonly receipt: string | null
  readonly subject_key: string | null
}

forEachEngine((engine) => {
  test('an erasure has a receipt, and the audit trail is intact without the person', async () => {
    await using service = await startTestService(engine, adminSettings)
    const admin = await login(service)
    const directory = await service.createDirectory(scope)
    const body = { userName: subject, active: false, name: { givenName: 'Ann', familyName: 'Marker' } }
    const { body: user } = await service.scim(directory, 'POST', '/Users', body)
    await service.api('POST', '/setuplinks', { ...scope, name: `For ${subject}` })
    const jwks = await service.request('GET', '/.well-known/jwks.json')
    assert.equal(jwks.status, 200)
    assertApiError(await service.request('POST', '/.well-known/jwks.json'), 405)

    const erase = async (fields: object) =>
      dataOf<Erased>(await service.api('POST', '/privacy/erase', { ...scope, subject, ...fields }))
    const counted = await erase({ dry_run: true })
    assert.deepEqual([counted.erasure_id, counted.receipt, counted.subject_key], [null, null, null])
    assert.equal(counted.places['audit'], 1, 'the entry of the setup link')
    const before = await events(admin)
    const erased = await erase({ reason: 'request 4711' })
    const { users, events: eventCount, audit } = erased.places
    assert.partialDeepStrictEqual(counted.places, { users, events: eventCount, audit })

    const keys = (await service.request('GET', '/.well-known/jwks.json')).body
    assert.deepEqual(keys, jwks.body, 'the key is created once')
    const verified = await verifyReceipt(erased.receipt ?? '', keys as unknown as Parameters<typeof verifyReceipt>[1])
    assert('receipt' in verified)
    const { receipt } = verified
    assert.deepEqual(receipt.users, [{ directory_id: directory.id, id: user['id'] }])
    assert.deepEqual([receipt.jti, receipt.tenant, receipt.places], [erased.erasure_id, 'acme', erased.places])
    assert.equal(receipt.subject_digest, subjectDigest(erased.subject_key ?? '', subject))

    const end = `${receipt.audit.sequence}:${receipt.audit.hash}`
    const report = dataOf<AuditReport>(await admin.admin('GET', `/event/verify?end=${end}`))
    assert(report.ok)
    assert.equal(report.erased, 1)
    const after = await events(admin)
    assert.equal(after[0]?.action, 'person.erased')
    assert.deepEqual(
      after.slice(1).map(({ hash }) => hash),
      before.map(({ hash }) => hash),
    )
    const link = after.find(({ action }) => action === 'setup_link.created')
    assert.deepEqual(link?.erased, ['changes.name'])
    assert.doesNotMatch(JSON.stringify(after), /marker/i)

    const list = await service.api('GET', `/privacy/erasures?${new URLSearchParams(scope)}`)
    const [listed] = dataOf<{ receipt: string; reason: string }[]>(list)
    assert.deepEqual([listed?.receipt, listed?.reason], [erased.receipt, 'request 4711'])
    assert.doesNotMatch(JSON.stringify(list.body), /marker/i)
    assert.deepEqual((await service.api('GET', '/privacy/erasures')).body, list.body, 'all of the service')
    const of = async (tenant: string, product: string) =>
      dataOf(await service.api('GET', `/privacy/erasures?${new URLSearchParams({ tenant, product })}`))
    assert.deepEqual([await of('globex', 'crm'), await of('acme', 'erp')], [[], []])
    assertApiError(await service.api('GET', '/privacy/erasures?tenant=acme'), 400)
  })
})

test('an admin who is the erased person keeps the account, and only its id stays in the audit trail, versions of mappings and erasures', async () => {
  await using service = await startTestService('sqlite', adminSettings)
  const admin = await login(service, subject)
  const directory = await service.createDirectory(scope)
  await service.scim(directory, 'POST', '/Users', { userName: subject, active: false })
  const authorization = admin.bearer
  const mapping = { attributes: { title: { from: ['title'] } } }
  const put = await service.api('PUT', `/${directory.id}/mapping`, { mapping }, { authorization })
  assert.equal(put.status, 200, put.text)
  await service.scim(directory, 'POST', '/Users', { userName: 'bob@acme.example', active: false })
  for (const one of ['bob@acme.example', subject]) {
    const erased = await service.api('POST', '/privacy/erase', { ...scope, subject: one }, { authorization })
    assert.equal(erased.status, 200, erased.text)
  }
  const versions = dataOf<{ created_by: unknown }[]>(await service.api('GET', `/${directory.id}/mapping/versions`))
  assert.deepEqual(
    versions.map(({ created_by: by }) => by),
    [null],
  )
  const list = await service.api('GET', `/privacy/erasures?${new URLSearchParams(scope)}`)
  assert.deepEqual(
    dataOf<{ by: { name: unknown } }[]>(list).map(({ by }) => by.name),
    [null, null],
  )
  const entries = await events(admin)
  assert.doesNotMatch(JSON.stringify(entries), /marker/i)
  const [last, ...earlier] = entries
  assert.deepEqual(last?.actor, { kind: 'admin', id: admin.user.id, name: null })
  const loggedIn = earlier.find(({ action }) => action === 'admin.login')
  assert.deepEqual(loggedIn?.actor, { kind: 'admin', id: admin.user.id, name: null })
  assert.deepEqual(loggedIn?.erased, ['actor.name', 'address'])
  const me = await admin.admin('GET', '/user/me')
  assert.equal(dataOf<{ email: string }>(me).email, subject)
})
