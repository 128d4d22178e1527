import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { simulate } from '../../tools/simulate/simulate.ts'
import { accessibilityProblems, openBrowser, overflowAt, problemsInEveryLook } from '../support/browser.ts'
import { keyOf, openConsole, rootToken, show, signIn } from '../support/console.ts'
import { failed, statusWhen } from '../support/delivery.ts'
import { eventually } from '../support/eventually.ts'
import { runsAll } from '../support/extent.ts'
import { startReceiver } from '../support/receiver.ts'
import { forSuite, startTestService, testApiKey } from '../support/service.ts'

/** A service with a directory that Okta has provisioned, and a browser. */
const open = forSuite(async () => {
  await using opening = new AsyncDisposableStack()
  const service = opening.use(await startTestService('sqlite', { ADMIN_ROOT_TOKEN: rootToken }))
  const receiver = opening.use(await startReceiver())
  const browser = opening.use(await openBrowser())
  const directory = await service.createDirectory({ name: 'Acme: Okta', type: 'okta-scim-v2', ...receiver.endpoint })
  await service.api('PATCH', `/${directory.id}`, { log_webhook_events: true })
  const { scim } = directory
  const people = { users: 6, groups: 2, seed: 1, mailDomain: 'acme.example.com', offboardPercent: 20 }
  const { errorCount } = await simulate({
    ...people,
    dialect: 'okta',
    scimUrl: service.origin + scim.path,
    secret: scim.secret,
  })
  assert.equal(errorCount, 0)
  await statusWhen(service, directory.id, ({ undelivered }) => undelivered === 0)
  const { data: users } = (await service.api('GET', `/users?directoryId=${directory.id}`)).body
  const { data: requests } = (await service.api('GET', `/${directory.id}/requests?method=POST&pageLimit=1`)).body
  const { data: groups } = (await service.api('GET', `/groups?directoryId=${directory.id}`)).body
  const opened = opening.move()
  return {
    ...{ service, receiver, browser, directory, group: groups[0], requestId: requests[0]?.id },
    user: users[0] ?? assert.fail('no user'),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
})

/** Fills in the form of an admin. */
async function signInAsAdmin(page: Page): Promise<void> {
  await page.getByText('Admin', { exact: true }).click()
  await page.getByRole('textbox', { name: 'Your email address' }).fill('ada@example.com')
  await page.getByRole('textbox', { name: 'Root token' }).fill(rootToken)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
}

/** Every page, each with a text that appears after its data was read. */
function pages() {
  const { directory, user, group, requestId } = open()
  const root = `/directories/${directory.id}`
  return {
    '': 'Directories',
    '/directories': 'Acme: Okta',
    [`/tenant?name=${directory.tenant}`]: 'Nothing is held',
    [root]: 'Delivery of events',
    [`${root}/users/${user.id}`]: 'user.created',
    '/explain': 'Why did a user not arrive?',
    [`/explain?subject=${user.id}`]: 'What it is based on',
    [`${root}/users`]: user.email,
    [`${root}/adoption`]: 'No file is chosen.',
    [`${root}/groups`]: group?.name ?? '',
    [`${root}/groups/${group?.id}`]: 'group.created',
    [`${root}/requests`]: '/Users',
    [`${root}/requests/${requestId}`]: 'attempt 1',
    [`${root}/events`]: 'Live',
    [`${root}/events/1`]: 'Event 1',
    [`${root}/deliveries`]: 'user.created',
    [`${root}/dead-events`]: 'No dead events',
    [`${root}/hold`]: 'Nothing is held',
    [`${root}/roles`]: 'No mapping yet',
    '/roles?product=crm': 'No mapping yet',
    [`${root}/resync`]: 'No resync yet',
    [`${root}/oauth-clients`]: 'No OAuth clients yet',
    [`${root}/settings`]: 'For the identity provider',
    '/dead-events': 'No dead events',
    '/refused-requests': 'No refused requests',
    '/setup-links': 'No setup links',
    '/keys': 'No API keys yet',
    '/admins': 'ada@example.com',
    '/audit': 'API_KEYS 1',
    '/audit/1': 'Entry 1',
    '/configuration': 'DSYNC_WEBHOOK_TIMEOUT',
    '/no-such-page': 'There is no such page',
  }
}

/** What is wrong with the page in its looks, once it shows a text. */
async function problemsOf(page: Page, path: string, text: string): Promise<string[]> {
  await page.getByText(text).first().waitFor()
  const found = await problemsInEveryLook(page)
  return found.map((problem) => `${path}: ${problem}`)
}

test('every page works and is accessible, light and dark, from 320 pixels on, without sideways scrolling', async () => {
  const { service, browser } = open()
  const { page, problems, close } = await browser.open(service)
  await page.goto('/console')
  const found = await problemsOf(page, '', 'Sign in to Rollcall')
  await signInAsAdmin(page)
  for (const [path, text] of Object.entries(pages())) {
    await (runsAll ? page.goto(`/console${path}`) : show(page, path))
    found.push(...(await problemsOf(page, path, text)))
  }
  assert.deepEqual([...found, ...problems], [])
  await close()
})

test('the texts of buttons under the pointer are legible', async () => {
  const { page, close } = await openConsole(open())
  for (const [path, button] of [
    ['/directories', 'Clear filters'],
    [`/directories/${open().directory.id}/settings`, 'Delete the directory'],
  ] as const) {
    await show(page, path)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.getByRole('button', { name: button }).hover()
      assert.deepEqual(await accessibilityProblems(page, 'colors'), [], `${button}, ${colorScheme}`)
    }
  }
  await close()
})

