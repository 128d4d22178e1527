import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { accessibilityProblems, browserForSuite, problemsInEveryLook } from '../support/browser.ts'
import { keyOf, openConsole, rootToken, show } from '../support/console.ts'
import { eventually } from '../support/eventually.ts'

const opened = browserForSuite({ ADMIN_ROOT_TOKEN: rootToken })

/** A directory with Ann and Bob in the group Engineering, and Cid, a contractor. */
async function createDirectory(product: string) {
  const { service } = opened()
  const directory = await service.createDirectory({ name: `Acme: ${product}`, product })
  const users: Record<string, string> = {}
  for (const name of ['ann', 'bob', 'cid']) {
    const userType = name === 'cid' ? 'Contractor' : 'Employee'
    const body = { userName: `${name}@acme.example`, active: true, title: 'Engineer', userType }
    users[name] = String((await service.scim(directory, 'POST', '/Users', body)).body['id'])
  }
  const members = [users['ann'], users['bob']].map((value) => ({ value }))
  const group = await service.scim(directory, 'POST', '/Groups', { displayName: 'Engineering', members })
  return { directory, ann: users['ann'] ?? '', groupId: String(group.body['id']) }
}

/** What the tests read of a mapping or a user. */
interface Shown {
  readonly run: { readonly state: string } | null
  readonly version: number
  readonly mapping: { readonly roles: { readonly rules: unknown } }
  readonly roles: readonly string[]
  readonly attributes: unknown
}

async function read(path: string): Promise<Shown> {
  return (await opened().service.api('GET', path)).body.data as unknown as Shown
}

/** What went wrong besides the refusals that the page shows. */
function unexpected(problems: readonly string[]): string[] {
  return problems.filter((problem) => !/status of 4(00|09)/.test(problem))
}

/** The rules of the draft, or of the mapping in effect. */
function ruleOf(page: Page, id: string): Locator {
  return page
    .getByRole('list', { name: 'Rules' })
    .getByRole('listitem')
    .filter({ has: page.getByText(id, { exact: true }) })
}

/** Replaces a mapping, and waits until every user has been evaluated. */
async function putMapping(directoryId: string, mapping: object): Promise<void> {
  const { service } = opened()
  await service.api('PUT', `/${directoryId}/mapping`, { mapping })
  const path = `/${directoryId}/mapping`
  await eventually('the end of the run', async () => (await read(path)).run?.state === 'completed')
}

const admins = { id: 'admins', role: 'admin', when: { group_name: 'Engineering' } }

