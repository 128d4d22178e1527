import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import type { AdoptionView } from '../../../src/adoption/adoptions.ts'
import type { DirectoryView } from '../../../src/directory/directory-view.ts'
import type { Answer } from '../../support/client.ts'
import { apiPrefix } from '../../support/client.ts'
import { eventually } from '../../support/eventually.ts'
import { runsAll } from '../../support/extent.ts'
import type { NaiveAccount, NaiveUser } from '../../support/naive-plan.ts'
import { inOrder, naiveEntry, naivePlan } from '../../support/naive-plan.ts'
import { forEachEngine, serviceForSuite, testApiKey } from '../../support/service.ts'

const ndjson = 'application/x-ndjson'

forEachEngine((engine) => {
  const service = serviceForSuite(engine)

  const create = async (directory: DirectoryView, user: object): Promise<string> =>
    (await service().scim(directory, 'POST', '/Users', user)).body.id
  const send = ({ id }: DirectoryView, body: unknown, type = 'application/json') =>
    service().api('POST', `/${id}/adoption`, body, { 'content-type': type })
  const planOf = async ({ id }: DirectoryView, query: Readonly<Record<string, string>> = {}) => {
    const answer = await service().api('GET', `/${id}/adoption?${new URLSearchParams(query)}`)
    assert.equal(answer.status, 200, answer.text)
    const { pageToken } = answer.body as unknown as { readonly pageToken?: string }
    return { ...(answer.body.data as unknown as AdoptionView), pageToken }
  }
  const wholePlan = async (directory: DirectoryView) => {
    const first = await planOf(directory, { pageLimit: '1000' })
    const entries = [...first.entries]
    for (let page = first; page.pageToken !== undefined; entries.push(...page.entries))
      page = await planOf(directory, { pageLimit: '1000', pageToken: page.pageToken })
    return { ...first, entries }
  }
  const apply = ({ id }: DirectoryView, version: unknown) => service().api('POST', `/${id}/adoption/apply`, { version })
  const applied = (directory: DirectoryView) =>
    eventually('the plan to be applied', async () => (await planOf(directory)).state === 'none')
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
      cid: await create(directory, { userName: 'cid', active: false, emails: [{ value: 'Cid@acme.example' }] }),
      dan: await create(directory, { userName: 'dan' }),
    }
    const accounts = [
      { account_id: 'a-1', external_id: 'x-1', user_name: 'bob@acme.example' },
      { account_id: 'a-2', user_name: 'BOB@acme.example', email: null },
      { account_id: 'a-3', external_id: 'unknown', user_name: '', email: 'cid@ACME.example' },
      { account_id: 'a-4', email: 'nobody@acme.example' },
    ]
    assert.deepEqual((await send(directory, accounts)).body.data, { accounts: 4 })
    const plan = await planOf(directory)
    assert.deepEqual(plan.counts, { linked: 0, link: 3, create: 1, unmatched: 1, conflict: 0 })
    assert.deepEqual(
      plan.entries.map((entry) => [naiveEntry(entry), 'by' in entry ? entry.by : undefined]),
      [
        [{ kind: 'link', accounts: ['a-1'], users: [ids.ann] }, 'external_id'],
        [{ kind: 'link', accounts: ['a-2'], users: [ids.bob] }, 'user_name'],
        [{ kind: 'link', accounts: ['a-3'], users: [ids.cid] }, 'email'],
        [{ kind: 'unmatched', accounts: ['a-4'], users: [] }, undefined],
        [{ kind: 'create', accounts: [], users: [ids.dan] }, undefined],
      ],
    )
    const { status, body } = await apply(directory, plan.version)
    assert.deepEqual([status, body.data], [202, { version: plan.version, links: 3, state: 'applying' }])
    await applied(directory)
    assert.equal(await accountOf(directory, ids.bob), 'a-2')
    assert.equal(await accountOf(directory, ids.dan), null)
    assert.deepEqual(reasonOf(await apply(directory, plan.version)), [404, 'no-adoption'])
  })

  test('with limited domains, nobody is linked by an address or userName of another one', async () => {
    const directory = await service().createDirectory({ allowed_domains: ['acme.example'] })
    for (const name of ['ann@acme.example', 'bob@evil.example', 'cid@evil.example', 'dan'])
      await create(directory, { userName: name, externalId: `of ${name}` })
    const accounts = [
      { account_id: 'a-1', email: 'ann@acme.example' },
      { account_id: 'a-2', email: 'bob@evil.example', user_name: 'bob@evil.example' },
      { account_id: 'a-3', email: 'cid@evil.example', external_id: 'of cid@evil.example' },
      { account_id: 'a-4', user_name: 'dan' },
    ]
    await send(directory, accounts)
    const { entries } = await planOf(directory, { kind: 'link' })
    assert.deepEqual(
      entries.map((entry) => naiveEntry(entry).accounts),
      [['a-1'], ['a-3'], ['a-4']],
    )
  })

  test('a plan is applied only in the version that was read, which other changes do not change', async () => {
    const directory = await service().createDirectory()
    await create(directory, { userName: 'ann' })
    await send(directory, [
      { account_id: 'a-1', user_name: 'ann' },
      { account_id: 'a-2', user_name: 'bob' },
    ])
    const { version } = await planOf(directory)
    await create(directory, { userName: 'cid' })
    assert.equal((await planOf(directory)).version, version)
    await create(directory, { userName: 'bob' })
    assert.notEqual((await planOf(directory)).version, version)
    assert.deepEqual(reasonOf(await apply(directory, version)), [409, 'plan-changed'])
    assert.equal((await apply(directory, (await planOf(directory)).version)).status, 202)
    await applied(directory)
  })

  test('a plan without links is applied as well, and a deleted list has no plan', async () => {
    const directory = await service().createDirectory()
    await send(directory, [])
    const { version, accounts, state } = await planOf(directory)
    assert.deepEqual([version, accounts, state], ['0'.repeat(64), 0, 'ready'])
    assert.equal((await apply(directory, version)).status, 202)
    await applied(directory)
    await send(directory, [{ account_id: 'a-1' }])
    for (const _ of [1, 2]) assert.equal((await service().api('DELETE', `/${directory.id}/adoption`)).status, 200)
    const none = await planOf(directory)
    assert.deepEqual([none.version, none.state, none.sent_at], [null, 'none', null])
  })

  for (const { what, type = ndjson, body, message } of [
    { what: 'a line that is not JSON', body: '{"account_id":"a"}\n{"account_id":}', message: /^Object 2 of the list/ },
    {
      what: 'a line with two objects',
      body: '{"account_id":"a"}{"account_id":"b"}',
      message: /^After object 1 of the list/,
    },
    { what: 'a line that is no object', body: '{"account_id":"a"}\n"b"', message: /^Object 2 of the list/ },
    {
      what: 'bytes that are not UTF-8',
      body: Buffer.from('{"account_id":"\xff"}', 'latin1'),
      message: /^Object 1 .* UTF-8/,
    },
    {
      what: 'a line that is too long',
      body: `{"account_id":"${'a'.repeat(200_000)}"}`,
      message: /more than 65536 bytes/,
    },
    {
      what: 'an array that does not end',
      type: 'application/json',
      body: '[{"account_id":"a"}',
      message: /^After object 1/,
    },
    { what: 'something after the array', type: 'application/json', body: '[]x', message: /^Object 1 of the list/ },
    { what: 'a comma too many', type: 'application/json', body: '[{"account_id":"a"},]', message: /^Object 2/ },
    { what: 'no array', type: 'application/json', body: '{"account_id":"a"}', message: /^Object 1/ },
    { what: 'no body', type: 'application/json', body: '', message: /The body is missing/ },
    {
      what: 'an unknown field',
      body: '{"account_id":"a","mail":"b"}',
      message: /^Account 1 of the list: mail: .*email/,
    },
    {
      what: 'an account without an id',
      body: '{"account_id":"a"}\n{"email":"b"}',
      message: /^Account 2 .* account_id: /,
    },
    {
      what: 'an account twice',
      body: '{"account_id":"a"}\n\n{"account_id":"a"}',
      message: /^Account 2 .* send each account once/,
    },
  ]) {
    test(`a list with ${what} is refused as a whole`, async () => {
      const directory = await service().createDirectory()
      await send(directory, '{"account_id":"former"}\r\n', ndjson)
      const answer = await send(directory, body, type)
      assert.deepEqual(reasonOf(answer).slice(0, 1), [answer.text.includes('more than') ? 413 : 400], answer.text)
      assert.match(answer.body.error.message, message)
      assert.equal((await planOf(directory)).accounts, 1)
    })
  }

  test('a list of another media type is refused with those that are accepted, also a long one', async () => {
    const directory = await service().createDirectory()
    const line = '{"account_id":"a-1","email":"ann@acme.example"}\n'
    for (const body of [line, line.repeat(100_000)]) {
      const { status, body: answer } = await send(directory, body, 'application/x-www-form-urlencoded')
      assert.equal(status, 415)
      assert.match(answer.error?.message ?? '', /application\/json.*application\/x-ndjson/)
    }
  })

  test('a list whose upload breaks off leaves the former one, and other requests are answered meanwhile', async () => {
    const directory = await service().createDirectory()
    await send(directory, [{ account_id: 'former' }])
    const body = new Readable({ read() {} })
    const answer = fetch(`${service().origin}${apiPrefix}/${directory.id}/adoption`, {
      ...{ method: 'POST', body, duplex: 'half' },
      headers: { authorization: `Api-Key ${testApiKey}`, 'content-type': ndjson },
    } as unknown as RequestInit)
    const lines = (from: number) => Array.from({ length: 1_000 }, (_, n) => `{"account_id":"a-${from + n}"}\n`).join('')
    body.push(lines(0))
    for (const name of ['ann', 'bob']) assert.ok(await create(directory, { userName: name }))
    body.push(lines(1_000))
    assert.equal((await planOf(directory)).accounts, 1)
    body.destroy(new Error('broken off'))
    await assert.rejects(answer)
    assert.equal((await planOf(directory)).accounts, 1)
  })

  const size = runsAll ? 10_000 : 1_000

  test(`the plan of ${size} accounts for ${size} users is that of a naive matching, and no conflict is linked`, async () => {
    const directory = await service().createDirectory({ allowed_domains: ['acme.example', 'acme.test'] })
    const { users, accounts } = sample(size)
    const ids = new Map<string, string>()
    for (let from = 0; from < users.length; from += 100) {
      const some = users.slice(from, from + 100)
      await Promise.all(
        some.map(async (user) => {
          const { userName, externalId, emails } = user
          const resource = { userName, externalId, emails: emails.map((value) => ({ value })) }
          ids.set(user.id, await create(directory, resource))
        }),
      )
    }
    const known = users.map((user) => ({ ...user, id: ids.get(user.id) ?? '' }))
    for (const user of known.filter(({ accountId }) => accountId !== undefined))
      await service().api('PUT', `/${directory.id}/users/${user.id}/account`, { account_id: user.accountId })
    const body = accounts.map((account) => JSON.stringify(account)).join('\n')
    const sent = await send(directory, body, ndjson)
    assert.deepEqual(sent.body.data, { accounts: accounts.length }, sent.text)
    const plan = await wholePlan(directory)
    const expected = naivePlan(accounts, known, ['acme.example', 'acme.test'])
    assert.deepEqual(inOrder(plan.entries.map(naiveEntry)), inOrder(expected))
    for (const kind of ['linked', 'link', 'create', 'unmatched', 'conflict'] as const)
      assert.equal(plan.counts[kind], expected.filter((entry) => entry.kind === kind).length)
    assert.equal((await apply(directory, plan.version)).status, 202)
    await applied(directory)
    const links = new Map(
      expected.flatMap(({ kind, accounts: [account], users: [user] }) => (kind === 'link' ? [[user, account]] : [])),
    )
    const { body: list } = await service().api('GET', `/users?directoryId=${directory.id}`)
    const found = list.data as unknown as { id: string; account_id: string | null }[]
    const before = new Map(known.map(({ id, accountId }) => [id, accountId]))
    for (const { id, account_id } of found) assert.equal(account_id, links.get(id) ?? before.get(id) ?? null)
  })
})