test('a sign-in link opens the console once, and its code does not remain in the address', async () => {
  const { service, browser } = open()
  const link = service.signInLink() ?? assert.fail('no link on the embedded database')
  const path = link.slice(service.baseUrl.length)
  const { page, problems, close } = await browser.open(service)
  await page.goto(path)
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  assert.equal(page.url(), `${service.origin}/console`)
  await page.getByRole('button', { name: 'Your session' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { level: 1, name: 'Sign in to Rollcall' }).waitFor()
  await page.goto('about:blank')
  await page.goto(path)
  await page.getByText('This sign-in link is not valid').waitFor()
  assert.deepEqual(
    problems.filter((problem) => !problem.includes('about:blank')),
    [],
  )
  await close()
})

test('a setup link is created for a new directory, and its checklist is complete after Okta has provisioned it', async () => {
  const { service, browser } = open()
  const { page, problems, close } = await openConsole(open(), '/directories')
  await page.getByRole('button', { name: 'New directory' }).click()
  await page.getByRole('textbox', { name: 'Tenant' }).fill('initech')
  await page.getByRole('textbox', { name: 'Product' }).fill('crm')
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { level: 1, name: 'scim-initech-crm' }).waitFor()
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('button', { name: 'New setup link' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'New setup link' }).click()
  const url = (await page.getByText('/setup/').textContent()) ?? ''
  const portal = await browser.open(service)
  await portal.page.goto(new URL(url).pathname)
  await portal.page.getByRole('button', { name: 'Create a new token' }).click()
  await portal.page.getByRole('dialog').getByRole('button', { name: 'Create a new token' }).click()
  await portal.page.getByText('Copy the token now').waitFor()
  const [endpoint = '', secret = ''] = await portal.page.locator('.portal-value').allTextContents()
  const { errorCount } = await simulate({
    ...{ users: 6, groups: 2, seed: 2, mailDomain: 'initech.example.com', offboardPercent: 20, dialect: 'okta' },
    ...{ scimUrl: service.origin + new URL(endpoint).pathname, secret },
  })
  assert.equal(errorCount, 0)
  await portal.page.getByText('Everything works').waitFor()
  assert.deepEqual([...problems, ...portal.problems], [])
  await close()
  await portal.close()
})

