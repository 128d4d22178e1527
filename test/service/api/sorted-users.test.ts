import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertApiError } from '../../support/errors.ts'
import { forEachEngine, serviceForSuite } from '../../support/service.ts'

forEachEngine((engine) => {
  const service = serviceForSuite(engine)

  /** A directory whose users are in another order by name than by creation, and by last change. */
  async function createUsers() {
    const directory = await service().createDirectory()
    const ids: string[] = []
    for (const userName of ['dan', 'Ann', 'cem', 'bob'])
      ids.push((await service().scim(directory, 'POST', '/Users', { userName })).body.id)
    // Within the same millisecond, users are in the order of their creation.
    const created = Date.now()
    while (Date.now() === created);
    const operation = { op: 'replace', path: 'active', value: false }
    for (const index of [0, 2])
      await service().scim(directory, 'PATCH', `/Users/${ids[index]}`, { Operations: [operation] })
    return directory
  }

  interface Page {
    readonly data: readonly { readonly raw: { readonly userName: string } }[]
    readonly pageToken?: string
    readonly total?: number
  }

  async function pagesOf(query: string) {
    const [names, totals]: [string[], unknown[]] = [[], []]
    for (let pageToken: string | undefined = ''; pageToken !== undefined; ) {
      const token = pageToken === '' ? '' : `&pageToken=${pageToken}`
      const { status, text } = await service().api('GET', `/users?${query}&pageLimit=1&total=true${token}`)
      assert.equal(status, 200, text)
      const page: Page = JSON.parse(text)
      names.push(...page.data.map(({ raw }) => raw.userName))
      totals.push(page.total)
      pageToken = page.pageToken
    }
    return { names, total: totals[0] }
  }

  for (const [query, names, total] of [
    ['', ['dan', 'Ann', 'cem', 'bob'], 4],
    ['&sort=name', ['Ann', 'bob', 'cem', 'dan'], 4],
    ['&sort=name-descending', ['dan', 'cem', 'bob', 'Ann'], 4],
    ['&sort=changed', ['cem', 'dan', 'bob', 'Ann'], 4],
    ['&active=true', ['Ann', 'bob'], 2],
    ['&active=false&sort=name', ['cem', 'dan'], 2],
    ['&active=false&sort=changed', ['cem', 'dan'], 2],
    ['&search=ann', ['Ann'], undefined],
  ] as const) {
    test(`${engine}: the users of a directory are sorted, filtered and counted page by page: ${query}`, async () => {
      const { id } = await createUsers()
      assert.deepEqual(await pagesOf(`directoryId=${id}${query}`), { names, total })
    })
  }

  for (const query of [
    'product=crm&sort=name',
    'directoryId=:id&sort=changed&search=ann',
    'directoryId=:id&sort=name&role=admin',
  ]) {
    test(`${engine}: an order that no index has is refused: ${query}`, async () => {
      const { id } = await service().createDirectory()
      const response = await service().api('GET', `/users?${query.replace(':id', id)}`)
      assertApiError(response, 400)
      assert.match(response.body.error.message, /^sort: /)
    })
  }
})
