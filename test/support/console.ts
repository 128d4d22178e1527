import type { Page } from 'playwright-core'
import type { TestService } from './service.ts'
import { testApiKey } from './service.ts'

/** The root token of services whose admins sign in, or make API keys. */
export const rootToken = 'root-token-of-a-test-0123456789abcdef'

/** Signs in to the console. */
export async function signInWithKey(page: Page, key = testApiKey): Promise<void> {
  await page.goto('/console')
  await page.getByRole('textbox', { name: 'API key' }).fill(key)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
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