test('a directory is created with the keyboard only, and appears in the list', async () => {
  const { service, browser } = open()
  const { page, problems, close } = await browser.open(service)
  const { keyboard } = page
  await page.goto('/console')
  await page.getByRole('textbox', { name: 'API key' }).focus()
  await keyboard.type(testApiKey)
  await keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  await keyboard.press('Tab')
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to the content')
  await pressUntil(page, 'Directories')
  await keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Directories' }).waitFor()
  await pressUntil(page, 'New directory')
  await keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  await keyboard.type('globex')
  await keyboard.press('Tab')
  await keyboard.type('crm')
  await keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'scim-globex-crm' }).waitFor()
  await page.getByRole('combobox', { name: 'Find a user' }).waitFor()
  await keyboard.press('/')
  await keyboard.type(open().user.email)
  await keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Explain' }).waitFor()
  await pressUntil(page, 'Explain')
  await page.getByText('Nobody found').or(page.getByText('Never sent')).waitFor()
  await show(page, `/explain?subject=${encodeURIComponent(open().user.email)}`)
  await page.getByRole('list', { name: 'What it is based on' }).waitFor()
  await page.getByRole('heading', { level: 2, name: 'Acme: Okta' }).waitFor()
  const { data } = (await service.api('GET', '/directories?search=globex')).body
  assert.equal(data.length, 1)
  assert.deepEqual(problems, [])
  await close()
})

/** Presses Tab until the element with this text has the focus. */
async function pressUntil(page: Page, text: string): Promise<void> {
  for (let presses = 0; presses < 40; presses += 1) {
    await page.keyboard.press('Tab')
    if ((await page.evaluate('document.activeElement.textContent')) === text) return
  }
  assert.fail(`Tab does not reach ${text}`)
}

test('the focus follows a link to the title of a page, the section or the part that it leads to', async () => {
  const { service } = open()
  // A name that runs from right to left, and one that is longer than its place.
  const [name, tenant] = ['שלום', `rtl-${'long'.repeat(45)}`]
  await service.createDirectory({ name, tenant, product: 'focus' })
  const { page, problems, close } = await openConsole(open(), '/?product=focus')
  const focused = async () => String(await page.evaluate('document.activeElement.textContent'))
  const focusIs = (text: string) => eventually(`the focus on ${text}`, async () => (await focused()).startsWith(text))
  await page.locator('.figure-card', { hasText: 'Need attention1' }).press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Directories' }).waitFor()
  await focusIs('Directories')
  await page.locator('td bdi', { hasText: tenant }).and(page.getByTitle(tenant)).waitFor()
  await page.getByRole('link', { name }).press('Enter')
  await page.locator('h1 bdi', { hasText: name }).waitFor()
  await focusIs(name)
  await page.getByRole('link', { name: 'Send a setup link' }).press('Enter')
  await page.waitForURL('**/settings#setup-link')
  await focusIs('Setup link')
  await page.getByRole('link', { name: 'Users' }).press('Enter')
  await page.getByText('No users yet').waitFor()
  assert.equal(await focused(), 'Users', 'a tab keeps the focus')
  assert.equal(await overflowAt(page, 320), 0)
  assert.deepEqual(problems, [])
  await close()
})

test('the page says that it is offline, and that a request takes long', async () => {
  const { service, browser } = open()
  // The clock of a page stays as it is.
  const { page, close } = await browser.open(service, {})
  await page.clock.install()
  await signIn(page, { api_key: testApiKey })
  await page.goto('/console')
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  await page.context().setOffline(true)
  await page.getByText('You are offline').waitFor()
  await page.context().setOffline(false)
  await page.getByText('You are offline').waitFor({ state: 'detached' })
  const answering = Promise.withResolvers<void>()
  await page.route('**/directory-sync/health?*', async (route) => {
    await answering.promise
    await route.continue()
  })
  const asked = page.waitForRequest('**/directory-sync/health?*')
  await page.getByRole('link', { name: 'Directories' }).first().click()
  await asked
  await page.clock.fastForward(5_000)
  await page.getByText('Still waiting for the service').waitFor()
  answering.resolve()
  await page.getByText('Still waiting for the service').waitFor({ state: 'detached' })
  await close()
})

