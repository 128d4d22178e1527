/**
 * Loaded into a process by `--import`. Before each change that the process makes to files or a database, it copies the
 * folder `FOLDER` into the folder `STATES`, under the number of the change, and writes a line to the file `STEPS_FILE`.
 */
import fs from 'node:fs'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import { basename, join } from 'node:path'
import process from 'node:process'

const { STEPS_FILE: stepsFile = '', FOLDER: folder = '', STATES: states = '' } = process.env
const { copyFileSync, linkSync } = fs
const steps = fs.openSync(stepsFile, 'a')
let count = 0

function step(name: string): void {
  if (fs.existsSync(folder)) copyFolder(join(states, String(count)))
  count += 1
  fs.writeSync(steps, `${name}\n`)
}

/** Copies the folder and its files with their permissions, which a start checks; names of one file remain so. */
function copyFolder(to: string): void {
  const copies = new Map<number, string>()
  fs.mkdirSync(to, { mode: fs.statSync(folder).mode })
  for (const name of fs.readdirSync(folder)) {
    const [from, copy] = [join(folder, name), join(to, name)]
    const { ino } = fs.statSync(from)
    const first = copies.get(ino)
    if (first === undefined) copyFileSync(from, copy)
    else linkSync(first, copy)
    copies.set(ino, copy)
  }
}

type Describe = (self: unknown, args: readonly unknown[]) => string

/** Makes a step of each call of these functions. */
function watch(owner: object, names: readonly string[], describe: Describe): void {
  const functions = owner as Record<string, (...args: unknown[]) => unknown>
  for (const name of names) {
    const original = functions[name]
    if (original === undefined) throw new Error(`there is no function ${name}`)
    functions[name] = function (this: unknown, ...args) {
      step(`${name} ${describe(this, args)}`)
      return Reflect.apply(original, this, args)
    }
  }
}

const paths: Describe = (_self, args) =>
  args
    .filter((one) => typeof one === 'string')
    .map((path) => basename(path))
    .join(' ')

/** The names of open files, by their descriptors. */
const opened = new Map<number, string>()
const { open } = fs.promises
fs.promises.open = async (...args) => {
  if (![undefined, 'r'].includes(args[1]?.toString())) step(`open ${paths(undefined, args)}`)
  const file = await open(...args)
  opened.set(file.fd, basename(String(args[0])))
  return file
}
const handle = await open(stepsFile)
const handles: object = Object.getPrototypeOf(handle)
await handle.close()
const sqlite = createRequire(import.meta.url)('node:sqlite') as typeof import('node:sqlite')

watch(fs.promises, ['copyFile', 'link', 'rename', 'rm', 'unlink', 'writeFile'], paths)
watch(fs, ['copyFileSync', 'linkSync', 'renameSync', 'rmSync', 'unlinkSync', 'writeFileSync'], paths)
watch(handles, ['sync', 'datasync'], (self) => opened.get((self as { readonly fd: number }).fd) ?? '')
watch(sqlite, ['backup'], paths)
watch(sqlite.DatabaseSync.prototype, ['close', 'exec'], () => 'database')
syncBuiltinESMExports()
