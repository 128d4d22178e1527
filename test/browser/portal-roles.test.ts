import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContextOptions } from 'playwright-core'
import type { DirectoryView } from '../../src/directory/directory-view.ts'
import { accessibilityProblems, browserForSuite, problemsInEveryLook } from '../support/browser.ts'
import { eventually } from '../support/eventually.ts'

const opened = browserForSuite({ PORTAL_NAME: 'Acme CRM' })

const german = { locale: 'de-DE', viewport: { width: 400, height: 800 } } as const

/** A directory of a tenant, and the page of a link with roles for it. */
async function openRoles(tenant: string, options: BrowserContextOptions = german) {
  const { service, browser } = opened()
  const directory = await service.createDirectory({ tenant, product: 'crm' })
  const fields = { tenant, product: 'crm', directoryId: directory.id, roles: ['admin', 'billing'] }
  const { body } = await service.api('POST', '/setuplinks', fields)
  const { pathname } = new URL((body.data as unknown as { url: string }).url)
  const shown = await browser.open(service, options)
  const create = (path: string, resource: object) => service.scim(directory, 'POST', path, resource)
  return { directory, ...shown, create, open: () => shown.page.goto(pathname) }
}

async function usersOf(directory: DirectoryView, count: number) {
  const { service } = opened()
  const ids: string[] = []
  for (let n = 1; n <= count; n += 1) {
    const { body } = await service.scim(directory, 'POST', '/Users', { userName: `user-${n}@acme.example` })
    ids.push(body.id)
  }
  return ids
}

const membersOf = (ids: readonly string[]) => ids.map((value) => ({ value }))

test('in German at 400 pixels, a customer gives a role to a group after its preview, and the product gets the event', async () => {
  const { directory, page, problems, create, open, close } = await openRoles('acme')
  await open()
  await page.getByRole('heading', { name: 'Rollen' }).waitFor()
  await page.getByText('Ihre Gruppen erscheinen hier nach der ersten Synchronisierung.').waitFor()
  const users = await usersOf(directory, 5)
  const { body: group } = await create('/Groups', { displayName: 'Entwicklung', members: membersOf(users) })
  await create('/Groups', { displayName: 'Vertrieb', members: [] })
  const role = page.getByRole('combobox', { name: 'Rolle von Entwicklung' })
  await role.waitFor()
  assert.equal(await role.locator('option').first().textContent(), 'Keine Rolle')
  await page.getByRole('link', { name: 'Rollen für Ihre Gruppen' }).focus()
  await page.keyboard.press('Enter')
  await role.focus()
  await role.selectOption('admin')
  const first = ['user-1', 'user-2', 'user-3'].map((name) => `${name}@acme.example`).join(', ')
  await page.getByText(`5 Personen erhalten „admin“: ${first} und 2 weitere.`).waitFor()
  assert.deepEqual(await accessibilityProblems(page), [])
  assert.equal(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), false)
  await page.emulateMedia({ colorScheme: 'dark' })
  assert.deepEqual(await accessibilityProblems(page, 'colors'), [])

  await page.getByRole('button', { name: 'Anwenden' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('Fertig. Die Rollen von 5 Personen haben sich geändert.').waitFor()
  await eventually('the role to be that of the group', async () => (await role.inputValue()) === 'admin')
  const focused = await page.evaluate('document.activeElement.getAttribute("aria-label")')
  assert.equal(focused, 'Rolle von Entwicklung', 'the focus is not lost')
  const { service } = opened()
  const { body } = await service.api('GET', `/feed?directoryId=${directory.id}`)
  const because = [{ role: 'admin', rule: `portal:${group.id}`, group: { id: group.id, name: 'Entwicklung' } }]
  const events = body.data as unknown as { event: string }[]
  assert.partialDeepStrictEqual(events.find(({ event }) => event === 'user.updated') ?? {}, {
    ...{ data: { id: users[0], roles: ['admin'] } },
    changes: { roles: { from: [], to: ['admin'], because } },
  })

  await page.getByRole('combobox', { name: 'Rolle von Vertrieb' }).selectOption('billing')
  await page.getByText('In dieser Gruppe ist noch niemand.').waitFor()
  await page.getByRole('button', { name: 'Abbrechen' }).click()
  await page.getByText('In dieser Gruppe ist noch niemand.').waitFor({ state: 'detached' })
  assert.deepEqual(problems, [])
  await close()
})

test('a preview warns in German that too few would keep a role, and says what happens then', async () => {
  const { directory, page, problems, create, open, close } = await openRoles('globex')
  const users = await usersOf(directory, 1)
  const { body: group } = await create('/Groups', { displayName: 'Administratoren', members: membersOf(users) })
  const rules = [{ id: `portal:${group.id}`, role: 'admin', when: { group: group.id } }]
  const mapping = { extends: 'product', roles: { keep_at_least: { admin: 1 }, rules } }
  await opened().service.api('PUT', `/${directory.id}/mapping`, { mapping })
  await eventually('the mapping to be applied', async () => {
    const { body } = await opened().service.api('GET', `/users/${users[0]}?directoryId=${directory.id}`)
    return String((body.data as unknown as { roles?: string[] }).roles) === 'admin'
  })
  await open()
  await page.getByRole('combobox', { name: 'Rolle von Administratoren' }).selectOption('')
  await page.getByText('1 Person verliert „admin“: user-1@acme.example.').waitFor()
  await page.getByText('Danach hätten weniger Personen „admin“, als Acme CRM verlangt.').waitFor()
  assert.deepEqual(await problemsInEveryLook(page), [])
  assert.deepEqual(problems, [])
  await close()
})

test('a customer with many groups searches them and reads them page by page; those that the link cannot change say so', async () => {
  const { directory, page, problems, create, open, close } = await openRoles('initech', { locale: 'en-US' })
  for (let n = 10; n < 35; n += 1) await create('/Groups', { displayName: `Team ${n}` })
  const { body: group } = await create('/Groups', { displayName: 'Set by the vendor' })
  const when = { group: group.id, filter: 'title pr' }
  const mapping = { roles: { rules: [{ id: `portal:${group.id}`, role: 'owner', when }] } }
  await opened().service.api('PUT', `/${directory.id}/mapping`, { mapping })
  await open()
  await page.getByText('Acme CRM has set this role.').waitFor()
  const choices = page.getByRole('combobox', { name: /^Role of/ })
  assert.equal(await choices.count(), 19)
  await page.getByRole('button', { name: 'Show more groups' }).click()
  await page.getByRole('combobox', { name: 'Role of Team 34' }).waitFor()
  assert.equal(await choices.count(), 25)
  await page.getByRole('searchbox', { name: 'Find a group' }).fill('33')
  await eventually('one group', async () => (await choices.count()) === 1)
  await page.getByRole('combobox', { name: 'Role of Team 33' }).waitFor()
  await page.getByRole('searchbox', { name: 'Find a group' }).fill('none')
  await page.getByText('No group has this name.').waitFor()
  assert.deepEqual(await accessibilityProblems(page), [])
  assert.deepEqual(problems, [])
  await close()
})
