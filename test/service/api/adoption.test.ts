import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AdoptionView } from '../../../src/adoption/adoptions.ts'
import type { DirectoryView } from '../../../src/directory/directory-view.ts'
import type { Answer } from '../../support/client.ts'
import { eventually } from '../../support/eventually.ts'
import { forEachEngine, serviceForSuite } from '../../support/service.ts'

forEachEngine((engine) => {
  const service = serviceForSuite(engine)

  const create = async (directory: DirectoryView, user: object): Promise<string> =>
    (await service().scim(directory, 'POST', '/Users', user)).body.id
  const send = ({ id }: DirectoryView, body: unknown, type = 'application/json') =>
    service().api('POST', `/${id}/adoption`, body, { 'content-type': type })
  const planOf = async ({ id }: DirectoryView, query = '') => {
    const answer = await service().api('GET', `/${id}/adoption${query}`)
    return { ...(answer.body.data as unknown as AdoptionView), pageToken: answer.body.pageToken }
  }
  const apply = ({ id }: DirectoryView, version: unknown) => service().api('POST', `/${id}/adoption/apply`, { version })
  const applied = async (directory: DirectoryView) =>
    eventually('the plan is applied', async () => (await planOf(directory)).state === 'none')
  const accountOf = async (directory: DirectoryView, id: string) => {
    const { body } = await service().api('GET', `/users/${id}?directoryId=${directory.id}`)
    return (body.data as unknown as { account_id: string | null }).account_id
  }
  const reasonOf = ({ status, body }: Answer) => [status, body.error?.reason]

  test('a plan links accounts by external id, userName and address, and is applied', async () => {
    const directory = await service().createDirectory()
    const ids = {
      ann: await create(directory, { userName: 'ann', externalId: 'x-1' }),
      bob: await create(directory, { userName: 'Bob@Acme.example' }),
      cid: await create(directory, { userName: 'cid', emails: [{ value: 'Cid@acme.example' }] }),
      dan: await create(directory, { userName: 'dan' }),
    }
    const accounts = [
      { account_id: 'a-1', external_id: 'x-1', user_name: 'bob@acme.example' },
      { account_id: 'a-2', user_name: 'BOB@acme.example', email: null },
      { account_id: 'a-3', external_id: 'unknown', email: 'cid@ACME.example' },
      { account_id: 'a-4', email: 'nobody@acme.example' },
    ]
    assert.deepEqual((await send(directory, accounts)).body.data, { accounts: 4 })
    const plan = await planOf(directory)
    assert.deepEqual(plan.counts, { linked: 0, link: 3, create: 1, unmatched: 1, conflict: 0 })
    assert.deepEqual(
      plan.entries.map((entry) => [
        entry.kind,
        'account_id' in entry ? entry.account_id : undefined,
        'user' in entry ? entry.user.id : undefined,
        'by' in entry ? entry.by : undefined,
      ]),
      [
        ['link', 'a-1', ids.ann, 'external_id'],
        ['link', 'a-2', ids.bob, 'user_name'],
        ['link', 'a-3', ids.cid, 'email'],
        ['unmatched', 'a-4', undefined, undefined],
        ['create', undefined, ids.dan, undefined],
      ],
    )
    const { status, body } = await apply(directory, plan.version)
    assert.deepEqual([status, body.data], [202, { version: plan.version, links: 3, state: 'applying' }])
    await applied(directory)
    assert.equal(await accountOf(directory, ids.bob), 'a-2')
    assert.equal(await accountOf(directory, ids.dan), null)
    assert.deepEqual(reasonOf(await apply(directory, plan.version)), [404, 'no-adoption'])
  })
})
