import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openBrowser } from '../support/browser.ts'
import { openConsole, show } from '../support/console.ts'
import { forSuite, startTestService } from '../support/service.ts'

/** A service with a directory, and a page of its console. */
const opened = forSuite(async () => {
  await using opening = new AsyncDisposableStack()
  const service = opening.use(await startTestService('sqlite'))
  const browser = opening.use(await openBrowser())
  const directory = await service.createDirectory({ name: 'Acme: Okta' })
  const shown = await openConsole({ service, browser })
  const open = opening.move()
  return { ...shown, directory, [Symbol.asyncDispose]: () => open.disposeAsync() }
})

/**
 * Code for the page. `event` dispatches an event and then runs microtasks only: React has not rendered yet what it
 * schedules at low priority, as on a busy machine.
 */
const atOnce = `
  const event = async (element, type) => {
    element.dispatchEvent(new Event(type, { bubbles: true }))
    for (let turn = 0; turn < 100; turn += 1) await Promise.resolve()
  }
  const valueOf = (element) => Object.getOwnPropertyDescriptor(Object.getPrototypeOf(element), 'value')
`

/** Types a text into the first search box letter by letter, and returns what it contains in the end. */
const typeAtOnce = (text: string) => `(async () => {
  ${atOnce}
  const box = document.querySelector('#content input[type=search]')
  for (const letter of ${JSON.stringify(text)}) {
    valueOf(box).set.call(box, box.value + letter)
    await event(box, 'input')
  }
  return box.value
})()`

/** Chooses the first reason and the first state of the list of directories: any. */
const chooseAnyAtOnce = `(async () => {
  ${atOnce}
  const reason = document.querySelector('#content select[aria-label=Reason]')
  valueOf(reason).set.call(reason, '')
  await event(reason, 'change')
  document.querySelector('#content input[type=radio]').click()
})()`

const listsOfAll = ['directories', 'dead-events', 'refused-requests']
const listsOfOne = ['users', 'groups', 'requests', 'events'].map((list) => `directories/:id/${list}`)

for (const list of [...listsOfAll, ...listsOfOne]) {
  test(`letters typed before the page is rendered again are all kept: ${list}`, async () => {
    const { page, problems, directory } = opened()
    await show(page, `/${list.replace(':id', directory.id)}`)
    await page.locator('#content').getByRole('searchbox').first().waitFor()
    assert.equal(await page.evaluate(typeAtOnce('ann')), 'ann')
    await page.waitForURL(/[?]\w+=ann$/)
    assert.deepEqual(problems, [])
  })
}

test('filters changed before the page is rendered again all change', async () => {
  const { page, problems } = opened()
  await show(page, '/directories?reason=unauthorized&state=failing')
  await page.getByText('No directory matches').waitFor()
  await page.evaluate(chooseAnyAtOnce)
  await page.getByRole('link', { name: 'Acme: Okta' }).waitFor()
  assert.equal(new URL(page.url()).search, '')
  assert.deepEqual(problems, [])
})
