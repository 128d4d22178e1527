import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { accessibilityProblems, openBrowser, problemsInEveryLook } from '../support/browser.ts'
import { eventually } from '../support/eventually.ts'
import { forSuite, startTestService } from '../support/service.ts'

const opened = forSuite(async () => {
  await using opening = new AsyncDisposableStack()
  const service = opening.use(await startTestService('sqlite', { PORTAL_NAME: 'Acme CRM', PORTAL_COLOR: '#ffe600' }))
  const browser = opening.use(await openBrowser())
  const open = opening.move()
  return { service, browser, [Symbol.asyncDispose]: () => open.disposeAsync() }
})

/** Opens a setup link for a tenant. */
async function openLink(tenant: string, fields: object = {}, options: BrowserContextOptions = {}) {
  const { service, browser } = opened()
  const { body } = await service.api('POST', '/setuplinks', { tenant, product: 'crm', ...fields })
  const { pathname } = new URL((body.data as unknown as { url: string }).url)
  const { page, problems } = await browser.open(service, { reducedMotion: 'reduce', locale: 'en-US', ...options })
  return { page, problems, open: () => page.goto(pathname) }
}

/** Sends SCIM requests with the values that the page shows. */
async function providerOf(page: Page) {
  const [endpoint = '', secret = ''] = await page.locator('.portal-value').allTextContents()
  return async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/scim+json' }
    const answer = await opened().service.request(method, new URL(endpoint).pathname + path, { headers, body })
    return { status: answer.status, id: (answer.body as { id?: string }).id }
  }
}

test('an administrator connects Okta, and the checklist is completed as requests arrive', async () => {
  const { page, problems, open } = await openLink('acme')
  await open()
  await page.getByRole('button', { name: 'Okta' }).click()
  await page.getByText('Copy the secret now').waitFor()
  const scim = await providerOf(page)
  await scim('GET', '/Users?startIndex=1&count=1')
  const { id } = await scim('POST', '/Users', { userName: 'bjensen@acme.example' })
  await scim('PUT', `/Users/${id}`, { userName: 'bjensen@acme.example', title: 'Engineer' })
  await scim('PUT', `/Users/${id}`, { userName: 'bjensen@acme.example', title: 'Engineer', active: false })
  await scim('POST', '/Groups', { displayName: 'Engineering', members: [] })
  await page.getByText('Everything works').waitFor()
  await page.getByText('Working', { exact: true }).waitFor()
  assert.deepEqual(
    await Promise.all((await page.locator('[data-behavior]').all()).map((item) => item.getAttribute('data-seen'))),
    ['true', 'true', 'true', 'true', 'true'],
  )
  assert.equal((await scim('POST', '/Users', { userName: 'BJENSEN@acme.example' })).status, 409)
  await page.getByText('A user with this name already exists').waitFor()
  await page.getByText('It was about BJENSEN@acme.example').waitFor()
  assert.equal(await page.getByText('Everything works').count(), 0, 'not beside a refusal')
  assert.deepEqual(await accessibilityProblems(page), [])
  assert.deepEqual(problems, [])
  await page.context().close()
})

