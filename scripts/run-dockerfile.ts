/**
 * Runs the build steps of the Dockerfile without a container engine: each stage in a folder of its own, which is a clean copy of the
 * committed files that .dockerignore lets through. Then starts the command of the image, waits until its health check succeeds, loads
 * the pages, and stops it.
 *
 *     node scripts/run-dockerfile.ts
 *
 * It knows the instructions that the Dockerfile uses. It does not isolate: absolute paths are below the stage's folder, and `RUN`
 * of the last stage, which prepares users and folders of the image, is skipped. The Node.js is that on the PATH.
 */
import { execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'rollcall-dockerfile-'))
const context = join(folder, 'context')
const port = '5226'

interface Stage {
  readonly folder: string
  workdir: string
  readonly env: Record<string, string>
  entrypoint: string[]
  healthcheck: string[]
}

const stages = new Map<string, Stage>()

function newStage(name: string): Stage {
  const stage = { folder: join(folder, name), workdir: '/', env: {}, entrypoint: [], healthcheck: [] }
  mkdirSync(stage.folder)
  stages.set(name, stage)
  return stage
}

/** The instructions, with continued lines joined. */
function readInstructions(): string[] {
  const text = readFileSync(join(root, 'Dockerfile'), 'utf8').replaceAll(/^#.*\n/gm, '')
  return text
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
}

function copy(stage: Stage, args: readonly string[]): void {
  const from = args.find((arg) => arg.startsWith('--from='))?.slice('--from='.length)
  const paths = args.filter((arg) => !arg.startsWith('--'))
  const target = paths.pop() ?? '.'
  for (const path of paths) {
    const source = from === undefined ? join(context, path) : join(stages.get(from)?.folder ?? '', path)
    const isInto = target.endsWith('/') && paths.length > 0 && path !== '.'
    const to = join(stage.folder, stage.workdir, target, isInto ? (path.split('/').at(-1) ?? '') : '')
    cpSync(source, to, { recursive: true, verbatimSymlinks: true })
  }
}

function perform(stage: Stage, instruction: string, rest: string, isLast: boolean): void {
  const at = join(stage.folder, stage.workdir)
  if (instruction === 'WORKDIR') {
    stage.workdir = rest
    mkdirSync(join(stage.folder, rest), { recursive: true })
  } else if (instruction === 'COPY') copy(stage, rest.split(/\s+/))
  else if (instruction === 'ENTRYPOINT') stage.entrypoint = JSON.parse(rest)
  else if (instruction === 'CMD') stage.entrypoint.push(...JSON.parse(rest))
  else if (instruction === 'HEALTHCHECK') stage.healthcheck = JSON.parse(rest.slice(rest.indexOf('CMD') + 3))
  else if (instruction === 'RUN' && !isLast) {
    console.log(`RUN ${rest}`)
    execFileSync('sh', ['-c', rest], { cwd: at, stdio: 'inherit', env: { ...process.env, ...stage.env } })
  }
}

/** Starts the image's command and waits for its health check. */
async function tryImage({ folder: image, workdir, entrypoint, healthcheck }: Stage): Promise<void> {
  const env = { PATH: process.env['PATH'], PORT: port, DATABASE_URL: `sqlite:${join(image, 'data/rollcall.db')}` }
  const [command = '', ...args] = entrypoint
  const child = spawn(command, args, { cwd: join(image, workdir), env, stdio: 'inherit' })
  try {
    for (let tries = 0; !isHealthy(healthcheck); tries++) {
      if (tries > 50 || child.exitCode !== null) throw new Error('the image did not become healthy')
      await delay(200)
    }
    console.log('The health check succeeds.')
    for (const path of ['/console', '/docs/', '/readyz']) {
      const { status } = await fetch(`http://127.0.0.1:${port}${path}`)
      if (status !== 200) throw new Error(`${path} responds with ${status}`)
    }
  } finally {
    child.kill('SIGINT')
  }
}

function isHealthy([command = '', ...args]: readonly string[]): boolean {
  try {
    execFileSync(command, args, { env: { PATH: process.env['PATH'], PORT: port }, stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/**
 * Fills the context: of the committed files, those that .dockerignore names with an exclamation mark, as all others are
 * left out.
 */
function fillContext(): void {
  const patterns = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n')
  if (!patterns.includes('**')) throw new Error('.dockerignore no longer leaves out everything first')
  const paths = patterns.filter((line) => line.startsWith('!')).map((line) => line.slice(1))
  mkdirSync(context)
  const archive = execFileSync('git', ['archive', 'HEAD', ...paths], { cwd: root, maxBuffer: 2 ** 30 })
  execFileSync('tar', ['--extract', '--directory', context], { input: archive })
}

fillContext()
const instructions = readInstructions()
const lastStage = instructions.findLastIndex((line) => line.startsWith('FROM'))
let stage = newStage('none')
for (const [index, line] of instructions.entries()) {
  const [, instruction = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? []
  if (instruction === 'FROM') stage = newStage(/ AS (\w+)$/.exec(rest)?.[1] ?? 'image')
  else perform(stage, instruction, rest.trim(), index > lastStage)
}
await tryImage(stage)
execFileSync('du', ['-sh', join(stage.folder, stage.workdir)], { stdio: 'inherit' })
rmSync(folder, { recursive: true })
