import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { copyFile, cp, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { backupCommand } from '../../../src/cli/backup/backup.ts'
import { restoreCommand } from '../../../src/cli/backup/restore.ts'
import { openStore } from '../../../src/store/open.ts'
import { codeCache, mainFile } from '../../support/command.ts'
import { fakeIo } from '../../unit/cli/support/fake-io.ts'

const recording = fileURLToPath(new URL('../support/file-steps.ts', import.meta.url))
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

/** A program of Node.js, and the folder that it changes. */
interface Program {
  readonly argv: readonly string[]
  readonly databaseUrl: string
  readonly folder: string
}

/**
 * Runs a program, and then examines the folder as it was before each of its changes of files: a process that is killed
 * there leaves the same files. Returns all changes.
 */
async function killAtEachStep(
  { argv, databaseUrl, folder }: Program,
  examine: (moment: string) => Promise<void>,
): Promise<readonly string[]> {
  const states = await mkdtemp(join(tmpdir(), 'rollcall-states-'))
  const stepsFile = join(states, 'steps')
  const env = { ...codeCache, DATABASE_URL: databaseUrl, STEPS_FILE: stepsFile, FOLDER: folder, STATES: states }
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', '--import', recording, ...argv], {
    env,
  })
  child.stdout.resume()
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  assert.deepEqual([stderr, code], ['', 0])
  const steps = (await readFile(stepsFile, 'utf8')).trim().split('\n')
  for (const before of steps.keys()) {
    await rm(folder, { recursive: true, force: true })
    const state = join(states, String(before))
    if (existsSync(state)) await rename(state, folder)
    await examine(`killed after ${steps.slice(0, before).join(', ')}`)
  }
  await rm(states, { recursive: true })
  return steps
}

/** A backup with the marker `new`, and a folder `data` with its key that it is restored to. */
async function openWorld() {
  const root = await mkdtemp(join(tmpdir(), 'rollcall-restore-'))
  const at = (name: string) => join(root, name)
  {
    await using store = await openIn(at('source'))
    await store.marker('new')
  }
  const io = fakeIo({ env: { DATABASE_URL: `sqlite:${at('source/rollcall.db')}` } })
  assert.equal(await backupCommand([at('backup.db')], io), 0, io.err())
  await mkdir(at('data'), { mode: 0o700 })
  await copyFile(at('source/rollcall.key'), at('data/rollcall.key'))

  const databaseUrl = `sqlite:${at('data/rollcall.db')}`
  const argv = [at('backup.db'), '--force']
  async function restore(moment: string): Promise<void> {
    const io = fakeIo({ env: { DATABASE_URL: databaseUrl } })
    assert.equal(await restoreCommand(argv, io), 0, `${moment}: ${io.err()}`)
  }
  return {
    ...{ root, at, restore },
    program: { argv: [mainFile, 'restore', ...argv], databaseUrl, folder: at('data') },
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  }
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
  await leaveCrashed(world.at('data'), world.root)
  const found = new Set<string>()
  const steps = await killAtEachStep(world.program, async (moment) => {
    const marker = await markerOf(world.at('data'))
    found.add(marker)
    assert(marker === 'old' || marker === 'new', `${marker}: ${moment}`)
    await world.restore(moment)
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
  await killAtEachStep(world.program, async (moment) => {
    const files = await readdir(world.at('data'))
    const start = markerOf(world.at('data'))
    if (files.includes('rollcall.db')) assert.equal(await start, 'new', moment)
    else if (files.includes('rollcall.db.restoring'))
      await assert.rejects(start, /was interrupted\. Run it again\./, moment)
    else assert.equal(await start, 'none', moment)
    found.add(files.toSorted().join(' '))
    await world.restore(moment)
    assert.equal(await markerOf(world.at('data')), 'new', moment)
  })
  assert.deepEqual([...found], ['rollcall.key', 'rollcall.db.restoring rollcall.key', 'rollcall.db rollcall.key'])
})

test('a first start that is killed at any step leaves no key, or a complete one', async () => {
  const root = await mkdtemp(join(tmpdir(), 'rollcall-key-'))
  const folder = join(root, 'data')
  const program = { argv: [use], databaseUrl: `sqlite:${join(folder, 'rollcall.db')}`, folder }
  const steps = await killAtEachStep(program, async (moment) => {
    assert.equal(await markerOf(folder), 'none', moment)
  })
  const isNoted = (step: string) => /^(sync|exec)/.test(step)
  const [file, names, ...rest] = steps.filter(isNoted)
  assert.deepEqual([file, names, rest[0]], ['sync rollcall.key', 'sync data', 'exec database'])
  await rm(root, { recursive: true })
})

test('a backup to an existing file that is killed at any step leaves the earlier backup, or the new one', async () => {
  const root = await mkdtemp(join(tmpdir(), 'rollcall-backup-'))
  const [data, folder] = [join(root, 'data'), join(root, 'backup')]
  {
    await using store = await openIn(data)
    await store.marker('new')
  }
  await mkdir(folder, { mode: 0o700 })
  await copyFile(join(data, 'rollcall.key'), join(folder, 'rollcall.key'))
  {
    await using store = await openIn(folder)
    await store.marker('old')
  }
  const argv = [use, join(folder, 'rollcall.db')]
  const program = { argv, databaseUrl: `sqlite:${join(data, 'rollcall.db')}`, folder }
  const found = new Set<string>()
  await killAtEachStep(program, async (moment) => {
    const marker = await markerOf(folder)
    assert(marker === 'old' || marker === 'new', `${marker}: ${moment}`)
    found.add(marker)
  })
  assert.deepEqual([...found], ['old', 'new'])
  await rm(root, { recursive: true })
})