test('every dialog with a form has a named close button', async () => {
  const { service, browser } = open()
  const { page, problems, close } = await browser.open(service)
  await signIn(page, { email: 'ada@example.com', root_token: rootToken })
  await page.goto('/console')
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  for (const [path, button] of [
    ['/directories', 'New directory'],
    ['/keys', 'New API key'],
    ['/setup-links', 'New setup link'],
  ] as const) {
    await show(page, path)
    await page.getByRole('button', { name: button }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).waitFor()
    assert.deepEqual(await accessibilityProblems(page), [])
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
  }
  assert.deepEqual(problems, [])
  await close()
})

test('somebody with an API key ends another sign-in with the key', async () => {
  const apiKey = await keyOf(open().service, { tenant: 'acme', readOnly: true })
  // This page does not poll: one that does may show that the session has ended before the click.
  const { page: lost, close: closeLost } = await openConsole(open(), '/setup-links', apiKey)
  const { page, problems, close } = await openConsole(open(), '', apiKey)
  await lost.getByRole('heading', { level: 1, name: 'Setup links' }).waitFor()
  await page.getByRole('link', { name: 'Sign-ins' }).click()
  await page.getByText('This is you').waitFor()
  await page.getByText('2 rows').waitFor()
  assert.deepEqual(await accessibilityProblems(page), [])
  await page.getByRole('button', { name: 'End', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'End', exact: true }).click()
  await page.getByText('1 row', { exact: true }).waitFor()
  await lost.getByRole('link', { name: 'Directories', exact: true }).click()
  await lost.getByText('Your session has ended').waitFor()
  assert.deepEqual(problems, [])
  await close()
  await closeLost()
})

