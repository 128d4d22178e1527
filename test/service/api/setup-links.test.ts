import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SetupLinkView } from '../../../src/setup/setup-link.ts'
import type { Answer } from '../../support/client.ts'
import { forEachEngine, forSuite, startTestService } from '../../support/service.ts'
import { adminSettings, login, makeKey } from '../admin/support/admin.ts'

const day = 86_400_000
interface ErrorView {
  readonly reason: string
  readonly message: string
  readonly problems: readonly object[]
}
const viewOf = ({ body }: Answer) => body.data as unknown as SetupLinkView

forEachEngine((engine) => {
  const opened = forSuite(async () => startTestService(engine, adminSettings))

  test('a setup link is created with its url and the secret of its endpoint, which are not shown again', async () => {
    const service = opened()
    const before = Date.now()
    const answer = await service.api('POST', '/setuplinks', {
      ...{ tenant: 'acme', product: 'crm', name: 'Acme', return_url: 'https://acme.example/settings' },
      webhook_url: 'http://127.0.0.1:9/events',
    })
    assert.equal(answer.status, 201, answer.text)
    const { setupID, url, validTill, webhook_secret: secret = '', ...rest } = viewOf(answer)
    assert.match(url, /^http:\/\/[^/]+\/setup\/[0-9a-f]{48}$/)
    assert.match(secret, /^whsec_/)
    assert.equal(rest.return_url, 'https://acme.example/settings')
    // The database may have another time than this process.
    assert(Math.abs(validTill - before - 3 * day) < day / 2)
    const { tenant, product, name, directoryId, types } = rest
    assert.deepEqual(
      [tenant, product, rest.service, name, directoryId, types],
      ['acme', 'crm', 'dsync', 'Acme', null, null],
    )
    const shown = { setupID, url: '', validTill, ...rest }
    assert.deepEqual(viewOf(await service.api('GET', `/setuplinks?id=${setupID}`)), shown)
    assert.deepEqual(viewOf(await service.api('GET', '/setuplinks?tenant=acme&product=crm')), shown)
    const again = await service.api('POST', '/setuplinks', { tenant: 'acme', product: 'crm' })
    assert.deepEqual([again.status, viewOf(again)], [201, shown])
  })

  test('a setup link is not returned for other options than it has: they are named', async () => {
    const service = opened()
    const scope = { tenant: 'wayne', product: 'crm' }
    const webhook = { webhook_url: 'http://127.0.0.1:9/events', webhook_secret: 'a-secret-of-the-receiver' }
    const types = ['okta-scim-v2', 'azure-scim-v2']
    const sent = { ...scope, ...webhook, name: 'Wayne', types, roles: ['admin', 'owner'], expiryDays: 30 }
    const { webhook_secret: secret, ...link } = viewOf(await service.api('POST', '/setuplinks', sent))
    assert.equal(secret, webhook.webhook_secret)
    const reordered = { ...sent, types: types.toReversed(), roles: ['owner', 'admin'], regenerate: false }
    for (const same of [sent, reordered, scope, { ...scope, name: 'Wayne' }]) {
      const { status, body } = await service.api('POST', '/setuplinks', same)
      assert.deepEqual([status, body.data], [201, { ...link, url: '' }])
    }
    const directory = await service.createDirectory(scope)
    const different: Record<string, unknown> = {
      ...{ name: 'Bruce', webhook_url: 'http://127.0.0.1:9/other', types: ['okta-scim-v2'], roles: [], expiryDays: 3 },
      webhook_secret: 'another-secret-of-the-receiver',
    }
    for (const [field, value] of Object.entries(different)) {
      const { status, body, text } = await service.api('POST', '/setuplinks', { ...sent, [field]: value })
      assert.equal(status, 409, text)
      const { reason, message, problems } = body.error as unknown as ErrorView
      assert.equal(reason, 'setup-link-exists')
      assert.match(message, new RegExp(`differs in ${field}: send regenerate: true to replace it`))
      assert.deepEqual(problems, [{ field, message: `${field}: the existing link has another value.` }])
      assert(!text.includes('receiver'), text)
    }
    const several = await service.api('POST', '/setuplinks', { ...scope, name: 'Bruce', directoryId: directory.id })
    assert.match(several.text, /differs in name, directoryId: /)
    assert.deepEqual(viewOf(await service.api('GET', `/setuplinks?id=${link.setupID}`)), { ...link, url: '' })
    const replaced = await service.api('POST', '/setuplinks', { ...scope, name: 'Bruce', regenerate: true })
    assert.deepEqual([replaced.status, viewOf(replaced).name], [201, 'Bruce'])
  })

  test('regenerating a setup link replaces it, and deleting it revokes it', async () => {
    const service = opened()
    const scope = { tenant: 'globex', product: 'crm' }
    const first = viewOf(await service.api('POST', '/setuplinks', scope))
    const second = viewOf(await service.api('POST', '/setuplinks', { ...scope, regenerate: true, expiryDays: 1 }))
    assert.notEqual(second.setupID, first.setupID)
    assert.notEqual(second.url, '')
    assert.equal((await service.api('GET', `/setuplinks?id=${first.setupID}`)).status, 404)
    const deleted = await service.api('DELETE', '/setuplinks?tenant=globex&product=crm')
    assert.deepEqual([deleted.status, deleted.body.data], [200, {}])
    assert.equal((await service.api('DELETE', `/setuplinks?id=${second.setupID}`)).status, 404)
  })

  test('the setup links of a product are listed, whole or page by page', async () => {
    const service = opened()
    const ids: string[] = []
    for (const tenant of ['a', 'b', 'c']) {
      ids.push(viewOf(await service.api('POST', '/setuplinks', { tenant, product: 'listed' })).setupID)
    }
    const list = async (query: string) => {
      const { body } = await service.api('GET', `/setuplinks/product?product=listed${query}`)
      const rows = body.data as unknown as SetupLinkView[]
      return { found: rows.map(({ setupID }) => setupID), pageToken: (body as { pageToken?: string }).pageToken }
    }
    assert.deepEqual((await list('')).found, ids)
    const first = await list('&pageLimit=2')
    assert.deepEqual(first.found, ids.slice(0, 2))
    assert.deepEqual((await list(`&pageToken=${first.pageToken}`)).found, ids.slice(2))
    assert.deepEqual((await list('&pageOffset=1&pageLimit=1')).found, ids.slice(1, 2))
    assert.deepEqual((await list('&tenant=b')).found, [ids[1]])
  })

  test('all setup links are listed, newest first, each with its state', async () => {
    const service = opened()
    const product = 'states'
    const create = async (tenant: string) => viewOf(await service.api('POST', '/setuplinks', { tenant, product }))
    const [untouched, looked, used, revoked] = [
      await create('a'),
      await create('b'),
      await create('c'),
      await create('d'),
    ]
    const call = (link: SetupLinkView, method: string, path: string, body?: object) => {
      const headers = { authorization: `Setup ${link.url.split('/').at(-1)}` }
      return service.request(method, `/api/v1/setup${path}`, { headers, body })
    }
    await call(looked, 'GET', '')
    await call(used, 'GET', '')
    await call(used, 'POST', '/directory', { type: 'okta-scim-v2' })
    await service.api('DELETE', `/setuplinks?id=${revoked.setupID}`)
    const list = async (query: string) => {
      const { body } = await service.api('GET', `/setuplinks/all?${query}`)
      const rows = body.data as unknown as SetupLinkView[]
      const pageToken = (body as { pageToken?: string }).pageToken
      return { rows, states: rows.map(({ tenant, state }) => `${tenant} ${state}`), pageToken }
    }
    const all = await list(`product=${product}`)
    assert.deepEqual(all.states, ['d revoked', 'c used', 'b opened', 'a new'])
    const [, { opened_at, used_at } = untouched] = all.rows
    assert.ok(opened_at !== null && used_at !== null && opened_at <= used_at)
    const first = await list(`product=${product}&pageLimit=3`)
    assert.deepEqual(first.states, all.states.slice(0, 3))
    assert.deepEqual((await list(`product=${product}&pageLimit=3&pageToken=${first.pageToken}`)).states, ['a new'])
    assert.deepEqual((await list('tenant=b&product=states')).states, ['b opened'])
    assert.ok((await list('')).rows.length > 4)
    const { directoryId } = (await list('tenant=c&product=states')).rows[0] ?? untouched
    assert.deepEqual((await list(`directoryId=${directoryId}`)).states, ['c used'])
    assert.equal((await service.api('GET', '/setuplinks/all?pageToken=x')).status, 400)
  })

  test('a link for Google Workspace is refused where there is no OAuth client, with the settings that it needs', async () => {
    const answer = await opened().api('POST', '/setuplinks', { tenant: 'hooli', product: 'crm', types: ['extdir'] })
    assert.equal(answer.status, 400)
    assert.match(answer.text, /types: .*DSYNC_EXTDIR_CLIENT_ID/)
  })

  test('a read-only key sees the endpoint of a setup link without its query', async () => {
    const service = opened()
    const webhook_url = 'http://127.0.0.1:9/events?token=receiver-token'
    const scope = { tenant: 'umbrella', product: 'queried' }
    const { setupID, ...created } = viewOf(await service.api('POST', '/setuplinks', { ...scope, webhook_url }))
    assert.equal(created.webhook_url, webhook_url)
    const reader = await makeKey(await login(service), 'reader', { readOnly: true })
    for (const path of [`?id=${setupID}`, '?tenant=umbrella&product=queried', '/product?product=queried']) {
      const headers = { authorization: `Api-Key ${reader.key}` }
      const { status, text } = await service.request('GET', `/api/v1/directory-sync/setuplinks${path}`, { headers })
      assert.equal(status, 200, text)
      assert.ok(text.includes('"http://127.0.0.1:9/events"'), text)
      assert.ok(!text.includes('receiver-token'), text)
    }
    assert.ok((await service.api('GET', `/setuplinks?id=${setupID}`)).text.includes('receiver-token'))
  })

  test('a setup link with invalid fields is rejected with a message that says what to send instead', async () => {
    const service = opened()
    const directory = await service.createDirectory({ tenant: 'acme', product: 'crm' })
    const scope = { tenant: 'initech', product: 'crm' }
    const rows: [object, RegExp][] = [
      [{ product: 'crm' }, /tenant:/],
      [{ ...scope, expiryDays: 0 }, /expiryDays: .*from 1 to 365/],
      [{ ...scope, types: ['okta'] }, /types: .*okta-scim-v2/],
      [{ ...scope, roles: ['a', 'a'] }, /roles: .*each once/],
      [{ ...scope, roles: [''] }, /roles: .*1 to 100 characters/],
      [{ ...scope, roles: ['a\tb'] }, /roles: .*control characters/],
      [{ ...scope, roles: Array.from({ length: 21 }, (_, n) => `role ${n}`) }, /roles: .*at most 20/],
      [{ ...scope, webhook_url: 'ftp://x' }, /webhook_url: .*https/],
      [{ ...scope, webhook_url: 'http://169.254.1.1/' }, /webhook_url:/],
      [{ ...scope, return_url: 'javascript:alert(1)' }, /return_url: .*http or https/],
      [{ ...scope, directoryId: directory.id }, /directoryId: this tenant has no such directory/],
      [{ ...scope, expires: 3 }, /expires/],
    ]
    for (const [body, message] of rows) {
      const answer = await service.api('POST', '/setuplinks', body)
      assert.equal(answer.status, 400, JSON.stringify(body))
      assert.match(answer.text, message)
    }
    for (const query of ['', '?tenant=acme']) {
      assert.equal((await service.api('GET', `/setuplinks${query}`)).status, 400)
    }
    assert.equal((await service.api('GET', '/setuplinks/product')).status, 400)
    assert.equal((await service.api('GET', '/setuplinks?tenant=nobody&product=crm')).status, 404)
  })

  test('a key can read only the setup links of its scope', async () => {
    const service = opened()
    const admin = await login(service)
    const { key } = await makeKey(admin, 'for umbrella', { tenant: 'umbrella' })
    const authorization = `Api-Key ${key}`
    const own = viewOf(await service.api('POST', '/setuplinks', { product: 'crm' }, { authorization }))
    assert.equal(own.tenant, 'umbrella')
    const other = viewOf(await service.api('POST', '/setuplinks', { tenant: 'wonka', product: 'crm' }))
    const status = async (query: string) => (await service.api('GET', query, undefined, { authorization })).status
    assert.equal(await status(`/setuplinks?id=${own.setupID}`), 200)
    assert.equal(await status(`/setuplinks?id=${other.setupID}`), 404)
    assert.equal(await status('/setuplinks?tenant=wonka&product=crm'), 403)
    const { text } = await service.api('GET', '/setuplinks/product?product=crm', undefined, { authorization })
    assert(text.includes(own.setupID) && !text.includes(other.setupID))
    const { text: all } = await service.api('GET', '/setuplinks/all', undefined, { authorization })
    assert(all.includes(own.setupID) && !all.includes(other.setupID))
  })
})
