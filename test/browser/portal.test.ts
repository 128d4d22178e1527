import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { accessibilityProblems, browserForSuite, problemsInEveryLook } from '../support/browser.ts'
import { eventually } from '../support/eventually.ts'
import { runsAll } from '../support/extent.ts'

const opened = browserForSuite({
  ...{ PORTAL_NAME: 'Acme CRM', PORTAL_COLOR: '#ffe600', PORTAL_RETURN_URL: 'https://crm.example/settings' },
  ...{ DSYNC_EXTDIR_CLIENT_ID: 'c', DSYNC_EXTDIR_CLIENT_SECRET: 's' },
})

/** Opens a setup link for a tenant. */
async function openLink(tenant: string, fields: object = {}, options?: BrowserContextOptions) {
  const { service, browser } = opened()
  const { body } = await service.api('POST', '/setuplinks', { tenant, product: 'crm', ...fields })
  const { url } = body.data as unknown as { url: string }
  const shown = await browser.open(service, options)
  return { ...shown, url, open: () => shown.page.goto(new URL(url).pathname) }
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

test('an administrator connects Okta, and a refused request does not overshadow that everything works', async () => {
  const { page, problems, open, close } = await openLink('acme')
  await open()
  await page.getByRole('button', { name: 'Okta' }).click()
  await page.getByText('Copy the token now').waitFor()
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
  await page.getByText('Everything works').waitFor()
  await page.getByText('Working', { exact: true }).waitFor()
  assert.deepEqual(await accessibilityProblems(page), [])
  await page.getByRole('button', { name: 'It is resolved: hide this' }).click()
  await page.reload()
  await page.getByText('Everything works').waitFor()
  assert.equal(await page.getByText('A user with this name already exists').count(), 0)
  assert.deepEqual(problems, [])
  await close()
})

test('the portal can be used by keyboard on a narrow dark screen, in German', async () => {
  const { page, problems, open, close } = await openLink(
    'globex',
    { types: ['azure-scim-v2', 'onelogin-scim-v2'] },
    { viewport: { width: 400, height: 800 }, colorScheme: 'dark', locale: 'de-DE' },
  )
  await open()
  await page.getByRole('heading', { name: 'Welchen Identitätsanbieter verwenden Sie?' }).waitFor()
  await page.getByRole('button', { name: 'Entra ID' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('Mandanten-URL (Tenant URL)', { exact: true }).first().waitFor()
  await page.getByText('Werte aus Entra ID').waitFor()
  await page.getByRole('radio', { name: /^Token/ }).check()
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
  await close()
})

/** Chooses Entra ID and a way to sign in. */
async function chooseEntra(page: Page, way: RegExp): Promise<void> {
  await page.getByRole('button', { name: 'Entra ID' }).click()
  await page.getByRole('radio', { name: way }).check()
}

/** The labels of the rows of the checklist that were seen. */
const seenRows = (page: Page) => page.locator('[data-seen=true]').count()

test('an administrator of Entra ID creates client credentials, signs in with them, and deletes them', async () => {
  const { page, problems, open, close } = await openLink('stark')
  await page.setViewportSize({ width: 390, height: 800 })
  await open()
  await chooseEntra(page, /Client credentials/)
  await page.getByText('OAuth2 client credentials grant').waitFor()
  assert.equal(await seenRows(page), 0)
  await page.getByRole('button', { name: 'Create client credentials' }).click()
  await page.getByText('Copy the client secret now').waitFor()
  const [tenantUrl = '', tokenUrl = '', id = '', secret = ''] = await page.locator('.portal-value').allTextContents()
  assert.match(tenantUrl, /\?aadOptscim062020$/)
  assert.deepEqual(await accessibilityProblems(page), [])
  await opened().service.request('POST', new URL(tokenUrl).pathname, {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: secret }).toString(),
  })
  await page.locator('[data-behavior=signed_in][data-seen=true]').waitFor()
  assert.equal(await seenRows(page), 1)
  await page.reload()
  await page.getByText('Copy the client secret now').waitFor()
  assert.equal(await page.locator('.portal-value').nth(3).textContent(), secret, 'the secret survives a reload')
  await page.getByRole('button', { name: 'I have stored the client secret' }).click()
  await page.getByText('The client secret was shown when it was created').waitFor()
  await page.getByRole('button', { name: `Delete the credentials ${id}` }).click()
  await page.getByRole('dialog').getByText('Access ends immediately').waitFor()
  assert.deepEqual(await accessibilityProblems(page), [])
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Create client credentials first').waitFor()
  assert.deepEqual(problems, [])
  await close()
})

test('what is pasted for workload identity federation is checked, and becomes a client', async () => {
  const { page, open, close } = await openLink('wayne')
  await page.setViewportSize({ width: 320, height: 800 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await open()
  await chooseEntra(page, /Workload identity federation/)
  const tenant = 'https://login.microsoftonline.com/ce5f061f-abe6-4e40-9615-301f87bcb7f0'
  const paste = async (values: Readonly<Record<string, string>>) => {
    for (const [label, value] of Object.entries(values)) await page.getByLabel(label).fill(value)
    await page.getByRole('button', { name: 'Save the values' }).click()
  }
  await paste({
    Issuer: `${tenant}/v2.0`,
    'JWKS URL': 'https://login.microsoftonline.com/11111111-abe6-4e40-9615-301f87bcb7f0/discovery/v2.0/keys',
    Subject: 'Sync Fabric',
    Audience: 'api://b5ba7a93-4452-4522-aeb4-a2b5da870c16/.default',
  })
  await page.getByText('The JWKS URL must be of the same tenant').waitFor()
  await page.getByText('The subject must be an object ID').waitFor()
  const invalid = await page.locator('[aria-invalid=true]').count()
  assert.equal(invalid, 2, 'only the wrong fields are marked')
  assert.deepEqual(await accessibilityProblems(page), [])
  await page.emulateMedia({ colorScheme: 'light' })
  assert.deepEqual(await accessibilityProblems(page), [])
  await paste({
    'JWKS URL': ` ${tenant}/discovery/v2.0/keys `,
    Subject: 'd2f8ee76-c549-45b8-a143-f5b640669704',
  })
  await page.getByText('not used yet').waitFor()
  const [, tokenUrl = '', id = ''] = await page.locator('.portal-value').allTextContents()
  assert.match(tokenUrl, /\/api\/scim\/oauth\/token$/)
  assert.match(id, /^[\w-]+$/)
  await page.reload()
  await page.getByText('Select authentication method').waitFor()
  assert.equal(await page.getByRole('radio', { name: /Workload identity federation/ }).isChecked(), true)
  assert.equal(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), false)
  assert.deepEqual(await accessibilityProblems(page), [])
  await close()
})

test('the values and the steps come before the checklist where the page is narrow', async () => {
  const { page, open, close } = await openLink('narrow')
  await page.setViewportSize({ width: 390, height: 800 })
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
  await close()
})

/** Shows the page in every language, appearance and width, and returns what is wrong with it. */
async function problemsInEveryLanguage(page: Page): Promise<string[]> {
  const found: string[] = []
  for (const language of runsAll ? ['en', 'de', 'es', 'fr', 'ja'] : ['en', 'de']) {
    await page.locator('select').selectOption(language)
    await page.locator(`html[lang=${language}]`).waitFor({ state: 'attached' })
    found.push(...(await problemsInEveryLook(page)).map((problem) => `${language}, ${problem}`))
  }
  return found
}

test('the page is accessible in every language, in light and dark, from 320 pixels on, without sideways scrolling', async () => {
  const { page, problems, open, close } = await openLink('languages')
  await open()
  await page.getByRole('button', { name: 'Entra ID' }).waitFor()
  const found = await problemsInEveryLanguage(page)
  await page.getByRole('button', { name: 'Entra ID' }).click()
  await page.locator('.portal-steps').waitFor()
  found.push(...(await problemsInEveryLanguage(page)))
  assert.deepEqual(found, [])
  assert.deepEqual(problems, [])
  await close()
})

test('a wrong token is shown to the administrator with its solution', async () => {
  const { page, open, close } = await openLink('initech')
  await open()
  await page.getByRole('button', { name: 'JumpCloud' }).click()
  const endpoint = (await page.locator('.portal-value').first().textContent()) ?? ''
  const headers = { authorization: 'Bearer a-wrong-secret' }
  await opened().service.request('GET', `${new URL(endpoint).pathname}/Users`, { headers })
  await page.getByText('Your identity provider used a wrong token').waitFor()
  await close()
})

test('a revoked link shows a page that reveals nothing, in the language of the reader, with a way back', async () => {
  const { page, problems, open, close } = await openLink('umbrella', {}, { locale: 'de-DE' })
  await opened().service.api('DELETE', '/setuplinks?tenant=umbrella&product=crm')
  await open()
  await page.getByRole('heading', { name: 'Dieser Link funktioniert nicht' }).waitFor()
  const back = page.getByRole('link', { name: 'Zurück zu Acme CRM' })
  assert.equal(await back.getAttribute('href'), 'https://crm.example/settings')
  assert(!(await page.content()).includes('crm"'))
  assert.deepEqual(await accessibilityProblems(page), [])
  assert.deepEqual(
    problems.filter((problem) => !problem.includes('410')),
    [],
  )
  await close()
})

test('a consent that Google was not given is explained in the language of the reader, and leads back to the setup', async () => {
  const { page, url, close } = await openLink('hooli', { types: ['extdir'] }, { locale: 'fr-FR' })
  // Google, which sends the browser back.
  await page.route('**/api/scim/oauth/authorize?*', async (route) => {
    const begun = await route.fetch({ maxRedirects: 0 })
    const { origin } = new URL(page.url())
    const state = new URL(begun.headers()['location'] ?? '').searchParams.get('state')
    const back = `${origin}/api/scim/oauth/callback?error=access_denied&state=${encodeURIComponent(state ?? '')}`
    const cookie = begun.headers()['set-cookie'] ?? ''
    const body = `<meta http-equiv="refresh" content="0;url=${back}">`
    await route.fulfill({ headers: { 'set-cookie': cookie, 'content-type': 'text/html' }, body })
  })
  await page.goto(url)
  const setup = page.url()
  await page.getByRole('button', { name: 'Google Workspace' }).click()
  await page.getByText('En attente de la première synchronisation').first().waitFor()
  await page.getByRole('button', { name: 'Connecter Google Workspace' }).click()
  await page.getByRole('heading', { name: 'L’accès n’a pas été accordé' }).waitFor()
  assert.deepEqual(await accessibilityProblems(page), [])
  await page.getByRole('link', { name: 'Retour à la configuration' }).click()
  await page.getByRole('button', { name: 'Connecter Google Workspace' }).waitFor()
  assert.equal(page.url(), setup)
  await close()
})
