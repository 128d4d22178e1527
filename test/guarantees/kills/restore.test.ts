import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { backupCommand } from '../../../src/cli/backup/backup.ts'
import { openStore } from '../../../src/store/open.ts'
import { mainFile } from '../../support/command.ts'
import { fakeIo } from '../../unit/cli/support/fake-io.ts'

const counting = fileURLToPath(new URL('../support/file-steps.ts', import.meta.url))
const use = fileURLToPath(new URL('../support/use-database.ts', import.meta.url))

/** Opens the database of a folder as a start of the service does. */
async function openIn(folder: string) {
  const store = await openStore({
    ...{ databaseUrl: `sqlite:${join(folder, 'rollcall.db')}`, encryptionKey: undefined, poolSize: 1 },
    onBackgroundError: assert.ifError,
  })
  const marker = (candidate: string) => store.getOrCreateSecret('authorization-state', candidate)
  return { marker, [Symbol.asyncDispose]: () => store.close() }
}

async function markerOf(folder: string): Promise<string> {
  await using store = await openIn(folder)
  return store.marker('none')
}

/** Creates the state that a killed service leaves: its commits are in the log only. */
async function leaveCrashed(folder: string, root: string): Promise<void> {
  const running = join(root, 'running')
  await cp(folder, running, { recursive: true })
  await using store = await openIn(running)
  await store.marker('old')
  for (const name of ['rollcall.db', 'rollcall.db-wal']) await copyFile(join(running, name), join(folder, name))
}

/** Runs a program of Node.js, which is killed before one of its changes of files; see `file-steps.ts`. */
async function runUntil(killAt: number | undefined, argv: readonly string[], root: string, databaseUrl: string) {
  const steps = join(root, 'steps')
  await writeFile(steps, '')
  const env = { DATABASE_URL: databaseUrl, STEPS_FILE: steps, KILL_AT: String(killAt) }
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', '--import', counting, ...argv], {
    env,
  })
  child.stdout.resume()
  const [stderr, [, signal]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  return { isKilled: signal === 'SIGKILL', stderr, steps: (await readFile(steps, 'utf8')).trim().split('\n') }
}

type Run = Awaited<ReturnType<typeof runUntil>>

/** Kills a program before each of its steps, and examines the remaining state. Returns all steps. */
async function killAtEachStep(
  run: (killAt: number) => Promise<Run>,
  examine: (moment: string) => Promise<void>,
): Promise<readonly string[]> {
  for (let killAt = 1; ; killAt++) {
    const { isKilled, stderr, steps } = await run(killAt)
    assert.equal(stderr, '')
    if (!isKilled) return steps
    await examine(`killed after ${steps.join(', ')}`)
  }
}

/**
 * A backup with the marker `new`, its key in the folder `pristine`, and a folder `data` that each restore gets as a
 * copy of that.
 */
async function openWorld() {
  const root = await mkdtemp(join(tmpdir(), 'rollcall-restore-'))
  const at = (name: string) => join(root, name)
  {
    await using store = await openIn(at('source'))
    await store.marker('new')
  }
  const io = fakeIo({ env: { DATABASE_URL: `sqlite:${at('source/rollcall.db')}` } })
  assert.equal(await backupCommand([at('backup.db')], io), 0, io.err())
  await mkdir(at('pristine'), { mode: 0o700 })
  await copyFile(at('source/rollcall.key'), at('pristine/rollcall.key'))

  const restore = (killAt?: number) =>
    runUntil(killAt, [mainFile, 'restore', at('backup.db'), '--force'], root, `sqlite:${at('data/rollcall.db')}`)
  async function restoreAnew(killAt: number) {
    await rm(at('data'), { recursive: true, force: true })
    await cp(at('pristine'), at('data'), { recursive: true })
    return restore(killAt)
  }
  return { root, at, restore, restoreAnew, [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }) }
}

type World = Awaited<ReturnType<typeof openWorld>>

/** The markers of the databases that were kept beside the restored one. */
async function keptMarkers({ at }: World): Promise<string[]> {
  const names = (await readdir(at('data'))).filter((name) => /\.before-restore(-\d+)?$/.test(name))
  return Promise.all(
    names.map(async (name) => {
      const folder = at(`kept-${name}`)
      await mkdir(folder, { mode: 0o700 })
      await copyFile(at('source/rollcall.key'), join(folder, 'rollcall.key'))
      await copyFile(join(at('data'), name), join(folder, 'rollcall.db'))
      return markerOf(folder).finally(() => rm(folder, { recursive: true }))
    }),
  )
}