test('a rule is made with its preview, applied, and seen with the user and in the events', async () => {
  const { directory, ann, groupId } = await createDirectory('made')
  const root = `/directories/${directory.id}`
  const { page, problems, close } = await openConsole(opened(), `${root}/roles`)
  await page.getByText('No mapping yet').waitFor()
  await page.getByRole('button', { name: 'Create a mapping' }).click()
  await page.getByText('Nothing changes for any of 3 users.').waitFor()

  await page.getByRole('button', { name: 'Add a rule' }).click()
  await page.getByRole('combobox', { name: 'Effect' }).waitFor()
  await page.getByLabel('Role', { exact: true }).fill('admin')
  const group = page.getByRole('combobox', { name: 'Group, by its name' })
  await group.fill('eng')
  await page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option', { name: 'Engineering' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  assert.equal(await group.inputValue(), 'Engineering')
  await page.getByText('2 of 3 users change.').waitFor()
  await page.getByRole('row', { name: 'admin +2 –' }).waitFor()
  const changed = page.getByRole('table', { name: 'Users who change' })
  await changed
    .getByRole('row', { name: /ann@acme.example.*no role.*admin because group Engineering, rule r1/ })
    .waitFor()
  assert.deepEqual(await problemsInEveryLook(page), [])

  await page.getByRole('button', { name: 'Add a rule' }).click()
  await page.getByLabel('Role', { exact: true }).fill('billing')
  await group.fill('Nobody')
  await ruleOf(page, 'r2').getByText('there is no group named Nobody').waitFor()
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  const filter = page.getByRole('combobox', { name: 'Filter' })
  await filter.fill('name.givnName eq "Ann"')
  await filter.blur()
  await ruleOf(page, 'r2').getByText('Did you mean name.givenName?').waitFor()
  assert.equal(await filter.getAttribute('aria-invalid'), 'true')
  await page.getByText('Complete or correct the draft to see what it would do.').waitFor()
  assert.deepEqual(await accessibilityProblems(page), [])
  await filter.fill('userT')
  await page.getByRole('option', { name: 'userType 3 users: Employee, Contractor' }).click()
  assert.equal(await filter.inputValue(), 'userType ')

  // Its group by its id: the name is typed, and the rule moves before the other one.
  await page.getByRole('button', { name: 'Remove: Filter' }).click()
  await page.getByRole('button', { name: 'Remove: Group, by its name' }).click()
  await page.getByRole('button', { name: 'Group, by its id' }).click()
  await page.getByRole('combobox', { name: 'Group, by its id' }).fill('engin')
  await page.getByRole('option', { name: groupId }).click()
  await page.getByRole('button', { name: 'Move up: Rule r2' }).click()
  await page.getByRole('row', { name: 'billing +2 –' }).waitFor()
  assert.equal(
    await page.evaluate('document.activeElement.ariaLabel'),
    'Move down: Rule r2',
    'the focus moves with the rule',
  )
  await page.getByRole('button', { name: 'Apply' }).click()

  await page.getByText('Version 1 is in effect. 2 users change: 2 gain admin; 2 gain billing.').waitFor()
  await page.getByText('3 of 3 users evaluated, 2 changed').waitFor()
  await ruleOf(page, 'r2').getByRole('link', { name: 'Engineering' }).waitFor()
  assert.deepEqual(await problemsInEveryLook(page), [])
  const { mapping } = await read(`/${directory.id}/mapping`)
  assert.deepEqual(mapping.roles.rules, [
    { id: 'r2', role: 'billing', when: { group: groupId } },
    { id: 'r1', role: 'admin', when: { group_name: 'Engineering' } },
  ])

  await show(page, `${root}/users/${ann}`)
  await page.getByText('because group Engineering, rule r1', { exact: true }).waitFor()
  await page.getByText('admin because group Engineering, rule r1; billing because').waitFor()
  await show(page, `${root}/events?event=user.updated`)
  await page.getByRole('table').getByRole('link').first().click()
  await page.getByText('admin because group Engineering, rule r1; billing because').waitFor()
  const payload = await page.getByRole('region', { name: 'Payload' }).textContent()
  const { changes } = JSON.parse(payload ?? '')
  assert.deepEqual([changes.roles.from, changes.roles.to], [[], ['admin', 'billing']])
  assert.deepEqual(changes.roles.because[0], { role: 'admin', rule: 'r1', group: { id: groupId, name: 'Engineering' } })
  assert.deepEqual(unexpected(problems), [])
  await close()
})