test('the search box suggests users, groups and directories, and opens the page of the one that the keyboard chooses', async () => {
  const { user, group } = open()
  const { page, problems, close } = await openConsole(open())
  const box = page.getByRole('combobox', { name: 'Find a user' })
  const options = page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option')
  await box.waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type(user.email.slice(0, -3))
  await eventually('a single suggestion', async () => (await options.count()) === 1)
  await options.filter({ hasText: 'User' }).filter({ hasText: 'Acme: Okta · acme' }).waitFor()
  assert.deepEqual(await accessibilityProblems(page), [])
  await page.keyboard.press('ArrowDown')
  await page.getByRole('option', { selected: true }).waitFor()
  assert.equal(await box.getAttribute('aria-activedescendant'), await options.first().getAttribute('id'))
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/users/${user.id}`)
  await page.getByRole('heading', { level: 2, name: 'Groups' }).waitFor()
  const reads: string[] = []
  page.on('request', (sent) => reads.push(new URL(sent.url()).pathname))
  await box.fill(group?.name.toLowerCase() ?? assert.fail())
  await options.filter({ hasText: 'Group' }).first().click()
  await page.waitForURL(`**/groups/${group?.id}`)
  await page.getByRole('table', { name: 'Members' }).getByRole('link').first().waitFor()
  assert.equal(reads.filter((path) => path.includes('/directory-sync/users/')).length, 0, 'no request per member')
  await show(page, '/explain')
  const choice = page.getByRole('combobox', { name: 'Directory', exact: true })
  await choice.fill('okt')
  await options.filter({ hasText: 'Acme: Okta' }).click()
  await eventually('the name of the chosen directory', async () => (await choice.inputValue()) === 'Acme: Okta')
  assert.deepEqual(problems, [])
  await close()
})

test('the overview has the right figures for more directories than a page, each leading to the list that it counts', async () => {
  const { service } = open()
  const product = 'many'
  const names = Array.from({ length: 55 }, (_, n) => `many-${String(n).padStart(2, '0')}`)
  const directories = await Promise.all(names.map((name) => service.createDirectory({ product, tenant: name, name })))
  const wrong = directories.slice(0, 3).map(({ scim }) => ({ scim: { ...scim, secret: 'wrong' } }))
  for (const directory of wrong) {
    for (let count = 0; count < 5; count += 1) await service.scim(directory, 'GET', '/Users')
  }
  for (const directory of directories.slice(3, 7)) {
    await service.scim(directory, 'POST', '/Users', { userName: 'ann' })
  }
  const { page, problems, close } = await openConsole(open(), `/?product=${product}`)
  for (const figure of ['Directories55', 'Healthy4', 'Need attention48', 'Failing3', 'Held0', 'Overdue removals0']) {
    await page.locator('.figure-card', { hasText: figure }).waitFor()
  }
  await page.getByRole('img', { name: 'Last hour: 4 events' }).waitFor()
  await page.getByText('Last 30 days').click()
  const chart = page.getByRole('img', { name: 'Last 30 days: 4 events' })
  await chart.locator('.bars-period').last().hover()
  await chart.locator('dl', { hasText: 'failed deliveries' }).filter({ visible: true }).waitFor()
  await page.getByRole('link', { name: 'Wrong token' }).click()
  await page.getByText('3 rows').waitFor()
  assert.match(page.url(), /product=many&state=failing&reason=unauthorized/)
  await page.getByRole('combobox', { name: 'Reason' }).selectOption('')
  await page.getByText('All', { exact: true }).click()
  // The second page is read when the end of the list comes into view, which may have happened before the first one was laid out.
  await eventually('all rows, after scrolling to the end of the list', async () => {
    await page.evaluate('scrollTo(0, document.body.scrollHeight)')
    return page.getByText('55 rows').isVisible()
  })
  await page.getByRole('searchbox', { name: 'Search by name, tenant or id' }).fill('MANY-54')
  await page.getByText('1 row', { exact: true }).waitFor()
  assert.deepEqual([...problems, ...(await accessibilityProblems(page))], [])
  await close()
})

test('a key with a scope shows only its scope, and the pages for admins say that they need one', async () => {
  const { service } = open()
  await service.createDirectory({ tenant: 'other', name: 'Not for Acme' })
  const silent = await service.createDirectory({ name: 'Never connected' })
  const apiKey = await keyOf(service, { tenant: 'acme', readOnly: true })
  const { page, problems, close } = await openConsole(open(), '/directories', apiKey)
  await page.getByRole('link', { name: 'Acme: Okta' }).waitFor()
  assert.equal(await page.getByText('Not for Acme').count(), 0)
  assert.equal(await page.getByRole('button', { name: 'New directory' }).count(), 0)
  await show(page, '/keys')
  await page.getByText('Only admins see this').waitFor()
  await show(page, `/directories/${silent.id}`)
  await page.getByText('Send a setup link? You only read').waitFor()
  assert.equal(await page.getByRole('link', { name: 'Send a setup link' }).count(), 0)
  assert.deepEqual(problems, [])
  await close()
})

test('new events appear live, and a dead event is replayed', async () => {
  const { service, receiver } = open()
  const directory = await service.createDirectory({ name: 'Acme: Entra ID', ...receiver.endpoint })
  const { page, problems, close } = await openConsole(open(), `/directories/${directory.id}/events`)
  await page.getByText('No events yet').waitFor()
  receiver.answerWith(400)
  await service.scim(directory, 'POST', '/Users', { userName: 'late@acme.example.com' })
  await page.getByText('late@acme.example.com').waitFor()
  await failed(service, directory.id)
  await service.api('POST', `/${directory.id}/events/1/skip`, { reason: 'The CRM refuses it.' })
  receiver.answerWith(204)
  await show(page, `/directories/${directory.id}/dead-events`)
  await page.getByRole('button', { name: 'Replay' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Replay' }).click()
  await page.getByText('No dead events').waitFor()
  assert.deepEqual(problems, [])
  await close()
})

test('events are filtered by type, have addresses of their own, and are skipped with a reason while they block delivery', async () => {
  const { service, receiver } = open()
  const directory = await service.createDirectory({ name: 'Acme: blocked', ...receiver.endpoint })
  receiver.answer(({ sequence }) => (sequence === 1 ? 422 : 204))
  await service.scim(directory, 'POST', '/Users', { userName: 'first@acme.example.com' })
  await failed(service, directory.id)
  const { page, problems, close } = await openConsole(open(), `/directories/${directory.id}/events?event=user.deleted`)
  await page.getByText('No event matches').waitFor()
  await page.getByLabel('Event', { exact: true }).selectOption('user.created')
  await page.waitForURL('**/events?event=user.created')
  await page.getByRole('link', { name: '1', exact: true }).click()
  await page.waitForURL(`**/directories/${directory.id}/events/1`)
  await page.reload()
  assert.deepEqual(await accessibilityProblems(page), [])
  await page.getByRole('button', { name: 'Skip this event' }).click()
  const question = page.getByRole('dialog', { name: 'Skip event 1?' })
  assert.equal(await question.getByRole('button', { name: 'Skip this event' }).isDisabled(), true)
  await question.getByLabel('Reason').fill('The CRM cannot store this name.')
  await question.getByRole('button', { name: 'Skip this event' }).click()
  await statusWhen(service, directory.id, ({ dead_events: dead }) => dead === 1)
  await show(page, `/directories/${directory.id}/dead-events`)
  await page.getByText('Skipped: The CRM cannot store this name.').waitFor()
  receiver.answerWith(204)
  assert.deepEqual(problems, [])
  await close()
})

test('removals beyond the limit are held, and released after a confirmation that explains the effect', async () => {
  const { service, receiver } = open()
  const directory = await service.createDirectory({ name: 'Acme: held', ...receiver.endpoint })
  await service.api('PATCH', `/${directory.id}`, { removal_limit: { percent: 10, minimum: 1, window_seconds: 3600 } })
  const ids: string[] = []
  for (const userName of ['a', 'b', 'c', 'd'])
    ids.push((await service.scim(directory, 'POST', '/Users', { userName })).body.id)
  for (const id of ids.slice(0, 2)) await service.scim(directory, 'DELETE', `/Users/${id}`)
  const { page, problems, close } = await openConsole(open(), `/directories/${directory.id}/hold`)
  await page.getByText('Too many users were removed').waitFor()
  assert.deepEqual(await accessibilityProblems(page), [])
  await page.getByRole('button', { name: 'Release the events' }).click()
  const question = page.getByRole('dialog', { name: 'Release everything that is held?' })
  await question.getByText('This cannot be undone.').waitFor()
  await question.getByRole('button', { name: 'Release the events' }).click()
  await page.getByText('Nothing is held').waitFor()
  await statusWhen(service, directory.id, ({ undelivered }) => undelivered === 0)
  assert.deepEqual(problems, [])
  await close()
})

test('a hold that is discarded leads to the resync that is sent instead', async () => {
  const { service } = open()
  const removal_limit = { percent: 10, minimum: 0, window_seconds: 3600 }
  const directory = await service.createDirectory({ name: 'Acme: discarded', removal_limit })
  const { body } = await service.scim(directory, 'POST', '/Users', { userName: 'ann' })
  await service.scim(directory, 'DELETE', `/Users/${body.id}`)
  const { page, problems, close } = await openConsole(open(), `/directories/${directory.id}/hold`)
  await page.getByRole('button', { name: 'Discard and resync' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Discard and resync' }).click()
  await page.getByRole('link', { name: 'See the resync' }).click()
  await page.getByText('Last resync').waitFor()
  assert.deepEqual(problems, [])
  await close()
})

test('reasons to hold are released one by one, and none that came after the question was asked', async () => {
  const { service } = open()
  const removal_limit = { percent: 10, minimum: 1, window_seconds: 3600 }
  const directory = await service.createDirectory({ name: 'Acme: two reasons', removal_limit })
  const create = async (path: string, body: object) => (await service.scim(directory, 'POST', path, body)).body.id
  const users: string[] = []
  for (const userName of ['ann', 'bob', 'cleo', 'dan']) users.push(await create('/Users', { userName }))
  const admins = await create('/Groups', { displayName: 'Admins', members: [{ value: users[3] }] })
  const roles = { keep_at_least: { admin: 1 }, rules: [{ role: 'admin', when: { group_name: 'Admins' } }] }
  await service.api('PUT', `/${directory.id}/mapping`, { mapping: { roles } })
  const holdOf = async () => (await service.api('GET', `/${directory.id}/hold`)).body.data as { held?: unknown }
  await eventually('the administrator', async () => {
    const { body } = await service.api('GET', `/users?directoryId=${directory.id}&role=admin`)
    return (body.data as unknown as unknown[]).length === 1
  })
  await service.scim(directory, 'DELETE', `/Groups/${admins}`)
  const { page, problems, close } = await openConsole(open(), `/directories/${directory.id}/hold`)
  await page.getByText('a change left 0 users with it').waitFor()
  await page.getByRole('button', { name: 'Release the events' }).click()
  const question = page.getByRole('dialog', { name: 'Release everything that is held?' })
  await question.getByText('This cannot be undone.').waitFor()
  for (const id of users.slice(0, 2)) await service.scim(directory, 'DELETE', `/Users/${id}`)
  await question.getByRole('button', { name: 'Release the events' }).click()
  await question.getByText('held for another reason since').waitFor()
  assert.equal((await holdOf()).held, true)
  await page.keyboard.press('Escape')
  await page.getByText('Too many users were removed').waitFor()
  await page.getByRole('table', { name: 'Removed users' }).waitFor()
  assert.deepEqual(await accessibilityProblems(page), [])
  await page.getByRole('button', { name: 'Release this only' }).first().click()
  const one = page.getByRole('dialog', { name: 'Release the loss of the role?' })
  await one.getByRole('button', { name: 'Release this only' }).click()
  await page.getByText('Too few users would keep a role').waitFor({ state: 'detached' })
  await page.getByText('Too many users were removed').waitFor()
  assert.deepEqual(
    problems.filter((problem) => !problem.includes('409')),
    [],
  )
  await close()
})

test('an OAuth client is created, signs in with the secret that is shown once, and is deleted', async () => {
  const { service } = open()
  const directory = await service.createDirectory({ name: 'Acme: Entra ID' })
  const { page, problems, close } = await openConsole(open(), `/directories/${directory.id}/oauth-clients`)
  await page.getByRole('button', { name: 'New OAuth client' }).click()
  const form = page.getByRole('dialog', { name: 'New OAuth client' })
  await form.getByRole('textbox', { name: 'Name' }).fill('Entra ID')
  assert.deepEqual(await accessibilityProblems(page), [])
  await form.getByRole('button', { name: 'Create' }).click()
  const secret = await form.getByText(/^rcs_/).textContent()
  const clientId = await form.getByText(/^[\w-]{36}$/).textContent()
  assert.deepEqual(await accessibilityProblems(page), [])
  await form.getByRole('button', { name: 'Close' }).last().click()
  const body = new URLSearchParams({ client_id: clientId ?? '', client_secret: secret ?? '' })
  body.set('grant_type', 'client_credentials')
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const issued = await service.request('POST', '/api/scim/oauth/token', { headers, body: body.toString() })
  assert.equal(issued.status, 200, issued.text)
  await page.getByRole('cell', { name: 'Entra ID' }).waitFor()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No OAuth clients yet').waitFor()
  await page.getByRole('switch', { name: 'Refuse the token' }).click()
  await page.getByText('Saved').first().waitFor()
  const { body: changed } = await service.api('GET', `/${directory.id}`)
  assert.equal(changed.data.scim_auth, 'oauth')
  assert.deepEqual(problems, [])
  await close()
})

test('Enter on a family name lists whom the suggestions show, each with a link to what is known', async () => {
  const { service } = open()
  const directory = await service.createDirectory({ name: 'Of the Jensens', tenant: 'jensen' })
  for (const given of ['Mia', 'Noah'])
    await service.scim(directory, 'POST', '/Users', {
      userName: `${given.toLowerCase()}@jensen.example`,
      name: { givenName: given, familyName: 'Jensenius' },
    })
  const { page, problems, close } = await openConsole(open(), '')
  const box = page.getByRole('banner').getByRole('combobox')
  await box.fill('jenseni')
  await page.getByRole('option', { name: 'Noah' }).waitFor()
  await box.press('Enter')
  await page.getByRole('heading', { level: 2, name: '2 people match' }).waitFor()
  assert.equal(await page.getByText('Nobody found').count(), 0)
  assert.deepEqual(await accessibilityProblems(page), [])
  await page.getByRole('listitem').filter({ hasText: 'mia@jensen.example' }).getByRole('link').click()
  await page.getByText(/^The new user mia@jensen\.example .* was received/).waitFor()
  await page.getByText('Set an endpoint for the events of the directory').waitFor()
  assert.deepEqual(problems, [])
  await close()
})

test('a form that the service refuses says what to enter, and the first wrong field has the focus', async () => {
  const { page, close } = await openConsole(open(), '/directories?new')
  const form = page.getByRole('dialog')
  const tenant = form.getByRole('textbox', { name: 'Tenant' })
  await form.getByRole('textbox', { name: 'Product' }).fill('crm')
  await tenant.fill('a:b')
  await form.getByRole('button', { name: 'Create' }).click()
  await form.getByText('Enter a tenant of at most 200 characters, without a colon.').waitFor()
  assert.equal(await page.evaluate('document.activeElement.labels?.[0].textContent'), 'Tenant *')
  assert.deepEqual(await accessibilityProblems(page), [])
  await close()
})

test('of two users with a name one is chosen, and the advice about them is a button for those who may write', async () => {
  const { service, receiver } = open()
  const [first, paused] = [
    await service.createDirectory({ name: 'First of two', tenant: 'pair', ...receiver.endpoint }),
    await service.createDirectory({ name: 'Second of two', tenant: 'pair', product: 'mail', ...receiver.endpoint }),
  ]
  await service.api('POST', `/${paused.id}/pause`)
  for (const directory of [first, paused])
    await service.scim(directory, 'POST', '/Users', { userName: 'twin@pair.example' })
  const apiKey = await keyOf(service, { tenant: 'pair', readOnly: true })
  const { page, problems, close } = await openConsole(open(), '/explain?subject=twin%40pair.example', apiKey)
  await page.getByRole('heading', { level: 2, name: 'Who is meant?' }).waitFor()
  await page.getByText('2 directories searched.').waitFor()
  assert.deepEqual(await accessibilityProblems(page), [])
  await page.getByRole('listitem').filter({ hasText: 'Second of two' }).getByRole('link').first().click()
  await page.getByText('You only read: ask somebody').waitFor()
  await signIn(page, { api_key: testApiKey })
  await page.goto('/console/explain?subject=twin%40pair.example')
  await page.getByRole('listitem').filter({ hasText: 'Second of two' }).getByRole('link').first().click()
  await page.getByText('Only in Second of two').waitFor()
  await page.getByRole('button', { name: 'Resume delivery' }).click()
  await page.getByRole('button', { name: 'Resume delivery' }).waitFor({ state: 'detached' })
  await statusWhen(service, paused.id, ({ undelivered }) => undelivered === 0)
  await page.getByRole('link', { name: 'Ask in all directories' }).click()
  await page.getByRole('heading', { level: 2, name: 'Who is meant?' }).waitFor()
  assert.deepEqual(problems, [])
  await close()
})
