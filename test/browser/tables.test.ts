import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { accessibilityProblems, openBrowser, overflowAt } from '../support/browser.ts'
import { openConsole, show } from '../support/console.ts'
import { statusOf } from '../support/delivery.ts'
import { forSuite, startTestService } from '../support/service.ts'

const longName = 'Contoso International Holdings Europe GmbH & Co. KG, Featherstonehaugh-Cholmondeley'

/** A service with directories of two tenants, whose delivery is paused. */
const open = forSuite(async () => {
  await using opening = new AsyncDisposableStack()
  const service = opening.use(await startTestService('sqlite'))
  const browser = opening.use(await openBrowser())
  const directories = []
  for (const [n, tenant] of ['contoso', 'contoso', 'fabrikam'].entries()) {
    const endpoint = { webhook_url: 'http://127.0.0.1:9/hooks' }
    const directory = await service.createDirectory({ tenant, name: `${longName} ${n}`, ...endpoint })
    await service.scim(directory, 'GET', '/Users')
    await service.api('POST', `/${directory.id}/pause`)
    directories.push(directory)
  }
  const opened = opening.move()
  return { service, browser, directories, [Symbol.asyncDispose]: () => opened.disposeAsync() }
})

/** Spacing that makes the packaged font as wide and as narrow as those of other systems; the security policy allows such style sheets. */
const fonts = { wide: '0.06em', usual: 'normal', narrow: '-0.04em' } as const

async function setFont(page: Page, font: keyof typeof fonts): Promise<void> {
  await page.evaluate(`(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('* { letter-spacing: ${fonts[font]} !important }')
    document.adoptedStyleSheets = [sheet]
  })()`)
}

/** What is cut off on the page, stands beside what it belongs to, or is larger than its text. */
const cutOff = `(() => {
  const isCut = (element) => element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1
  const found = [...document.querySelectorAll('.data-table .name, .status .mantine-Badge-label')].filter(isCut)
  const tables = [...document.querySelectorAll('.data-table')].filter(({ offsetWidth, parentElement }) => offsetWidth > parentElement.clientWidth)
  const reasons = [...document.querySelectorAll('.status + .muted')].filter((reason) => {
    const [below, above] = [reason, reason.previousElementSibling].map((element) => element.getBoundingClientRect())
    return below.top < above.bottom || Math.abs(below.left - above.left) > 1
  })
  const tabs = [...document.querySelectorAll('.tabs')].filter((tabs) => innerWidth > 640 && isCut(tabs))
  const stretched = [...document.querySelectorAll('.status')].filter((badge) =>
    badge.offsetHeight > Math.max(22, badge.querySelector('.mantine-Badge-label').offsetHeight + 4))
  return [...found, ...tables, ...reasons, ...tabs, ...stretched].map(({ className, textContent }) => className + ': ' + textContent)
})()`

test('badges, names, reasons and tabs are whole and in their place, in wide and narrow fonts', async () => {
  const { directories } = open()
  const { page, close } = await openConsole(open(), '/directories')
  const found: string[] = []
  for (const [path, text] of [
    ['/', 'Worst first'],
    ['/directories', longName],
    [`/directories/${directories[0]?.id}/users`, 'No users yet'],
  ] as const) {
    await show(page, path)
    await page.getByText(text).last().waitFor()
    for (const font of ['wide', 'narrow'] as const) {
      await setFont(page, font)
      for (const width of [1280, 800, 390, 320]) {
        if ((await overflowAt(page, width)) > 0) found.push(`${path}, ${font}, ${width}: too wide`)
        const cut: string[] = await page.evaluate(cutOff)
        found.push(...cut.map((problem) => `${path}, ${font}, ${width}: ${problem}`))
      }
    }
    await setFont(page, 'usual')
  }
  assert.deepEqual(found, [])
  await close()
})

test('all directories of a filter are resumed at once, with their number, and those that fail are listed', async () => {
  const { service, directories } = open()
  const { page, close } = await openConsole(open(), '/directories?reason=delivery-paused')
  await page.getByRole('button', { name: 'Select all 3' }).click()
  await page.getByText('3 directories selected').waitFor()
  await page.getByRole('checkbox', { name: `Select ${longName} 1` }).uncheck()
  await page.getByText('2 directories selected').waitFor()
  assert.deepEqual(await accessibilityProblems(page), [])
  await page.getByRole('button', { name: 'Select none' }).click()
  const [, , gone] = directories
  let release = () => {}
  const seen = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/delivery/resume', async (route) => {
    await seen
    await service.api('DELETE', `/${gone?.id}`)
    await route.continue()
  })
  await page.getByRole('button', { name: 'Resume delivery of all 3' }).click()
  const dialog = page.getByRole('dialog', { name: 'Resume delivery of 3 directories?' })
  await dialog.getByRole('button', { name: 'Resume delivery of all 3' }).click()
  await page.getByText('0 of 3 done').waitFor()
  release()
  const outcome = page.getByRole('status').filter({ hasText: 'Done for 2 of 3 directories.' })
  await outcome.getByText(`${longName} 2`).waitFor()
  await page.getByText('No directory matches').waitFor()
  for (const { id } of directories.slice(0, 2)) assert.notEqual((await statusOf(service, id)).state, 'paused')
  assert.deepEqual(await accessibilityProblems(page), [])
  await close()
})

test('users of a directory are counted, filtered by state and sorted', async () => {
  const { service } = open()
  const directory = await service.createDirectory({ name: 'sorted' })
  for (const [userName, active] of [
    ['cem@example.com', true],
    ['ann@example.com', false],
    ['bob@example.com', true],
  ] as const)
    await service.scim(directory, 'POST', '/Users', { userName, active })
  const { page, close } = await openConsole(open(), `/directories/${directory.id}/users`)
  await page.getByText('3 rows').waitFor()
  await page.getByRole('combobox', { name: 'Order' }).selectOption({ label: 'By userName, Z to A' })
  const first = page.getByRole('row').nth(1)
  await first.getByRole('link', { name: 'cem@example.com' }).waitFor()
  await page.getByText('Inactive', { exact: true }).first().click()
  await page.getByText('1 row', { exact: true }).waitFor()
  await first.getByRole('link', { name: 'ann@example.com' }).waitFor()
  assert.equal(new URL(page.url()).search, '?sort=name-descending&active=false')
  await close()
})

test('the page of a tenant, to which its name leads, has only what belongs to it', async () => {
  const { service } = open()
  const tenant = 'globex & sons'
  const directory = await service.createDirectory({ tenant, name: 'Globex: Okta' })
  await service.scim(directory, 'POST', '/Users', { userName: 'hank@globex.example', displayName: 'Hank Scorpio' })
  await service.api('POST', '/setuplinks', { tenant, product: 'crm' })
  const { page, problems, close } = await openConsole(open(), `/directories/${directory.id}`)
  await page.getByRole('link', { name: tenant }).click()
  await page.getByRole('heading', { level: 1, name: tenant }).waitFor()
  await page.getByText('1 user, 0 of them inactive, and 0 groups.').waitFor()
  await page.getByText('Nothing is held').waitFor()
  await page.getByText('Not opened yet').waitFor()
  await page.getByRole('table', { name: 'Last changes' }).getByText('hank@globex.example').waitFor()
  await page.locator('#content').getByRole('searchbox').fill('scorp')
  await page.getByRole('link', { name: 'Hank Scorpio' }).waitFor()
  assert.equal(await page.getByText('contoso').count(), 0)
  assert.deepEqual([...(await accessibilityProblems(page)), ...problems], [])
  await close()
})
