import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { DirectoryView } from '../../../src/directory/directory-view.ts'
import { eventually } from '../../support/eventually.ts'
import { execute, startPostgres } from '../../support/postgres.ts'
import type { TestService } from '../../support/service.ts'
import { startTestService, testApiKey } from '../../support/service.ts'

const source = (path: string) => new URL(`../../../src/${path}`, import.meta.url).href
const page = await readFile(new URL('../../../docs/adopt-accounts.md', import.meta.url), 'utf8')

/** The blocks of the page in one language. */
const blocks = (language: string): string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, block = '']) => block)

const [table = '', selectOfPostgres = '', selectOfSqlite = '', selectUnmatched = ''] = blocks('sql')
const [createLink = '', sendAccounts = ''] = blocks('sh')
const [adopt = '', handler = '', atSignIn = ''] = blocks('ts')

const accounts = [
  { id: 'acct_1', email: 'Maya@acme.example' },
  { id: 'acct_2', email: 'omar@acme.example' },
  { id: 'acct_3', email: 'old-address@acme.example' },
  { id: 'acct_4', email: 'guest@elsewhere.example' },
  { id: 'acct_5', email: 'noor@acme.example' },
  { id: 'acct_6', email: 'noor@acme.example' },
]

/** The product of the page: its database, its scripts, and the server of its handler. */
async function startProduct(service: TestService) {
  const folder = service.database.folder
  const database = new DatabaseSync(join(folder, 'product.db'), { timeout: 5_000 })
  database.exec(table)
  for (const { id, email } of accounts)
    database.prepare("insert into accounts (id, tenant, email, name) values (?, 'acme', ?, '')").run(id, email)
  let post: ((request: Request) => Promise<Response>) | undefined
  const server = createServer(async (request, response) => {
    const headers = request.headers as Record<string, string>
    const body = await buffer(request)
    const answer = await post?.(new Request('http://product/', { method: 'POST', headers, body })).catch(console.error)
    response.writeHead(answer?.status ?? 500).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')

  /** Writes an example of the page as a module of this product. */
  const module = async (name: string, code: string, secret = '') => {
    const file = join(folder, `${name}.mts`)
    const here = code
      .replaceAll("'rollcall/client'", `'${source('client/index.ts')}'`)
      .replaceAll("'rollcall/webhooks'", `'${source('webhooks/index.ts')}'`)
      .replaceAll('https://rollcall.example.com', service.origin)
      .replaceAll('rck_…', testApiKey)
      .replaceAll("'product.db'", `'${join(folder, 'product.db')}'`)
      .replaceAll('whsec_…', secret)
    await writeFile(file, here)
    return file
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`,
    database,
    module,
    async handle(secret: string) {
      const loaded = await import(pathToFileURL(await module('handler', handler, secret)).href)
      post = loaded.POST
    },
    rows: (sql = 'select * from accounts order by id') => database.prepare(sql).all(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      database.close()
    },
  }
}

/** Runs a script of the page in the folder of the product. */
async function shell(service: TestService, script: string, directoryId = '') {
  const here = script.replaceAll('http://localhost:5225', service.origin)
  const env = { ...process.env, ROLLCALL_API_KEY: testApiKey, DIRECTORY_ID: directoryId }
  const { stdout } = await promisify(execFile)('sh', ['-eu', '-c', here], { cwd: service.database.folder, env })
  return JSON.parse(stdout)
}

test('following docs/adopt-accounts.md gives nobody a second account, and accounts come back with people who return', async () => {
  await using service = await startTestService('sqlite')
  await using product = await startProduct(service)
  const { data: link } = await shell(service, createLink.replace('https://app.example.com/events', product.url))
  await product.handle(link.webhook_secret)
  const headers = { authorization: `Setup ${link.url.split('/').at(-1)}` }
  await service.request('POST', '/api/v1/setup/directory', { headers, body: { type: 'okta-scim-v2' } })
  const { body } = await service.api('GET', '/?tenant=acme&product=crm')
  const [directory] = body.data as unknown as readonly DirectoryView[]
  assert.ok(directory)
  const { id } = directory
  const provision = async (name: string, externalId: string) => {
    const user = { userName: `${name}@acme.example`, externalId, emails: [{ value: `${name}@acme.example` }] }
    return (await service.scim(directory, 'POST', '/Users', user)).body.id as string
  }
  const provisionAgain = (userId: string) =>
    service.scim(directory, 'PUT', `/Users/${userId}`, { userName: 'later@acme.example', active: true })
  const maya = await provision('maya', 'm1')
  await provision('omar', 'o1')
  const noor = await provision('noor', 'n1')
  const moved = await provision('moved', 's3')

  const lines = product.rows(selectOfSqlite).map((row) => `${Object.values(row)[0]}\n`)
  await writeFile(join(service.database.folder, 'accounts.ndjson'), lines.join(''))
  const [, send = ''] = sendAccounts.split('> accounts.ndjson\n')
  assert.deepEqual(await shell(service, send, id), { data: { accounts: 6 }, error: null })
  const script = await product.module('adopt', adopt)
  const run = () => promisify(execFile)(process.execPath, [script, id])
  await assert.rejects(run(), ({ code, stdout }: { code: number; stdout: string }) => {
    assert.match(stdout, /linked: 0, link: 2, create: 1, unmatched: 2, conflict: 1/)
    assert.match(stdout, /several-accounts \[ 'acct_5', 'acct_6' \]/)
    return code === 1
  })
  assert.deepEqual(product.rows().length, 6, 'nothing was sent')
  const linked = await service.api('PUT', `/${id}/users/${noor}/account`, { account_id: 'acct_6' })
  assert.equal(linked.status, 200, linked.text)
  // The script sends the list again, without one of the two accounts.
  product.database.exec("delete from accounts where id = 'acct_5'")
  await run()

  await eventually('the held events', async () => product.rows().length === 6)
  const created = product.rows().find((row) => !String(row['id']).startsWith('acct_'))
  assert.equal(created?.['directory_user_id'], moved, 'only the user without an account has a new one')
  const userOf = (account: string) => product.rows().find((row) => row['id'] === account)?.['directory_user_id']
  assert.deepEqual([userOf('acct_1'), userOf('acct_6')], [maya, noor])
  assert.deepEqual(
    product.rows(selectUnmatched).map((row) => row['id']),
    ['acct_3', 'acct_4'],
  )
  const accountOf = async (userId: string) => {
    const { body } = await service.api('GET', `/users/${userId}?directoryId=${id}`)
    return (body.data as unknown as { account_id: string | null }).account_id
  }
  await eventually('the link of the new account', async () => (await accountOf(moved)) === created?.['id'])

  const activeOf = (account: string) => product.rows().find((row) => row['id'] === account)?.['active']
  await service.scim(directory, 'DELETE', `/Users/${maya}`)
  await eventually('the end of an account', async () => activeOf('acct_1') === 0)
  const back = await provision('maya', 'm1')
  await eventually('its return', async () => activeOf('acct_1') === 1 && userOf('acct_1') === back)

  const { linkAtSignIn } = await import(pathToFileURL(await product.module('sign-in', atSignIn)).href)
  const late = await provision('late', 'l1')
  await eventually('an account for a later user', async () => (await accountOf(late)) !== null)
  assert.equal(await linkAtSignIn(id, 'l1', 'acct_3'), true)
  assert.equal(await accountOf(late), 'acct_3')
  await provisionAgain(late)
  await eventually('the account of the sign-in', async () => userOf('acct_3') === late)
  assert.equal(await linkAtSignIn(id, 'nobody', 'acct_4'), false)
})

test('the select of docs/adopt-accounts.md for PostgreSQL exports the same accounts', async () => {
  await using product = await startPostgres({ isEmpty: true })
  await execute(product.url, table)
  for (const { id, email } of accounts)
    await execute(
      product.url,
      `insert into accounts (id, tenant, email, name) values ('${id}', 'acme', '${email}', '')`,
    )
  const rows = await execute(product.url, selectOfPostgres)
  assert.deepEqual(
    rows.map((row) => Object.values(row)[0]),
    accounts.map(({ id, email }) => ({ account_id: id, email })),
  )
})
