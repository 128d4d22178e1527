import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { TestBrowser, TestPage } from './browser.ts'
import type { TestService } from './service.ts'
import { testApiKey } from './service.ts'

/** The root token of services whose admins sign in, or make API keys. */
export const rootToken = 'root-token-of-a-test-0123456789abcdef'

/** Opens a page of the console in a session of its own, for somebody who has signed in with an API key. */
export async function openConsole(
  { service, browser }: { readonly service: TestService; readonly browser: TestBrowser },
  path = '',
  apiKey = testApiKey,
): Promise<TestPage> {
  const opened = await browser.open(service)
  await signIn(opened.page, { api_key: apiKey })
  await opened.page.goto(`/console${path}`)
  return opened
}

/** Begins a session with the request that the form sends, without loading the form. */
export async function signIn(page: Page, credentials: Readonly<Record<string, string>>): Promise<void> {
  const headers = { 'sec-fetch-site': 'same-origin' }
  const answer = await page.request.post('/console/session', { data: credentials, headers })
  assert.equal(answer.status(), 201, await answer.text())
}

/** Shows another page of the console without loading the application again. */
export async function show(page: Page, path: string): Promise<void> {
  const goTo = (address: string) =>
    page.evaluate(
      `history.pushState(null, '', ${JSON.stringify(address)}); dispatchEvent(new PopStateEvent('popstate'))`,
    )
  // Nothing of the page before is left on one that does not exist: what is found then belongs to the next one.
  await goTo('/console/none')
  await page.getByText('There is no such page').waitFor()
  await goTo(`/console${path}`)
}

/** A new API key with a scope. */
export async function keyOf(service: TestService, scope: object): Promise<string> {
  const body = { claims: { upstreamToken: rootToken, email: 'ada@example.com' } }
  const login = await service.request('POST', '/auditlog/admin/v1/user/_login', {
    body,
    headers: { authorization: `token=${rootToken}` },
  })
  const { token } = login.body as unknown as { readonly token: string }
  const created = await service.request('POST', '/auditlog/admin/v1/apikey', {
    body: { name: 'narrow', scope },
    headers: { authorization: `Bearer ${token}` },
  })
  return (created.body.data as unknown as { readonly key: string }).key
}
