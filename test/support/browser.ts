import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { chromium } from 'playwright-core'
import type { TestService } from './service.ts'

const consoleFolder = new URL('../../console/', import.meta.url)

/** Builds the console unless the installation has done so. */
export async function buildConsole(): Promise<void> {
  if (existsSync(new URL('dist/index.html', consoleFolder))) return
  await promisify(execFile)(process.execPath, [fileURLToPath(new URL('build.js', consoleFolder))])
}

/** Chromium's sandbox does not start as root, and there is no graphics card. */
const args = ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none']

/** The Chromium from the package registry brings its libraries; it unpacks them where it believes to be on AWS Lambda. */
export async function launchBrowser(): Promise<Browser> {
  const { CHROME_PATH: installed } = process.env
  if (installed !== undefined) return chromium.launch({ executablePath: installed, args })
  process.env['AWS_EXECUTION_ENV'] = 'AWS_Lambda_nodejs22.x'
  process.env['AWS_LAMBDA_JS_RUNTIME'] = 'nodejs22.x'
  const { default: packaged } = await import('@sparticuz/chromium')
  return chromium.launch({ executablePath: await packaged.executablePath(), args })
}

/** A page, and everything that went wrong on it. */
export interface TestPage {
  readonly page: Page
  /** Errors of scripts, reports of the content security policy, and requests to other hosts, in a sentence each. */
  readonly problems: string[]
}

export interface TestBrowser extends AsyncDisposable {
  /** Opens an empty page with a session of its own. */
  open(service: TestService, options?: BrowserContextOptions): Promise<TestPage>
}

/** Starts a browser: Chromium from the package registry, or the one at `CHROME_PATH`. */
export async function openBrowser(): Promise<TestBrowser> {
  await buildConsole()
  const browser = await launchBrowser()
  return {
    async open({ origin }, options = {}) {
      const context = await browser.newContext({ baseURL: origin, viewport: { width: 1280, height: 800 }, ...options })
      const page = await context.newPage()
      return { page, problems: watch(page, origin) }
    },
    [Symbol.asyncDispose]: () => browser.close(),
  }
}

/** Responses that pages expect; the browser reports every status from 400 on as an error. */
const expectedStatus = /status of 40[14]/

function watch(page: Page, origin: string): string[] {
  const problems: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' && !expectedStatus.test(message.text())) problems.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => problems.push(`error: ${error.message}`))
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(origin) && !url.startsWith('data:')) problems.push(`request to ${url}`)
  })
  return problems
}

const axeSource = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary: string }[]
}

/** What axe finds wrong with the page, in a sentence each, with two examples of each kind. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  await page.evaluate(await axeSource)
  const violations: readonly Violation[] = await page.evaluate(
    `axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations)`,
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes
      .slice(0, 2)
      .map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary.replaceAll(/\s+/g, ' ')}`),
  )
}
