/**
 * Loaded into a process by `--import`. Writes a line to the file `STEPS_FILE` before each change that the process makes
 * to files or a database, and kills the process before number `KILL_AT`, from 1.
 */
import fs from 'node:fs'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import { basename } from 'node:path'
import process from 'node:process'

const { STEPS_FILE: stepsFile = '', KILL_AT: killAt } = process.env
const steps = fs.openSync(stepsFile, 'a')
let count = 0

function step(name: string): void {
  count += 1
  if (String(count) === killAt) process.kill(process.pid, 'SIGKILL')
  fs.writeSync(steps, `${name}\n`)
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
