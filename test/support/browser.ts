import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { chromium } from 'playwright-core'
import { hangTimeoutMs } from './eventually.ts'
import { runsAll } from './extent.ts'
import type { TestService, TestSettings } from './service.ts'
import { forSuite, startTestService } from './service.ts'

const consoleFolder = new URL('../../console/', import.meta.url)

/** Builds the console unless the installation has already done so. */
export async function buildConsole(): Promise<void> {
  if (existsSync(new URL('dist/index.html', consoleFolder))) return
  await promisify(execFile)(process.execPath, [fileURLToPath(new URL('build.js', consoleFolder))])
}

/** Chromium's sandbox does not start as root, and there is no graphics card. */
const args = ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none']

export async function launchBrowser(): Promise<Browser> {
  const { CHROME_PATH: installed } = process.env
  if (installed !== undefined) return chromium.launch({ executablePath: installed, args })
  const folder = await unpackedChromium()
  // Its libraries and fonts are beside it.
  const env = { LD_LIBRARY_PATH: join(folder, 'al2023/lib'), FONTCONFIG_PATH: join(folder, 'fonts') }
  return chromium.launch({ executablePath: join(folder, 'chromium'), args, env: { ...process.env, ...env } })
}

/**
 * The Chromium from the package registry, unpacked once per installation: into a folder of this process, which then
 * gets its final name, as another process may do the same at the same time.
 */
async function unpackedChromium(): Promise<string> {
  const { version } = JSON.parse(await readFile(chromiumPackage, 'utf8')) as { readonly version: string }
  const folder = fileURLToPath(new URL(`chromium-${version}`, cache))
  if (existsSync(folder)) return folder
  await mkdir(cache, { recursive: true })
  const own = await mkdtemp(`${folder}-`)
  await unpackInto(own)
  await rename(own, folder).catch(() => rm(own, { recursive: true, force: true }))
  return folder
}

const cache = new URL('../../node_modules/.cache/rollcall/', import.meta.url)
const chromiumPackage = new URL('../../node_modules/@sparticuz/chromium/package.json', import.meta.url)

/**
 * The package unpacks its libraries only where it believes to be on AWS Lambda, and everything into the temporary
 * folder.
 */
async function unpackInto(folder: string): Promise<void> {
  const env = { TMPDIR: folder, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x', AWS_LAMBDA_JS_RUNTIME: 'nodejs22.x' }
  const script = "import('@sparticuz/chromium').then(({ default: packaged }) => packaged.executablePath())"
  const options = { cwd: fileURLToPath(new URL('.', import.meta.url)), env: { ...process.env, ...env } }
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], options)
  await writeFile(join(folder, 'fonts/fonts.conf'), fontsConfig)
}

/**
 * The package's own configuration names only folders below `/tmp`. Without a font, text has no height, and is never
 * visible.
 */
