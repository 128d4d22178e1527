import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accessibilityProblems, browserForSuite } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'

const opened = browserForSuite()
const value = 'k-of-the-gateway'

test('headers of the endpoint are entered, and their values never shown again; domains are restricted', async () => {
  const { service } = opened()
  const { id } = await service.createDirectory({ webhook_url: 'http://127.0.0.1:9/events' })
  const stored = async () => (await service.api('GET', `/${id}`)).body.data
  const { page, problems, close } = await openConsole(opened(), `/directories/${id}/settings`)
  const endpoint = page.locator('#endpoint')
  await endpoint.getByRole('button', { name: 'Replace' }).click()
  await endpoint.getByRole('button', { name: 'Add a header' }).click()
  await endpoint.getByLabel('Header 1: name').fill('Host')
  await endpoint.getByLabel('Header 1: value').fill(value)
  assert.deepEqual(await accessibilityProblems(page), [])
  await endpoint.getByRole('button', { name: 'Save' }).click()
  await endpoint.getByRole('alert').getByText('Host, Content-Type and the like cannot be set').waitFor()
  await endpoint.getByLabel('Header 1: name').fill('X-Gateway-Key')
  await endpoint.getByRole('button', { name: 'Save' }).click()
  await endpoint.getByText('X-Gateway-Key').waitFor()
  assert.deepEqual((await stored()).webhook.headers, ['X-Gateway-Key'])

  const domains = page.locator('#domains')
  await domains.getByLabel('Domains', { exact: true }).fill('acme.com, acme.de')
  await domains.getByRole('switch').check()
  await domains.getByRole('button', { name: 'Save' }).click()
  await domains.locator('button[type=submit]:disabled').waitFor()
  const { allowed_domains, outside_domains } = await stored()
  assert.deepEqual([allowed_domains, outside_domains], [['acme.com', 'acme.de'], 'refuse'])
  await page.reload()
  await endpoint.getByText('X-Gateway-Key').waitFor()
  assert.equal((await page.content()).includes(value), false)
  assert.deepEqual(await accessibilityProblems(page), [])
  assert.deepEqual(
    problems.filter((problem) => !problem.includes('400')),
    [],
  )
  await close()
})

test('a token that is replaced says until when the previous one works', async () => {
  const { id } = await opened().service.createDirectory({})
  const { page, problems, close } = await openConsole(opened(), `/directories/${id}/settings`)
  await page.getByRole('button', { name: 'New token' }).click()
  const question = page.getByRole('dialog')
  await question.getByLabel('Keep the current one valid for').selectOption('a week')
  await question.getByRole('button', { name: 'New token' }).click()
  await page.locator('#scim').getByText('The previous one works until').waitFor()
  assert.deepEqual(problems, [])
  await close()
})

test('a Google Workspace directory is restricted to groups and organizational units', async () => {
  const { service } = opened()
  const { id } = await service.createDirectory({ type: 'extdir' })
  const { page, problems, close } = await openConsole(opened(), `/directories/${id}/settings`)
  const google = page.locator('#google')
  const groups = google.getByLabel('Groups', { exact: true })
  await groups.fill('the sales team')
  await groups.press('Enter')
  await google.getByRole('button', { name: 'Save' }).click()
  await google.getByText('Enter the address or the id of each group').waitFor()
  await groups.press('Backspace')
  await groups.fill('sales@acme.com')
  await groups.press('Enter')
  await google.getByLabel('Organizational units').fill('/Support/Europe')
  await google.getByRole('button', { name: 'Save' }).click()
  await google.locator('button[type=submit]:disabled').waitFor()
  const { extdir_groups, extdir_org_units } = (await service.api('GET', `/${id}`)).body.data
  assert.deepEqual([extdir_groups, extdir_org_units], [['sales@acme.com'], ['/Support/Europe']])
  assert.deepEqual(await accessibilityProblems(page), [])
  assert.deepEqual(
    problems.filter((problem) => !problem.includes('400')),
    [],
  )
  await close()
})

test('a directory is made strict, which also makes the names of its groups unique', async () => {
  const { service } = opened()
  const { id } = await service.createDirectory()
  const { page, problems, close } = await openConsole(opened(), `/directories/${id}/settings`)
  const strict = page.getByRole('switch', { name: 'Strict SCIM requests' })
  const uniqueNames = page.getByRole('switch', { name: 'Unique group names' })
  await uniqueNames.waitFor()
  assert.deepEqual([await strict.isChecked(), await uniqueNames.isEnabled()], [false, true])
  await strict.click()
  await page.getByText('Always on while SCIM requests are strict.').waitFor()
  assert.deepEqual([await uniqueNames.isChecked(), await uniqueNames.isEnabled()], [true, false])
  assert.deepEqual(await accessibilityProblems(page), [])
  const { scim_profile, unique_group_names } = (await service.api('GET', `/${id}`)).body.data
  assert.deepEqual([scim_profile, unique_group_names], ['strict', false])
  assert.deepEqual(problems, [])
  await close()
})

test('a directory for people who have accounts is created with its first users held, and the hold leads to linking them', async () => {
  const { service } = opened()
  const { page, problems, close } = await openConsole(opened(), '/directories')
  await page.getByRole('button', { name: 'New directory' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Tenant' }).fill('umbrella')
  await dialog.getByRole('textbox', { name: 'Product' }).fill('crm')
  await dialog.getByLabel('Hold the first users until they are linked').check({ force: true })
  await dialog.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByRole('link', { name: 'Hold', exact: true }).click()
  await page.getByText('The first users wait for their accounts').waitFor()
  const [{ id, adoption }] = (await service.api('GET', '/?tenant=umbrella&product=crm')).body.data as unknown as [
    { readonly id: string; readonly adoption: string },
  ]
  assert.equal(adoption, 'hold')
  const link = page.getByRole('link', { name: 'Link users to accounts' })
  assert.equal(await link.getAttribute('href'), `/console/directories/${id}/adoption`)
  await page.getByRole('button', { name: 'Discard and resync' }).click()
  await page.getByText('The held events are never sent.').waitFor()
  assert.equal(await page.getByText('Users who are still removed').count(), 0, 'nobody was removed')
  assert.deepEqual(await accessibilityProblems(page), [])
  assert.deepEqual(problems, [])
  await close()
})
