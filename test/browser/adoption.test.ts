import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accessibilityProblems, browserForSuite, problemsInEveryLook } from '../support/browser.ts'
import { openConsole } from '../support/console.ts'

const opened = browserForSuite()

/** A directory with users. */
async function directoryWith(...userNames: readonly string[]) {
  const { service } = opened()
  const directory = await service.createDirectory()
  const ids: string[] = []
  for (const userName of userNames) {
    const { body } = await service.scim(directory, 'POST', '/Users', { userName })
    ids.push(String(body['id']))
  }
  const accountOf = async (id = '') => {
    const { body } = await service.api('GET', `/users/${id}?directoryId=${directory.id}`)
    return (body.data as unknown as { readonly account_id: string | null }).account_id
  }
  return { service, directory, ids, accountOf }
}

const fileOf = (text: string) => ({ name: 'accounts.ndjson', mimeType: '', buffer: Buffer.from(text) })
const lines = (...accounts: readonly object[]) => accounts.map((account) => `${JSON.stringify(account)}\n`).join('')

test('a list is sent as a file, its plan and conflicts are shown, and users are linked', async () => {
  const { directory, ids, accountOf } = await directoryWith('ann@acme.example', 'bob@acme.example')
  const { page, problems, close } = await openConsole(opened(), `/directories/${directory.id}/users`)
  await page.getByRole('link', { name: 'Link users to accounts' }).click()
  await page.getByRole('heading', { name: 'Accounts of your product' }).waitFor()
  assert.deepEqual(await problemsInEveryLook(page), [])
  const list = lines(
    { account_id: 'a1', user_name: 'ann@acme.example' },
    { account_id: 'b1', user_name: 'bob@acme.example' },
    { account_id: 'b2', user_name: 'bob@acme.example' },
  )
  await page.locator('input[type=file]').setInputFiles(fileOf(list))
  await page.getByText('accounts.ndjson, 1 KB').waitFor()
  await page.getByRole('button', { name: 'Send the list' }).click()
  await page.getByRole('row', { name: /ann@acme\.example .*a1 .*User name/ }).waitFor()
  assert.deepEqual(await problemsInEveryLook(page), [])
  await page.getByRole('link', { name: 'Conflicts 1' }).click()
  await page.getByRole('row', { name: /bob@acme\.example.*b1.*b2.*Several accounts match this user/ }).waitFor()
  await page.getByRole('button', { name: 'Link 1 user' }).click()
  const question = page.getByRole('dialog')
  await question.getByText('1 conflict is not linked').waitFor()
  assert.deepEqual(await accessibilityProblems(page), [])
  await question.getByRole('button', { name: 'Link 1 user' }).click()
  await page.getByText('1 user is linked').waitFor()
  assert.deepEqual([await accountOf(ids[0]), await accountOf(ids[1])], ['a1', null])
  assert.deepEqual(problems, [])
  await close()
})

test('a plan that changed while it was confirmed is shown anew, and a wrong list is refused with the number of the account', async () => {
  const { service, directory, ids, accountOf } = await directoryWith('ann@acme.example')
  const path = `/${directory.id}/adoption`
  await service.api('POST', path, [{ account_id: 'a1', user_name: 'ann@acme.example' }])
  const { page, problems, close } = await openConsole(opened(), `/directories/${directory.id}/adoption`)
  await page.getByRole('button', { name: 'Link 1 user' }).click()
  await service.api('POST', path, [{ account_id: 'a2', user_name: 'ann@acme.example' }])
  await page.getByRole('dialog').getByRole('button', { name: 'Link 1 user' }).click()
  await page.getByRole('alert').getByText('The plan has changed, and nobody was linked').waitFor()
  await page.getByRole('row', { name: /a2/ }).waitFor()
  assert.equal(await accountOf(ids[0]), null)
  await page.locator('input[type=file]').setInputFiles(fileOf('{"account_id":"a1"}\n{"account_id":7}\n'))
  await page.getByRole('button', { name: 'Send the list' }).click()
  await page.getByRole('alert').getByText('Account 2 of the list: The id of the account is missing').waitFor()
  assert.deepEqual(
    problems.filter((problem) => !/40[09]/.test(problem)),
    [],
  )
  await close()
})

test('the account of a user is changed and removed on the page of the user', async () => {
  const { directory, ids, accountOf } = await directoryWith('ann@acme.example')
  const { page, problems, close } = await openConsole(opened(), `/directories/${directory.id}/users/${ids[0]}`)
  await page.getByLabel('Id of the account').fill('a1')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The user is linked to this account').waitFor()
  assert.equal(await accountOf(ids[0]), 'a1')
  await page.getByLabel('Id of the account').fill('')
  await page.getByRole('button', { name: 'End the link' }).click()
  await page.getByText('The user is no longer linked').waitFor()
  assert.equal(await accountOf(ids[0]), null)
  assert.deepEqual(problems, [])
  await close()
})
