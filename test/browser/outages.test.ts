import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { browserForSuite } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'

const opened = browserForSuite()

/** The script of a page that the overview has not loaded. */
const refusedScript = /\/assets\/refused-requests-[^/]*\.js$/

/** Opens the console with a clock that the test moves. */
async function openOverview() {
  const { page, close } = await openConsole(opened())
  await page.clock.install()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  return { page, close }
}

const refusedRequests = (page: Page) => page.getByRole('heading', { level: 1, name: 'Refused requests' })
const openRefusedRequests = (page: Page) => page.getByRole('link', { name: 'Refused requests' }).click()

test('a page whose script is gone, as after an update of the service, is found by a reload', async () => {
  const { page, close } = await openOverview()
  await page.evaluate('window.isFirst = true')
  await page.route(refusedScript, async (route) => {
    if (await page.evaluate('window.isFirst === true')) await route.fulfill({ status: 404 })
    else await route.continue()
  })
  const reloaded = page.waitForEvent('load')
  await openRefusedRequests(page)
  await reloaded
  await refusedRequests(page).waitFor()
  assert.equal(new URL(page.url()).pathname, '/console/refused-requests')
  await close()
})

test('a page that cannot be loaded after a reload either says so', async () => {
  const { page, close } = await openOverview()
  await page.route(refusedScript, (route) => route.fulfill({ status: 404 }))
  const reloaded = page.waitForEvent('load')
  await openRefusedRequests(page)
  await reloaded
  await page.getByText('The page stopped because of an error').waitFor()
  await close()
})

test('a service that hangs is noticed by a page that only waits for events, and so is its return', async () => {
  const { service } = opened()
  const { body } = await service.api('POST', '', { tenant: 'acme', product: 'crm' })
  const { id } = body.data as unknown as { readonly id: string }
  const { page, close } = await openConsole(opened(), `/directories/${id}/events`)
  await page.clock.install()
  await page.reload()
  await page.getByText('Live', { exact: true }).waitFor()
  const answer = Promise.withResolvers<void>()
  await page.route('**/healthz', async (route) => {
    await answer.promise
    await route.continue()
  })
  await page.clock.runFor(15_000)
  await page.getByRole('status').getByText('Still waiting for the service').waitFor()
  await page.getByText('Live', { exact: true }).waitFor({ state: 'hidden' })
  answer.resolve()
  await page.getByText('Live', { exact: true }).waitFor()
  await close()
})

test('a service that is not there is noticed, and what is shown is read again when it returns', async () => {
  const { page, close } = await openOverview()
  let isDown = true
  await page.route('**/healthz', (route) => (isDown ? route.abort() : route.continue()))
  await page.clock.runFor(11_000)
  await page.getByRole('status').getByText('The service cannot be reached').waitFor()
  isDown = false
  const read = page.waitForRequest(/\/overview/)
  await page.clock.runFor(6_000)
  await read
  await page.getByText('The service cannot be reached').waitFor({ state: 'hidden' })
  await close()
})
