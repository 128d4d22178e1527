import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startFakeIssuer } from '../../tools/fake-issuer/issuer.ts'
import { accessibilityProblems, openBrowser, overflowAt } from '../support/browser.ts'
import { rootToken } from '../support/console.ts'
import { forSuite, startTestService } from '../support/service.ts'

/** A service at `localhost`, whose identity provider is at another site: `127.0.0.1`. */
const open = forSuite(async () => {
  await using opening = new AsyncDisposableStack()
  const issuer = opening.use(await startFakeIssuer())
  const settings = {
    ADMIN_ROOT_TOKEN: rootToken,
    CONSOLE_OIDC_ISSUER: issuer.issuer,
    CONSOLE_OIDC_CLIENT_ID: issuer.clientId,
    CONSOLE_OIDC_CLIENT_SECRET: issuer.clientSecret,
    CONSOLE_OIDC_ADMINS: '@example.com',
  }
  const service = opening.use(await startTestService('sqlite', settings))
  const browser = opening.use(await openBrowser())
  const opened = opening.move()
  return {
    ...{ issuer, browser },
    service: { origin: service.baseUrl },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
})

test('an administrator signs in with the identity provider, returns to the page that was open, and signs out', async () => {
  const { service, browser, issuer } = open()
  const { page, problems, close } = await browser.open(service)
  await page.goto('/console/audit?action=admin.login')
  const button = page.getByRole('link', { name: 'Sign in with 127.0.0.1' })
  await button.waitFor()
  assert.deepEqual(await accessibilityProblems(page), [])
  assert.equal(await overflowAt(page, 320), 0)
  await button.click()
  await page.getByRole('heading', { level: 1, name: 'Audit trail' }).waitFor()
  assert.equal(new URL(page.url()).search, '?action=admin.login')
  await page.getByText('ada@example.com').first().waitFor()
  await page.getByRole('button', { name: 'Your session' }).click()
  await page.getByText('Sign out').click()
  await button.waitFor()
  assert.equal(issuer.signOuts.length, 1)
  assert.deepEqual(
    problems.filter((problem) => !problem.startsWith(`request to ${issuer.issuer}/`)),
    [],
  )
  await close()
})

test('who is no administrator, or cancels, reads what to do, and can sign in from there', async () => {
  const { service, browser, issuer } = open()
  const { page, close } = await browser.open(service)
  issuer.knobs.person = { email: 'eve@example.org', email_verified: true }
  await page.goto('/console')
  const button = page.getByRole('link', { name: 'Sign in with 127.0.0.1' })
  await button.click()
  await page.getByText('Your account is not an administrator of this service.').waitFor()
  assert.deepEqual(await accessibilityProblems(page), [])
  assert.equal(new URL(page.url()).search, '')
  issuer.knobs.refusal = 'access_denied'
  await button.click()
  await page.getByText('Your identity provider did not sign you in.').waitFor()
  Object.assign(issuer.knobs, { refusal: undefined, person: { email: 'ada@example.com' } })
  await button.click()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  await close()
})