/** Users, and their accounts with typos, twins, changed addresses and other letter cases. */
function sample(size: number): { readonly users: readonly NaiveUser[]; readonly accounts: readonly NaiveAccount[] } {
  const users = Array.from({ length: size }, (_, n): NaiveUser => {
    const address = `person${n}@${n % 11 === 0 ? 'acme.test' : 'acme.example'}`
    return {
      id: `u-${n}`,
      userName: n % 3 === 0 ? `Name${n}` : address,
      externalId: n % 4 === 0 ? `x-${n}` : undefined,
      // Some have another address, some share one, and some have none.
      emails:
        [[address], [`Other${n}@acme.example`, address], n % 30 === 8 ? [`team${n % 7}@acme.example`] : [address], []][
          n % 4
        ] ?? [],
      accountId: n % 50 === 1 ? `a-${n % 100 === 1 ? n : n + 3}` : undefined,
    }
  })
  const accounts = users.flatMap(({ userName, externalId, emails }, n): NaiveAccount[] => {
    const account_id = `a-${n}`
    const email = emails.at(-1)
    if (n % 10 === 0)
      return [{ account_id, external_id: externalId ?? `gone${n % 97}`, email: `changed${n}@acme.example` }]
    if (n % 10 === 1) return [{ account_id, email: email?.toUpperCase() }]
    if (n % 10 === 2)
      return [
        { account_id, email },
        { account_id: `${account_id}-twin`, user_name: userName.toUpperCase() },
      ]
    if (n % 10 === 3) return [{ account_id, user_name: `${userName}x`, email: email?.replace('person', 'preson') }]
    if (n % 10 === 4) return [{ account_id, email: email?.replace('acme.example', 'elsewhere.example') }]
    if (n % 10 === 5) return []
    return [{ account_id, user_name: n % 2 === 0 ? userName.toLowerCase() : null, external_id: '', email }]
  })
  return { users, accounts }
}
