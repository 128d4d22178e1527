import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { accessibilityProblems, browserForSuite, problemsInEveryLook } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'

const scope = { tenant: 'acme', product: 'crm' }
const subject = 'ann.marker@acme.example'

const opened = browserForSuite()

/** The page about personal data, for somebody who has signed in with an API key. */
async function openPage() {
  const { page, problems, close } = await openConsole(opened(), '/privacy')
  await page.getByRole('heading', { level: 1, name: 'Personal data' }).waitFor()
  return { page, problems, close }
}

async function lookUp(page: Page, who: string) {
  await page.getByRole('textbox', { name: 'Tenant' }).fill(scope.tenant)
  await page.getByRole('textbox', { name: 'Product' }).fill(scope.product)
  await page.getByRole('searchbox', { name: 'Person' }).fill(who)
  await page.getByRole('button', { name: 'Look up' }).click()
}

/** The file that a button lets the browser save. */
async function saved(page: Page, button: Locator): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()])
  return readFile(await download.path(), 'utf8')
}

test('a person is looked up, with what to do first, exported, and erased after the name was typed; the receipt is saved', async () => {
  const { service } = opened()
  const directory = await service.createDirectory(scope)
  const body = { userName: subject, active: true, name: { givenName: 'Ann', familyName: 'Marker' } }
  const { body: user } = await service.scim(directory, 'POST', '/Users', body)
  const { page, problems, close } = await openPage()
  await page.getByText('Enter a tenant and a product to see their erasures').waitFor()
  await lookUp(page, subject)
  const first = page.getByRole('link', { name: 'Deactivate or delete the active user' })
  assert.equal(await first.getAttribute('href'), `/console/directories/${directory.id}/users/${user['id']}`)
  await page.getByRole('definition').first().waitFor()
  assert.equal(await page.getByRole('button', { name: 'Erase' }).count(), 0)
  assert.deepEqual(await problemsInEveryLook(page), [])
  const document = await saved(page, page.getByRole('button', { name: 'Export' }))
  assert.match(document, /"subject":"ann\.marker@acme\.example".*"userName":"ann\.marker@acme\.example"/)
  await page.getByText('The file has everything that is held').waitFor()

  await service.scim(directory, 'DELETE', `/Users/${user['id']}`)
  await lookUp(page, subject)
  await page.getByRole('button', { name: 'Erase' }).waitFor()
  assert.equal(page.url().includes('ann'), false, 'the address does not name the person')
  assert.deepEqual(await accessibilityProblems(page), [])
  await page.getByRole('button', { name: 'Erase' }).click()
  const dialog = page.getByRole('dialog', { name: `Erase everything about ${subject}?` })
  await dialog.getByText('This cannot be undone.').waitFor()
  const confirm = dialog.getByRole('button', { name: 'Erase' })
  assert.equal(await confirm.isDisabled(), true, 'nothing is typed')
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('request 4711')
  await dialog.getByRole('textbox', { name: `Type “${subject}” to confirm` }).fill(subject)
  assert.deepEqual(await accessibilityProblems(page), [])
  await confirm.click()
  await page.getByRole('heading', { name: 'The person was erased' }).waitFor()
  const file = JSON.parse(await saved(page, page.getByRole('button', { name: 'Download receipt' }).first()))
  assert.deepEqual(Object.keys(file).sort(), ['at', 'erasure_id', 'places', 'receipt', 'subject_key'])

  const row = page.getByRole('row', { name: 'request 4711' })
  const listed = JSON.parse(await saved(page, row.getByRole('button', { name: 'Download receipt' })))
  assert.deepEqual(listed, { erasure_id: file.erasure_id, receipt: file.receipt })
  assert.deepEqual(await accessibilityProblems(page), [])
  assert.deepEqual(problems, [])
  await close()
})

test('somebody whom nobody knows is not found', async () => {
  await opened().service.createDirectory(scope)
  const { page, close } = await openPage()
  await lookUp(page, 'nobody@acme.example')
  await page.getByText('Nothing has this name or id').first().waitFor()
  assert.equal(await page.getByRole('button', { name: 'Erase' }).count(), 0)
  await close()
})
