import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browserForSuite, problemsInEveryLook } from '../support/browser.ts'
import { openConsole, rootToken, signIn } from '../support/console.ts'

const opened = browserForSuite({ ADMIN_ROOT_TOKEN: rootToken })

/** The audit trail, as an admin sees it. */
async function openTrail(query = '') {
  const { page, problems, close } = await openConsole(opened())
  await signIn(page, { email: 'ada@example.com', root_token: rootToken })
  await page.goto(`/console/audit${query}`)
  await page.getByRole('table', { name: 'Audit trail' }).waitFor()
  return { page, problems, close }
}

test('entries are filtered by who, what, which and when, and the address has the filters', async () => {
  const { service } = opened()
  await service.createDirectory({ tenant: 'globex', name: 'The first' })
  const second = await service.createDirectory({ tenant: 'globex', name: 'The second' })
  await service.api('PATCH', `/${second.id}`, { name: 'The renamed' })
  const { page, problems, close } = await openTrail()
  await page.getByRole('searchbox', { name: 'Who' }).fill('API_KEYS 1')
  await page.getByRole('combobox', { name: 'What' }).selectOption('Directory updated')
  await page.getByRole('searchbox', { name: 'Tenant' }).fill('globex')
  await page.getByLabel('From', { exact: true }).fill('2020-01-31')
  await page.getByText('1 row', { exact: true }).waitFor()
  await page.getByRole('row', { name: 'Directory updated API_KEYS 1 The renamed' }).waitFor()
  const { searchParams } = new URL(page.url())
  assert.deepEqual(Object.fromEntries(searchParams), {
    ...{ actor_name: 'API_KEYS 1', action: 'directory.updated', tenant: 'globex', from: '2020-01-31' },
  })
  await page.getByLabel('To', { exact: true }).fill('2020-02-01')
  await page.getByText('No entry matches').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('link', { name: 'Admin login' }).waitFor()
  assert.deepEqual(problems, [])
  await close()
})

test('an entry opens with the name of a deleted directory, old and new values, and no secret', async () => {
  const { service } = opened()
  const { id, scim } = await service.createDirectory({ tenant: 'initech', name: 'The former' })
  await service.api('DELETE', `/${id}`)
  const { page, problems, close } = await openTrail('?tenant=initech&action=directory.deleted')
  await page.getByText('The former (deleted)').waitFor()
  await page.getByRole('link', { name: 'Directory deleted' }).click()
  await page.getByRole('heading', { level: 1, name: 'Directory deleted' }).waitFor()
  await page.reload()
  await page.getByRole('row', { name: 'Name The former none' }).waitFor()
  await page.getByRole('row', { name: 'Token a secret, not shown none' }).waitFor()
  assert.equal((await page.content()).includes(scim.secret), false)
  assert.deepEqual(await problemsInEveryLook(page), [])
  await page.getByRole('link', { name: 'All entries about it' }).click()
  await page.getByText('2 rows').waitFor()
  assert.deepEqual(
    problems.filter((problem) => !problem.includes('404')),
    [],
  )
  await close()
})
