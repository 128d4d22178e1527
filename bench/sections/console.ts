import { cpSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext } from 'playwright-core'
import { buildConsole, launchBrowser } from '../../test/support/browser.ts'
import { apiKey } from '../engines/engine.ts'
import { median } from '../load/sample.ts'
import { budget } from '../report/budget.ts'
import type { Row } from '../report/row.ts'
import { atMost, inKb, inSeconds } from '../report/row.ts'
import { builtFile } from '../servers/built.ts'
import type { Server } from '../servers/server.ts'
import { startServerProcess } from '../servers/server.ts'
import { createDirectory, createSetupLink } from '../workload/api.ts'
import { times } from '../workload/users.ts'
import type { Bench } from './section.ts'

/** A slow mobile network: each request takes this long until its response begins. */
const latencyMs = 400
const bytesPerSecond = 1_600_000 / 8

const builtPages = fileURLToPath(new URL('../../console/dist/', import.meta.url))

/** The script that the first view of each page loads, and the time until its heading is there, on a slow network. */
export async function measureConsole({ engine, scale, say }: Bench): Promise<Row[]> {
  say('the first view of the console and the portal')
  await buildConsole()
  cpSync(builtPages, builtFile('console/dist'), { recursive: true })
  await using server = await startServerProcess('./service.ts', await engine.newDatabase())
  await using browser = await launchBrowser()
  await createDirectory(server.port)
  const pages: readonly Page[] = [
    { name: 'sign-in page', path: '/console', isSignedIn: false },
    { name: 'overview', path: '/console', isSignedIn: true },
    { name: 'setup portal', path: await createSetupLink(server.port), isSignedIn: false },
  ]
  const rows: Row[] = []
  for (const page of pages) {
    const views: View[] = []
    for (const _ of times(scale.starts, () => undefined)) views.push(await firstView(browser, server, page))
    const row = (what: string, verdict: Row['verdict']): Row => ({ engine: engine.name, what, verdict })
    const script = atMost(budget.scriptKb, median(views.map(({ scriptKb }) => scriptKb)), inKb)
    const heading = atMost(budget.headingSeconds, median(views.map(({ seconds }) => seconds)), inSeconds)
    rows.push(row(`${page.name}: compressed script until the heading`, script))
    rows.push(row(`${page.name}: heading at ${latencyMs} ms and 1.6 Mbit/s`, heading))
  }
  return rows
}

interface Page {
  readonly name: string
  readonly path: string
  readonly isSignedIn: boolean
}

interface View {
  readonly scriptKb: number
  readonly seconds: number
}

/** Notes when the page has a heading with a text, in milliseconds since the navigation began. */
const noteHeading = `
  new MutationObserver(() => {
    const heading = document.querySelector('h1')
    if (heading?.textContent) globalThis.headingMs ??= performance.now()
  }).observe(document, { childList: true, subtree: true })`

/** The heading's time, and the compressed bytes of the scripts that were there before it. */
const readView = `
  performance.getEntriesByType('resource')
    .filter(({ name, responseEnd }) => name.endsWith('.js') && responseEnd <= globalThis.headingMs)
    .reduce(({ bytes, ms }, { encodedBodySize }) => ({ bytes: bytes + encodedBodySize, ms }), { bytes: 0, ms: globalThis.headingMs })`

/** Opens a page in a browser that has never seen it. */
async function firstView(browser: Browser, { port }: Server, { path, isSignedIn }: Page): Promise<View> {
  await using context = await browser.newContext({ baseURL: `http://127.0.0.1:${port}`, locale: 'en-US' })
  if (isSignedIn) await signIn(context)
  await context.addInitScript(noteHeading)
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', {
    ...{ offline: false, latency: latencyMs },
    ...{ downloadThroughput: bytesPerSecond, uploadThroughput: bytesPerSecond },
  })
  await page.goto(path, { waitUntil: 'commit' })
  await page.locator('h1').first().waitFor()
  const { bytes, ms }: { readonly bytes: number; readonly ms: number } = await page.evaluate(readView)
  return { scriptKb: bytes / 1000, seconds: ms / 1000 }
}

async function signIn(context: BrowserContext): Promise<void> {
  const headers = { 'sec-fetch-site': 'same-origin' }
  const response = await context.request.post('/console/session', { data: { api_key: apiKey }, headers })
  if (!response.ok()) throw new Error(`${response.status()} to POST /console/session: ${await response.text()}`)
}