test('a new rule is complained about when a field was left or the draft is applied, not before', async () => {
  const { directory } = await createDirectory('complained')
  const { page, problems, close } = await openConsole(opened(), `/directories/${directory.id}/roles`)
  await page.getByRole('button', { name: 'Create a mapping' }).click()
  await page.getByRole('button', { name: 'Add a rule' }).click()
  await page.getByText('Complete or correct the draft to see what it would do.').waitFor()
  const role = page.getByLabel('Role', { exact: true })
  assert.equal(await page.locator('[aria-invalid="true"]').count(), 0)
  await role.focus()
  await role.press('Tab')
  await page.getByText('Enter a role.').waitFor()
  assert.equal(await page.getByText('Enter the name of a group.').count(), 0)
  await page.getByRole('button', { name: 'Done: Rule r1' }).click()
  await page.getByRole('button', { name: 'Apply' }).click()
  await page.getByText('Enter the name of a group.').waitFor()
  const focused = () => page.evaluate('document.activeElement.labels?.[0]?.textContent')
  await eventually('the focus on the role', async () => (await focused()) === 'Role')
  assert.deepEqual(await accessibilityProblems(page), [])
  await page.getByRole('button', { name: 'Apply' }).click()
  await eventually('the focus on the role of the open rule', async () => (await focused()) === 'Role')
  await page.getByRole('button', { name: 'Add a rule' }).click()
  await ruleOf(page, 'r1').getByText('Enter a role.').waitFor()
  assert.equal(await page.locator('[aria-invalid="true"]').count(), 0)
  assert.deepEqual(unexpected(problems), [])
  await close()
})

test('a change that takes a role is asked for, and the version before it is restored with one button', async () => {
  const { directory, ann } = await createDirectory('restored')
  await putMapping(directory.id, { roles: { default: ['member'], keep_at_least: { admin: 1 }, rules: [admins] } })
  const { page, problems, close } = await openConsole(opened(), `/directories/${directory.id}/roles`)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByText('JSON', { exact: true }).click()
  const json = page.getByRole('textbox', { name: 'The mapping as JSON' })
  await json.fill('{"roles": {"rules": [')
  await page.getByText('This is not JSON').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Apply' }).isDisabled(), true)
  const nobody = { ...admins, when: { filter: 'userType eq "Boss"' } }
  await json.fill(JSON.stringify({ roles: { default: ['member'], keep_at_least: { admin: 1 }, rules: [nobody] } }))
  await page.getByText('Form', { exact: true }).click()
  await ruleOf(page, 'admins').getByText('matches no active user').waitFor()
  await page.getByText('0 users have the role admin; 1 must keep it.').waitFor()
  await page.getByRole('button', { name: 'Apply' }).click()
  const question = page.getByRole('dialog', { name: 'Apply this mapping?' })
  await question.getByText('2 users change: 2 lose admin; 2 gain member.').waitFor()
  await question.getByText('1 must keep it. The events would be held').waitFor()
  assert.deepEqual(await accessibilityProblems(page), [])
  await question.getByRole('button', { name: 'Apply' }).click()
  await page.getByText('3 of 3 users evaluated, 2 changed').waitFor()

  await page.getByRole('button', { name: 'Show the history' }).click()
  const versions = page.getByRole('list', { name: 'History' })
  await versions.getByText('admin if in the group Engineering').first().waitFor()
  await versions.getByText('admin if userType eq "Boss"').waitFor()
  assert.deepEqual(await problemsInEveryLook(page), [])
  await page.getByRole('button', { name: 'Restore this version: 1' }).click()
  await question.getByText('2 users change: 2 gain admin; 2 lose member.').waitFor()
  await question.getByRole('button', { name: 'Apply' }).click()
  await versions.getByText('Version 3').waitFor()
  const rolesOfAnn = async () => (await read(`/users/${ann}?directoryId=${directory.id}`)).roles
  await eventually('the role of Ann', async () => (await rolesOfAnn()).includes('admin'))
  assert.deepEqual(unexpected(problems), [])
  await close()
})