const fontsConfig = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
</fontconfig>
`

/** A page, and everything that went wrong on it. */
export interface TestPage {
  readonly page: Page
  /** Errors of scripts, reports of the content security policy, and requests to other hosts, in a sentence each. */
  readonly problems: string[]
  /** Ends the session of the page. */
  close(): Promise<void>
}

export interface TestBrowser extends AsyncDisposable {
  /**
   * Opens a page with a session of its own. Without options, it is a page that another test has closed, if there is one:
   * a new one takes twice as long as loading the console.
   */
  open(service: Pick<TestService, 'origin'>, options?: BrowserContextOptions): Promise<TestPage>
}

/** The widths of a small phone, a phone and a desktop, in pixels. */
const widths = runsAll ? [320, 390, 1280] : [320, 1280]

/** The appearances differ in their colors only. */
const appearances = [
  ['light', 'all'],
  ['dark', 'colors'],
] as const

/** How many pixels a page is too wide at a width, once it is painted. */
export async function overflowAt(page: Page, width: number): Promise<number> {
  await page.setViewportSize({ width, height: 800 })
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  return page.evaluate('document.documentElement.scrollWidth - innerWidth')
}

/**
 * Shows a page in every width and appearance, without loading it again, and returns what is wrong with it. `npm test`
 * looks for problems of accessibility in the widest and light one only.
 */
export async function problemsInEveryLook(page: Page): Promise<string[]> {
  const found: string[] = []
  for (const width of widths) {
    const overflow = await overflowAt(page, width)
    if (overflow > 0) found.push(`${width}: ${overflow} pixels too wide`)
    for (const [colorScheme, rules] of appearances) {
      if (!runsAll && (width < 1280 || colorScheme === 'dark')) continue
      await page.emulateMedia({ colorScheme })
      const problems = await accessibilityProblems(page, rules)
      found.push(...problems.map((problem) => `${width}, ${colorScheme}: ${problem}`))
    }
  }
  return found
}

const usualSize = { width: 1280, height: 800 }

/** Starts a browser: Chromium from the package registry, or the one at `CHROME_PATH`. */
export async function openBrowser(): Promise<TestBrowser> {
  await buildConsole()
  const browser = await launchBrowser()
  /** Pages that tests have closed, by the origin of their service. */
  const closed = new Map<string, Page>()

  async function openPage(origin: string, options: BrowserContextOptions = {}): Promise<Page> {
    // Colors and places that are still changing would be taken for the last ones.
    const still = { reducedMotion: 'reduce', viewport: usualSize, locale: 'en-US' } as const
    const context = await browser.newContext({ baseURL: origin, ...still, ...options })
    context.setDefaultTimeout(hangTimeoutMs)
    return context.newPage()
  }

  return {
    async open({ origin }, options) {
      const former = options === undefined ? closed.get(origin) : undefined
      closed.delete(origin)
      const page = former ?? (await openPage(origin, options))
      return {
        page,
        problems: watch(page, origin),
        async close() {
          if (options !== undefined || closed.has(origin)) return page.context().close()
          await forget(page, origin)
          closed.set(origin, page)
        },
      }
    },
    [Symbol.asyncDispose]: () => browser.close(),
  }
}

/** Removes everything from a page that could affect another test. */
async function forget(page: Page, origin: string): Promise<void> {
  for (const event of ['console', 'pageerror', 'request'] as const) page.removeAllListeners(event)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.evaluate('localStorage.clear(); sessionStorage.clear()')
  await page.context().clearCookies()
  await page.context().clearPermissions()
  await page.goto(`${origin}/healthz`)
  await page.emulateMedia({ colorScheme: null })
  await page.setViewportSize(usualSize)
}

/** A service on SQLite and a browser for all tests of a suite; call the returned function inside the tests. */
export function browserForSuite(settings?: TestSettings) {
  return forSuite(async () => {
    await using opening = new AsyncDisposableStack()
    const service = opening.use(await startTestService('sqlite', settings))
    const browser = opening.use(await openBrowser())
    const opened = opening.move()
    return { service, browser, [Symbol.asyncDispose]: () => opened.disposeAsync() }
  })
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

/** The rule that depends on colors takes as long as all others. */
const axeOptions = {
  all: {},
  colors: { runOnly: ['color-contrast'] },
  'not-colors': { rules: { 'color-contrast': { enabled: false } } },
} as const

/** All pages are checked with all rules, their dialogs and states with those for colors in `npm run test:all` only. */
const usualRules = runsAll ? 'all' : 'not-colors'

/** The problems that axe finds on the page, in a sentence each, with two examples of each kind. */
export async function accessibilityProblems(
  page: Page,
  rules: keyof typeof axeOptions = usualRules,
): Promise<string[]> {
  // A page that has just been loaded is empty.
  await page.locator('h1').first().waitFor({ state: 'attached' })
  if (!(await page.evaluate(`'axe' in globalThis`))) await page.evaluate(await axeSource)
  const options = { resultTypes: ['violations'], ...axeOptions[rules] }
  const violations: readonly Violation[] = await page.evaluate(
    `axe.run(${JSON.stringify(options)}).then(({ violations }) => violations)`,
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes
      .slice(0, 2)
      .map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary.replaceAll(/\s+/g, ' ')}`),
  )
}
