import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import type { SetupLinkView } from '../../src/setup/setup-link.ts'
import { accessibilityProblems, browserForSuite } from '../support/browser.ts'
import { openConsole, show } from '../support/console.ts'

const opened = browserForSuite()

/** The list of setup links, for somebody who has signed in with an API key. */
async function openLinks() {
  const { page, problems, close } = await openConsole(opened(), '/setup-links')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('heading', { level: 1, name: 'Setup links' }).waitFor()
  return { page, problems, close }
}

async function fillIn(page: Page, tenant: string) {
  await page.getByRole('button', { name: 'New setup link' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Tenant' }).fill(tenant)
  await dialog.getByRole('textbox', { name: 'Product' }).fill('crm')
  return dialog
}

test('a customer is invited before there is a directory, with the providers, the profile and the days that are allowed', async () => {
  const { page, problems, close } = await openLinks()
  const dialog = await fillIn(page, 'acme')
  assert.equal(await dialog.getByRole('checkbox', { name: 'Google Workspace' }).count(), 0, 'it is not configured')
  for (const name of ['JumpCloud SCIM v2.0', 'Rippling SCIM v2.0']) await dialog.getByLabel(name).uncheck()
  await dialog.getByLabel('Strict SCIM requests').check({ force: true })
  const roles = dialog.getByLabel('Roles that the customer may assign')
  for (const role of ['admin', 'billing']) {
    await roles.fill(role)
    await roles.press('Enter')
  }
  await dialog.getByLabel('Expires after').selectOption('30')
  assert.deepEqual(await accessibilityProblems(page), [])
  await dialog.getByRole('button', { name: 'Create', exact: true }).click()
  const url = (await dialog.locator('.value code').textContent()) ?? ''
  assert.match(url, /\/setup\/[0-9a-f]{48}$/)
  await dialog.getByText('Copied. Send it to the administrator now').waitFor()
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), url)
  // The cross in the corner has a name as well.
  await dialog.getByRole('button', { name: 'Close' }).first().click()
  const row = page.getByRole('row', { name: 'acme' })
  await row.getByText('Not opened yet').waitFor()
  await row.getByText('admin, billing').waitFor()

  const { service } = opened()
  const link = (await service.api('GET', '/setuplinks?tenant=acme&product=crm')).body.data
  const { validTill, scim_profile } = link as unknown as SetupLinkView
  assert.equal(scim_profile, 'strict')
  assert.equal(Math.round((validTill - Date.now()) / 86_400_000), 30)
  await row.locator(`time[datetime="${new Date(validTill).toISOString()}"]`).waitFor()
  const headers = { authorization: `Setup ${url.split('/').at(-1)}` }
  const { body } = await service.request('GET', '/api/v1/setup', { headers })
  const types = (body as unknown as { data: { types: { type: string }[] } }).data.types.map(({ type }) => type)
  assert.ok(types.includes('okta-scim-v2') && !types.includes('jumpcloud-scim-v2'))
  await page.reload()
  await row.getByText('Opened').waitFor()
  assert.deepEqual(await accessibilityProblems(page), [])
  assert.deepEqual(problems, [])
  await close()
})

