import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { browserForSuite } from '../support/browser.ts'
import { signIn } from '../support/console.ts'
import { testApiKey } from '../support/service.ts'

const open = browserForSuite()
const assets = new URL('../../console/dist/assets/', import.meta.url)
/** With Brotli, as browsers accept it over HTTPS. */
const maxScriptBytes = 160_000

/** A page of the console with a clock that stays as it is, for somebody who has signed in. */
async function openWithClock(path: string) {
  const opened = await open().browser.open(open().service, {})
  await opened.page.clock.install()
  await signIn(opened.page, { api_key: testApiKey })
  await opened.page.goto(`/console${path}`)
  return opened
}

const openPortal = async (page: Page, tenant = 'acme') => {
  const { url } = (await open().service.api('POST', '/setuplinks', { tenant, product: 'crm' })).body
    .data as unknown as { readonly url: string }
  await page.goto(new URL(url).pathname)
}

test('sign-in page, overview and portal load at most 160 KB of script', async () => {
  const { service, browser } = open()
  for (const [what, show, heading] of [
    ['sign-in page', (page: Page) => page.goto('/console'), 'Sign in to Rollcall'],
    [
      'overview',
      async (page: Page) => {
        await signIn(page, { api_key: testApiKey })
        await page.goto('/console')
      },
      'Overview',
    ],
    ['portal', (page: Page) => openPortal(page), 'Connect your directory'],
  ] as const) {
    const { page, close } = await browser.open(service, {})
    const scripts = new Set<string>()
    page.on('request', (request) => {
      if (request.resourceType() === 'script') scripts.add(new URL(request.url()).pathname.replace(/.*\//, ''))
    })
    await show(page)
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()
    await page.waitForLoadState('networkidle')
    const total = [...scripts].reduce((sum, name) => sum + sizeOf(name), 0)
    assert(total <= maxScriptBytes, `${what}: ${total} bytes, ${[...scripts].join(', ')}`)
    await close()
  }
})

/** The size of a file as it is sent; short ones are sent as they are. */
function sizeOf(name: string): number {
  const file = readFileSync(new URL(name, assets))
  return file.length < 1024 ? file.length : readFileSync(new URL(`${name}.br`, assets)).length
}

for (const [path, heading, read] of [
  ['', 'Overview', '/directory-sync/overview'],
  ['/directories', 'Directories', '/directory-sync/health?'],
] as const) {
  test(`what the page ${heading} shows is read once, while the application is still being loaded`, async () => {
    const { page, problems, close } = await open().browser.open(open().service, {})
    await signIn(page, { api_key: testApiKey })
    const reads: string[] = []
    const isRead = Promise.withResolvers<void>()
    page.on('request', (request) => {
      if (!request.url().includes(read)) return
      reads.push(request.url())
      isRead.resolve()
    })
    await page.route('**/assets/index-*.js', async (route) => {
      await isRead.promise
      await route.continue()
    })
    await page.goto(`/console${path}`)
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()
    await page.waitForLoadState('networkidle')
    assert.equal(new Set(reads).size, 1, reads.join(' '))
    assert.deepEqual(problems, [])
    await close()
  })
}

test('the portal reads its state and its texts while the application is still being loaded', async () => {
  const { page, problems, close } = await open().browser.open(open().service, { locale: 'de-DE' })
  const read = Promise.all([page.waitForRequest('**/api/v1/setup'), page.waitForRequest('**/assets/de-*.js')])
  await page.route('**/assets/first-*.js', async (route) => {
    await read
    await route.continue()
  })
  await openPortal(page, 'globex')
  await page.getByRole('heading', { level: 1 }).waitFor()
  assert.deepEqual(problems, [])
  await close()
})

test('a stream of events that is silent, without a heartbeat, is not called live', async () => {
  const { id } = await open().service.createDirectory()
  const { page, close } = await openWithClock(`/directories/${id}/events`)
  await page.getByText('Live', { exact: true }).waitFor()
  await page.clock.fastForward(13_000)
  await page.getByText('Connecting …').waitFor()
  await page.clock.fastForward(3_000)
  await page.getByText('Live', { exact: true }).waitFor()
  await close()
})
