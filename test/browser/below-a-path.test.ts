import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { createRollcall } from '../../src/index.ts'
import type { TestBrowser } from '../support/browser.ts'
import { openBrowser } from '../support/browser.ts'
import { runsAll } from '../support/extent.ts'
import { forSuite, startTestService, testApiKey } from '../support/service.ts'

const basePath = '/sync'
const browser = forSuite(openBrowser)

/** A service below a path; `url` is its public address. */
interface Below extends AsyncDisposable {
  readonly url: string
}

async function serviceWithPath(): Promise<Below> {
  const service = await startTestService('sqlite', { EXTERNAL_URL: `http://localhost${basePath}` })
  return { url: `${service.origin}${basePath}`, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() }
}

async function behindProxy(): Promise<Below> {
  const service = await startTestService('sqlite', { EXTERNAL_URL: `http://localhost${basePath}` })
  const { server, url } = await listen((request, response) => {
    const { method, headers, url: path = '' } = request
    if (!path.startsWith(`${basePath}/`)) return void response.writeHead(404).end()
    const sent = httpRequest(service.origin + path.slice(basePath.length), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    })
    request.pipe(sent)
  })
  return {
    url,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await service[Symbol.asyncDispose]()
    },
  }
}

async function libraryAtPath(): Promise<Below> {
  let listener = (_request: IncomingMessage, response: ServerResponse): void => {
    response.writeHead(503).end()
  }
  const { server, url } = await listen((request, response) => {
    if (request.url?.startsWith(`${basePath}/`)) return listener(request, response)
    response.writeHead(404).end()
  })
  const rollcall = await createRollcall({ databaseUrl: 'sqlite::memory:', externalUrl: url, apiKeys: [testApiKey] })
  listener = rollcall.listener
  return {
    url,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await rollcall.close()
    },
  }
}

async function listen(handler: (request: IncomingMessage, response: ServerResponse) => void) {
  const server: Server = createServer(handler).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${basePath}` }
}

/** Opens a page; a request to anything that is not below the path is a problem. */
function openPage({ open }: TestBrowser, { url }: Below) {
  return open({ origin: `${url}/` }, { locale: 'en-US' })
}

async function post(url: string, body: object): Promise<{ readonly id: string; readonly url: string }> {
  const headers = { authorization: `Api-Key ${testApiKey}`, 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  return ((await response.json()) as { data: { id: string; url: string } }).data
}

for (const { how, start } of [
  { how: 'served with the path', start: serviceWithPath },
  { how: 'behind a proxy that strips it', start: behindProxy },
  { how: 'of the library mounted at it', start: libraryAtPath },
]) {
  test(`the console works below a path: ${how}`, async () => {
    await using service = await start()
    const { id } = await post(`${service.url}/api/v1/directory-sync`, { tenant: 'acme', product: 'crm', name: 'Acme' })
    const { page, problems, close } = await openPage(browser(), service)
    await page.goto(`${service.url}/console`)
    await page.getByRole('textbox', { name: 'API key' }).fill(testApiKey)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await page.getByRole('link', { name: 'Directories', exact: true }).click()
    // The overview, which stays until the next page is loaded, may have such a link, too.
    await page.getByRole('heading', { level: 1, name: 'Directories' }).waitFor()
    await page.getByRole('link', { name: 'Acme', exact: true }).click()
    await page.waitForURL(`${service.url}/console/directories/${id}`)
    await page.goto(`${service.url}/console/directories/${id}/events`)
    await page.getByRole('heading', { level: 1, name: 'Acme' }).waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
    const reference = page.getByRole('link', { name: 'API reference' })
    assert.equal(await reference.getAttribute('href'), `${basePath}/docs`)
    // The reference takes as long to show as six pages of the console.
    if (runsAll || start === libraryAtPath) {
      await reference.click()
      await page.getByRole('heading', { level: 1, name: 'Rollcall' }).waitFor()
    }
    assert.deepEqual(problems, [])
    await close()
  })

  test(`the portal works below a path: ${how}`, async () => {
    await using service = await start()
    const link = await post(`${service.url}/api/v1/directory-sync/setuplinks`, { tenant: 'acme', product: 'crm' })
    const { page, problems, close } = await openPage(browser(), service)
    await page.goto(`${new URL(service.url).origin}${new URL(link.url).pathname}`)
    await page.getByRole('button', { name: 'Okta' }).click()
    await page.getByText('Copy the token now').waitFor()
    const [endpoint = ''] = await page.locator('.portal-value').allTextContents()
    assert.match(new URL(endpoint).pathname, new RegExp(`^${basePath}/api/scim/v2.0/`))
    assert.deepEqual(problems, [])
    await close()
  })
}

test('a console that is opened without the path, on the port of the service, moves to the path', async () => {
  await using service = await serviceWithPath()
  const { page, problems, close } = await browser().open({ origin: new URL(service.url).origin })
  await page.goto('/console/keys?page=2')
  await page.waitForURL(`${service.url}/console/keys?page=2`)
  await page.getByRole('textbox', { name: 'API key' }).waitFor()
  assert.deepEqual(problems, [])
  await close()
})
