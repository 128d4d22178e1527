/**
 * Makes the pictures of the documentation from a running demo: every page that they show, light and dark.
 *
 *     npm run pictures
 */
import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser } from '../test/support/browser.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const pictures = join(root, 'docs/pictures')
const viewport = { width: 1280, height: 800 }

interface Demo {
  readonly origin: string
  readonly link: string
  readonly apiKey: string
}

const folder = mkdtempSync(join(tmpdir(), 'rollcall-pictures-'))
mkdirSync(pictures, { recursive: true })
const child = spawn(process.execPath, [join(root, 'bin/rollcall.js'), 'demo'], {
  cwd: folder,
  env: { ...process.env, PORT: '0' },
  stdio: ['ignore', 'pipe', 'inherit'],
})
try {
  const demo = await readDemo(child)
  const browser = await launchBrowser()
  await takeConsole(browser, demo)
  await takePortal(browser, demo)
  await browser.close()
} finally {
  child.kill()
  await once(child, 'exit')
  rmSync(folder, { recursive: true, force: true })
}

/** Waits until the demo has printed its address. */
async function readDemo({ stdout }: ChildProcess): Promise<Demo> {
  let text = ''
  for await (const chunk of stdout ?? []) {
    text += String(chunk)
    const [link] = /http:\/\/\S+\/console#code=\S+/.exec(text) ?? []
    const [apiKey] = /rck_[\w-]{43}/.exec(text) ?? []
    if (link !== undefined && apiKey !== undefined) return { origin: new URL(link).origin, link, apiKey }
  }
  throw new Error(`The demo ended: ${text}`)
}

async function api(demo: Demo, method: string, path: string, body?: object) {
  const headers = { authorization: `Api-Key ${demo.apiKey}`, 'content-type': 'application/json' }
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const response = await fetch(`${demo.origin}/api/v1/directory-sync${path}`, { method, headers, ...sent })
  return ((await response.json()) as { data: unknown }).data
}

async function take(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.screenshot({ path: join(pictures, `${name}-${colorScheme}.png`) })
  }
}

async function open(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await page.waitForLoadState('networkidle', { timeout: 5_000 }).catch(() => {})
}

async function takeConsole(browser: Browser, demo: Demo): Promise<void> {
  const page = await (await browser.newContext({ viewport, reducedMotion: 'reduce', locale: 'en-US' })).newPage()
  await page.goto(demo.link)
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  await page.locator('svg[role="img"]').first().waitFor()
  await page.waitForLoadState('networkidle', { timeout: 5_000 }).catch(() => {})
  await take(page, 'overview')
  const [directory] = (await api(demo, 'GET', '?tenant=acme&product=demo')) as { id: string }[]
  const users = (await api(demo, 'GET', `/users?directoryId=${directory?.id}`)) as { id: string; active: boolean }[]
  const inactive = users.find(({ active }) => !active)
  const pages = {
    directory: `/directories/${directory?.id}`,
    user: `/directories/${directory?.id}/users/${inactive?.id}`,
    requests: `/directories/${directory?.id}/requests`,
    explain: `/explain?directoryId=${directory?.id}&subject=${inactive?.id}`,
  }
  for (const [name, path] of Object.entries(pages)) {
    await open(page, `${demo.origin}/console${path}`)
    await take(page, name)
  }
  await page.context().close()
}

async function takePortal(browser: Browser, demo: Demo): Promise<void> {
  const link = (await api(demo, 'POST', '/setuplinks', { tenant: 'initech', product: 'demo', name: 'Initech' })) as {
    url: string
  }
  const page = await (await browser.newContext({ viewport, reducedMotion: 'reduce', locale: 'en-US' })).newPage()
  await open(page, link.url)
  await page.getByRole('button', { name: 'Okta' }).click()
  await page.getByText('Copy the secret now').waitFor()
  await page.waitForLoadState('networkidle', { timeout: 5_000 }).catch(() => {})
  await take(page, 'portal')
  await page.context().close()
}