test('the portal can be used by keyboard on a narrow dark screen, in German', async () => {
  const { page, problems, open } = await openLink(
    'globex',
    { types: ['azure-scim-v2', 'onelogin-scim-v2'] },
    { viewport: { width: 400, height: 800 }, colorScheme: 'dark', locale: 'de-DE' },
  )
  await open()
  await page.getByRole('heading', { name: 'Welchen Identitätsanbieter verwenden Sie?' }).waitFor()
  await page.getByRole('button', { name: 'Entra ID' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('Mandanten-URL (Tenant URL)', { exact: true }).first().waitFor()
  await page.getByText('Wartet auf die erste Anfrage').waitFor()
  assert.match((await page.locator('.portal-value').first().textContent()) ?? '', /\?aadOptscim062020$/)
  await page.getByRole('button', { name: 'Neues Token erstellen' }).focus()
  await page.keyboard.press('Enter')
  const before = await page.locator('.portal-value').nth(1).textContent()
  await page.getByRole('dialog').getByRole('button', { name: 'Neues Token erstellen' }).focus()
  await page.keyboard.press('Enter')
  await page.locator('.mantine-Modal-overlay').waitFor({ state: 'hidden' })
  const token = page.locator('.portal-value').nth(1)
  await eventually('the new token', async () => (await token.textContent()) !== before)
  assert.equal(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), false)
  assert.deepEqual(await accessibilityProblems(page), [])
  const after = await page.locator('.portal-value').nth(1).textContent()
  await page.reload()
  await page.getByText('Kopieren Sie das Token jetzt').waitFor()
  assert.equal(await page.locator('.portal-value').nth(1).textContent(), after, 'the token survives a reload')
  await page.getByRole('button', { name: 'Ich habe das Token gespeichert' }).click()
  await page.getByText(`es endet auf „${after?.slice(-4)}“`).waitFor()
  await page.reload()
  await page.getByText('Das Token wurde angezeigt, als es erstellt wurde').waitFor()
  assert.deepEqual(problems, [])
  await page.context().close()
})

test('the values and the steps come before the checklist where the page is narrow', async () => {
  const { page, open } = await openLink('narrow', {}, { viewport: { width: 390, height: 800 } })
  await open()
  await page.getByRole('button', { name: 'Okta' }).click()
  const topOf = async (name: string) => {
    const box = await page.getByRole('heading', { name, exact: true }).boundingBox()
    return box?.y ?? 0
  }
  await page.getByRole('heading', { name: 'What has arrived' }).waitFor()
  const tops = [await topOf('Values to copy'), await topOf('Steps'), await topOf('What has arrived')]
  assert.deepEqual(
    tops,
    tops.toSorted((a, b) => a - b),
  )
  await page.context().close()
})

/** Shows the page in every language, appearance and width, and returns what is wrong with it. */
async function problemsInEveryLanguage(page: Page): Promise<string[]> {
  const found: string[] = []
  for (const language of ['en', 'de', 'es', 'fr', 'ja']) {
    await page.locator('select').selectOption(language)
    await page.locator(`html[lang=${language}]`).waitFor({ state: 'attached' })
    found.push(...(await problemsInEveryLook(page)).map((problem) => `${language}, ${problem}`))
  }
  return found
}

test('the page is accessible in every language, in light and dark, from 320 pixels on, without sideways scrolling', async () => {
  const { page, problems, open } = await openLink('languages')
  await open()
  await page.getByRole('button', { name: 'Entra ID' }).waitFor()
  const found = await problemsInEveryLanguage(page)
  await page.getByRole('button', { name: 'Entra ID' }).click()
  await page.locator('.portal-steps').waitFor()
  found.push(...(await problemsInEveryLanguage(page)))
  assert.deepEqual(found, [])
  assert.deepEqual(problems, [])
  await page.context().close()
})

test('a wrong secret is shown to the administrator with its solution', async () => {
  const { page, open } = await openLink('initech')
  await open()
  await page.getByRole('button', { name: 'JumpCloud' }).click()
  const endpoint = (await page.locator('.portal-value').first().textContent()) ?? ''
  const headers = { authorization: 'Bearer a-wrong-secret' }
  await opened().service.request('GET', `${new URL(endpoint).pathname}/Users`, { headers })
  await page.getByText('Your identity provider used a wrong secret').waitFor()
  await page.context().close()
})

test('a revoked link shows a page that reveals nothing', async () => {
  const { page, open } = await openLink('umbrella')
  await opened().service.api('DELETE', '/setuplinks?tenant=umbrella&product=crm')
  await open()
  await page.getByText('This link does not work').first().waitFor()
  assert(!(await page.content()).includes('crm'))
  assert.deepEqual(await accessibilityProblems(page), [])
  await page.context().close()
})
