import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { browserForSuite } from '../support/browser.ts'
import { eventually } from '../support/eventually.ts'

/** A page of the product, which shows the portal; it has two origins. */
let framed = ''
const product = createServer((_request, response) => {
  response.setHeader('content-type', 'text/html').end(`<iframe src="${framed}" width=900 height=700></iframe>`)
}).listen(0, '127.0.0.1')
await once(product, 'listening')
after(() => product.close())
const { port } = product.address() as AddressInfo

const opened = browserForSuite({ PORTAL_FRAME_ANCESTORS: `http://127.0.0.1:${port}` })

test('a page of an allowed origin can show the portal in a frame, and no other page can', async () => {
  const { service, browser } = opened()
  const { body } = await service.api('POST', '/setuplinks', { tenant: 'acme', product: 'crm' })
  framed = service.origin + new URL((body.data as unknown as { url: string }).url).pathname
  const { page, close } = await browser.open(service)
  await page.goto(`http://127.0.0.1:${port}/`)
  const frame = page.frameLocator('iframe')
  await frame.getByRole('button', { name: 'Okta' }).click()
  await frame.getByText('Copy the token now').waitFor()
  await page.goto(`http://localhost:${port}/`)
  await eventually('the refusal', async () => page.frames().some((one) => one.url().startsWith('chrome-error:')))
  await close()
})