test('whoever edits a mapping that somebody else has changed meanwhile looks at the differences, and decides', async () => {
  const { directory } = await createDirectory('conflict')
  await putMapping(directory.id, { roles: { rules: [admins] } })
  const { page, problems, close } = await openConsole(opened(), `/directories/${directory.id}/roles`)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('button', { name: 'Edit: Rule admins' }).click()
  await page.getByLabel('Role', { exact: true }).fill('owner')
  await page.getByText('2 of 3 users change.').waitFor()
  await putMapping(directory.id, { roles: { default: ['guest'], rules: [admins] } })
  await page.getByRole('button', { name: 'Apply' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click()
  await page.getByText('Somebody else has changed the mapping: version 2 is in effect now').waitFor()
  await page.getByRole('button', { name: 'Look at theirs' }).click()
  await page.getByText('owner if in the group Engineering').waitFor()
  await page.getByText('guest', { exact: true }).first().waitFor()
  assert.deepEqual(await accessibilityProblems(page), [])
  const inEffect = async () => (await read(`/${directory.id}/mapping`)).version
  assert.equal(await inEffect(), 2, 'nothing was applied')
  await page.getByRole('button', { name: 'Keep my draft to replace theirs' }).click()
  await page.getByRole('button', { name: 'Apply' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click()
  await eventually('the draft in effect', async () => (await inEffect()) === 3)
  assert.deepEqual(unexpected(problems), [])
  await close()
})

test('an answer about an earlier draft does not take the place of a later one', async () => {
  const { directory } = await createDirectory('typed')
  const { page, close } = await openConsole(opened(), `/directories/${directory.id}/roles`)
  const answering = Promise.withResolvers<void>()
  await page.route('**/mapping/preview*', async (route) => {
    if (route.request().postData()?.includes('"slow"')) await answering.promise
    await route.continue()
  })
  await page.getByRole('button', { name: 'Create a mapping' }).click()
  await page.getByRole('button', { name: 'Add a role' }).first().click()
  const role = page.getByRole('textbox', { name: 'Role', exact: true })
  const asked = page.waitForRequest((sent) => sent.postData()?.includes('"slow"') === true)
  await role.fill('slow')
  await asked
  await role.fill('fast')
  await page.getByRole('row', { name: 'fast +3 –' }).waitFor()
  const answered = page.waitForResponse((sent) => sent.request().postData()?.includes('"slow"') === true)
  answering.resolve()
  await answered
  await page.getByRole('row', { name: 'fast +3 –' }).waitFor()
  assert.equal(await page.getByRole('row', { name: /slow/ }).count(), 0)
  await page.getByRole('link', { name: 'Users' }).click()
  const question = page.getByRole('dialog', { name: 'Leave the page without applying the draft?' })
  await question.getByRole('button', { name: 'Leave' }).click()
  await page.getByRole('link', { name: 'ann@acme.example' }).waitFor()
  await close()
})

test('a directory inherits the mapping of its product, extends it, and follows it again', async () => {
  const { directory, ann } = await createDirectory('inherited')
  const { page, problems, close } = await openConsole(opened(), '/directories?product=inherited')
  await page.getByRole('link', { name: 'Mapping of the product inherited' }).click()
  await page.getByRole('heading', { level: 1, name: 'Mapping of the product inherited' }).waitFor()
  await page.getByRole('button', { name: 'Create a mapping' }).click()
  assert.equal(await page.getByRole('checkbox').count(), 0, 'the mapping of a product extends none')
  await page.getByRole('button', { name: 'Add an attribute' }).click()
  await page.getByLabel('Name', { exact: true }).fill('domain')
  await page.getByRole('combobox', { name: 'Source 1' }).fill('userN')
  await page.getByRole('option', { name: 'userName' }).click()
  await page.getByRole('button', { name: 'Add a step' }).click()
  await page.getByRole('combobox', { name: 'Step 1' }).selectOption('after')
  await page.getByRole('textbox', { name: 'Step 1: Text' }).fill('@')
  await page.getByText('domain changes for 3 users.').waitFor()
  assert.deepEqual(await problemsInEveryLook(page), [])
  await page.getByRole('button', { name: 'Apply' }).click()
  await page.getByText('Each directory that has this mapping').waitFor()

  await show(page, `/directories/${directory.id}/roles`)
  await page.getByText('This directory uses the mapping of its product.').waitFor()
  assert.deepEqual(await accessibilityProblems(page), [])
  await page.getByRole('button', { name: 'Create its own mapping' }).click()
  const extend = page.getByRole('checkbox', { name: 'On top of the mapping of the product inherited' })
  assert.equal(await extend.isChecked(), true)
  await page.getByRole('button', { name: 'Add a role' }).first().click()
  await page.getByRole('textbox', { name: 'Role', exact: true }).fill('member')
  await page.getByRole('row', { name: 'member +3 –' }).waitFor()
  await page.getByRole('button', { name: 'Apply' }).click()
  const ofProduct = page.locator('section', { hasText: 'From the mapping of the product' })
  await ofProduct.getByText('userName; what is after “@”').waitFor()
  await page.getByRole('link', { name: 'member' }).click()
  await page.getByText('3 rows').waitFor()
  assert.deepEqual(await problemsInEveryLook(page), [])
  await page.getByRole('combobox', { name: 'Role' }).selectOption('')
  await page.getByRole('link', { name: 'ann@acme.example' }).click()
  await page.getByText('because there is no other role', { exact: true }).waitFor()
  await page
    .getByRole('definition')
    .filter({ hasText: /^acme\.example$/ })
    .waitFor()

  await show(page, `/directories/${directory.id}/roles`)
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  const question = page.getByRole('dialog', { name: 'Remove this mapping?' })
  await question.getByText('3 users change: 3 lose member.').waitFor()
  assert.deepEqual(await accessibilityProblems(page), [])
  await question.getByRole('button', { name: 'Remove' }).click()
  await page.getByText('This directory uses the mapping of its product.').waitFor()
  const shown = () => read(`/users/${ann}?directoryId=${directory.id}`)
  await eventually('Ann without a role', async () => (await shown()).roles.length === 0)
  assert.deepEqual((await shown()).attributes, { domain: 'acme.example' })
  assert.deepEqual(unexpected(problems), [])
  await close()
})

test('a read-only key sees the mapping, its history, and why users have and are denied roles, without buttons to change them', async () => {
  const { service } = opened()
  const { directory, ann } = await createDirectory('read')
  const denied = { id: 'no-employees', deny: 'admin', when: { filter: 'userType eq "Employee"' } }
  await putMapping(directory.id, { roles: { rules: [admins, denied, { ...admins, id: 'b', role: 'billing' }] } })
  const apiKey = await keyOf(service, { tenant: directory.tenant, readOnly: true })
  const { page, problems, close } = await openConsole(opened(), `/directories/${directory.id}/roles`, apiKey)
  await page.getByText('You are signed in with a read-only key.').waitFor()
  let isRunning = true
  await page.route('**/mapping', async (route) => {
    if (!isRunning) return route.continue()
    const response = await route.fetch()
    const { data, ...rest } = await response.json()
    const run = { ...data.run, state: 'running', evaluated: 1, completed_at: null }
    await route.fulfill({ response, json: { ...rest, data: { ...data, run } } })
  })
  await page.reload()
  await page.getByText('1 of 3 users evaluated').waitFor()
  await page.getByRole('progressbar', { name: 'Users evaluated with the new mapping' }).waitFor()
  assert.deepEqual(await accessibilityProblems(page), [])
  isRunning = false
  await page.getByText('3 of 3 users evaluated').waitFor()
  await page.getByRole('button', { name: 'Show the history' }).click()
  await page.getByText('Version 1').waitFor()
  for (const name of ['Edit', 'Remove', 'Restore this version']) {
    assert.equal(await page.getByRole('button', { name }).count(), 0, name)
  }
  await show(page, `/directories/${directory.id}/users/${ann}`)
  await page.getByText('Denied: admin').waitFor()
  await page.getByText('because userType eq "Employee", rule no-employees', { exact: true }).waitFor()
  assert.deepEqual(await problemsInEveryLook(page), [])
  await show(page, '/roles?product=read')
  await page.getByText('You do not have permission to see this').waitFor()
  assert.deepEqual(problems, [])
  await close()
})