test('a restore over a database, killed at any step, leaves the old or the new one, and the next one keeps the old one', async () => {
  await using world = await openWorld()
  await leaveCrashed(world.at('pristine'), world.root)
  const found = new Set<string>()
  const steps = await killAtEachStep(world.restoreAnew, async (moment) => {
    const marker = await markerOf(world.at('data'))
    found.add(marker)
    assert(marker === 'old' || marker === 'new', `${marker}: ${moment}`)
    const again = await world.restore()
    assert.equal(again.stderr, '', moment)
    assert.equal(await markerOf(world.at('data')), 'new', moment)
    assert((await keptMarkers(world)).includes('old'), `the old one is lost: ${moment}`)
  })
  assert.deepEqual([...found], ['old', 'new'])
  const order = [
    ...['link rollcall.db rollcall.db.before-restore', 'sync data', 'sync rollcall.db.restoring'],
    ...['rename rollcall.db.restoring rollcall.db', 'sync data'],
  ]
  assert.deepEqual(
    steps.filter((step) => order.includes(step)),
    order,
    'each name and content is on disk before what depends on it',
  )
})

test('a restore without a database, killed at any step, leaves the new one, or a start says that it was interrupted', async () => {
  await using world = await openWorld()
  const found = new Set<string>()
  await killAtEachStep(world.restoreAnew, async (moment) => {
    const files = await readdir(world.at('data'))
    const start = markerOf(world.at('data'))
    if (files.includes('rollcall.db')) assert.equal(await start, 'new', moment)
    else if (files.includes('rollcall.db.restoring'))
      await assert.rejects(start, /was interrupted\. Run it again\./, moment)
    else assert.equal(await start, 'none', moment)
    found.add(files.toSorted().join(' '))
    assert.equal((await world.restore()).stderr, '', moment)
    assert.equal(await markerOf(world.at('data')), 'new', moment)
  })
  assert.deepEqual([...found], ['rollcall.key', 'rollcall.db.restoring rollcall.key', 'rollcall.db rollcall.key'])
})

test('a first start that is killed at any step leaves no key, or a complete one', async () => {
  const root = await mkdtemp(join(tmpdir(), 'rollcall-key-'))
  const folder = join(root, 'data')
  const run = (killAt: number) => runUntil(killAt, [use], root, `sqlite:${join(folder, 'rollcall.db')}`)
  const steps = await killAtEachStep(run, async (moment) => {
    assert.equal(await markerOf(folder), 'none', moment)
    await rm(folder, { recursive: true })
  })
  const isNoted = (step: string) => /^(sync|exec)/.test(step)
  const [file, names, ...rest] = steps.filter(isNoted)
  assert.deepEqual([file, names, rest[0]], ['sync rollcall.key', 'sync data', 'exec database'])
  await rm(root, { recursive: true })
})

test('a backup to an existing file that is killed at any step leaves the earlier backup, or the new one', async () => {
  const root = await mkdtemp(join(tmpdir(), 'rollcall-backup-'))
  await (await openIn(join(root, 'data')))[Symbol.asyncDispose]()
  await mkdir(join(root, 'backup'), { mode: 0o700 })
  await copyFile(join(root, 'data', 'rollcall.key'), join(root, 'backup', 'rollcall.key'))
  const copy = join(root, 'backup', 'rollcall.db')
  {
    await using store = await openIn(join(root, 'backup'))
    await store.marker('old')
  }
  const earlier = await readFile(copy)
  {
    await using store = await openIn(join(root, 'data'))
    await store.marker('new')
  }
  const run = async (killAt: number) => {
    await writeFile(copy, earlier)
    return runUntil(killAt, [use, copy], root, `sqlite:${join(root, 'data', 'rollcall.db')}`)
  }
  const found = new Set<string>()
  await killAtEachStep(run, async (moment) => {
    const marker = await markerOf(join(root, 'backup'))
    assert(marker === 'old' || marker === 'new', `${marker}: ${moment}`)
    found.add(marker)
  })
  assert.deepEqual([...found], ['old', 'new'])
  await rm(root, { recursive: true })
})