test('a link carries the endpoint, whose secret is shown once, and the domains of the customer', async () => {
  const { page, problems, close } = await openLinks()
  const dialog = await fillIn(page, 'hooli')
  await dialog.getByLabel('Endpoint for events').fill('http://127.0.0.1:9/events')
  await dialog.getByLabel('Signing secret').waitFor()
  await dialog.getByRole('button', { name: 'Add a header' }).click()
  await dialog.getByLabel('Header 1: name').fill('X-Gateway-Key')
  await dialog.getByLabel('Header 1: value').fill('let-me-in')
  await dialog.getByLabel('Allowed domains').fill('hooli.example')
  await dialog.getByLabel('Page to return to').fill('https://crm.example/back')
  await dialog.getByLabel('Refuse users with an address outside').check({ force: true })
  await dialog.getByLabel('Hold the first users until they are linked').check({ force: true })
  assert.deepEqual(await accessibilityProblems(page), [])
  await dialog.getByRole('button', { name: 'Create', exact: true }).click()
  await dialog.getByText('Store the signing secret').waitFor()
  await dialog.getByRole('button', { name: 'Show' }).click()
  assert.match((await dialog.locator('.value code').last().textContent()) ?? '', /^whsec_/)
  assert.deepEqual(await accessibilityProblems(page), [])
  const { body } = await opened().service.api('GET', '/setuplinks?tenant=hooli&product=crm')
  const { adoption, webhook_url, webhook_headers, allowed_domains, outside_domains, return_url } =
    body.data as unknown as SetupLinkView
  assert.equal(adoption, 'hold')
  assert.deepEqual(
    [webhook_url, webhook_headers, allowed_domains, outside_domains, return_url],
    ['http://127.0.0.1:9/events', ['X-Gateway-Key'], ['hooli.example'], 'refuse', 'https://crm.example/back'],
  )
  assert.deepEqual(problems, [])
  await close()
})

test('a link that a tenant has is replaced after a question, and revoked after another', async () => {
  const { service } = opened()
  await service.api('POST', '/setuplinks', { tenant: 'globex', product: 'crm' })
  const { page, close } = await openLinks()
  const dialog = await fillIn(page, 'globex')
  await dialog.getByRole('button', { name: 'Create', exact: true }).click()
  await dialog.getByText('This tenant has a link for this product').waitFor()
  await dialog.getByRole('button', { name: 'Replace it by a new one' }).click()
  await dialog.locator('.value code').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await page.getByLabel('Only this tenant').fill('globex')
  await page.getByRole('row', { name: 'Revoked' }).waitFor()
  const working = page.getByRole('row', { name: /globex.*Not opened yet/ })
  await working.getByRole('button', { name: 'Revoke' }).click()
  const question = page.getByRole('dialog', { name: 'Revoke the setup link of globex?' })
  await question.getByRole('button', { name: 'Revoke' }).click()
  await working.waitFor({ state: 'hidden' })
  assert.equal(await page.getByRole('row', { name: /globex.*Revoked/ }).count(), 2)
  await close()
})

test('a link that a tenant has with other settings is kept until it is replaced after a question, which names them', async () => {
  const { service } = opened()
  await service.api('POST', '/setuplinks', { tenant: 'umbrella', product: 'crm', roles: ['admin'], expiryDays: 30 })
  const { page, problems, close } = await openLinks()
  const dialog = await fillIn(page, 'umbrella')
  await dialog.getByRole('button', { name: 'Create', exact: true }).click()
  await dialog.getByText('with other settings: the roles that the customer may assign, how long it works').waitFor()
  assert.deepEqual(await accessibilityProblems(page), [])
  await dialog.getByRole('button', { name: 'Replace it by a new one' }).click()
  await dialog.locator('.value code').waitFor()
  assert.deepEqual(
    problems.filter((problem) => !problem.includes('409')),
    [],
  )
  await close()
})

test('the links of a directory are reached from its settings', async () => {
  const { service } = opened()
  const { id } = await service.createDirectory({ tenant: 'initech', product: 'crm' })
  const { page, close } = await openLinks()
  await show(page, `/directories/${id}/settings`)
  await page.getByRole('button', { name: 'New setup link' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Roles that the customer may assign').fill('owner')
  await dialog.getByRole('button', { name: 'New setup link' }).click()
  await page.getByText('Copied. Send it to the administrator now').waitFor()
  await page.getByRole('link', { name: 'Setup links of this directory' }).click()
  await page.getByText('The links of one directory.').waitFor()
  await page.getByRole('row', { name: /initech.*owner/ }).waitFor()
  assert.equal(await page.getByRole('row').count(), 2, 'the head and one link')
  await close()
})
