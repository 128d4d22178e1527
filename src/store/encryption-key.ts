import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { linkDurably } from './durable-files.ts'
import type { StoreLog } from './log.ts'

const keyBytes = 32

/**
 * Reads encryption keys: 32 bytes each as base64 or 64 hexadecimal digits, separated by commas, the current key first.
 *
 * @returns undefined when one of them is not such a key
 */
export function parseEncryptionKeys(text: string): [Buffer, ...Buffer[]] | undefined {
  const [first, ...rest] = text.split(',').map((one) => parseKey(one.trim()))
  if (first === undefined || rest.includes(undefined)) return undefined
  return [first, ...rest.filter((key) => key !== undefined)]
}

function parseKey(text: string): Buffer | undefined {
  const isHex = /^[0-9a-f]{64}$/i.test(text)
  if (!isHex && !/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return undefined
  const key = Buffer.from(text, isHex ? 'hex' : 'base64')
  return key.length === keyBytes ? key : undefined
}

/** Makes a key for a database in memory. */
export function newEncryptionKey(): [Buffer] {
  return [randomBytes(keyBytes)]
}

/**
 * Reads the key of an embedded database from a file, which the first start creates, readable by its owner only. It is on disk
 * with its whole content before anything is encrypted with it.
 *
 * @throws Error when every user may access it, or when it contains no key
 */
export async function keepEncryptionKey(file: string, log: StoreLog): Promise<[Buffer]> {
  if (!existsSync(file)) await createKeyFile(file)
  const key = readEncryptionKey(file)
  if (accessTo(file) === 'group')
    log.warn({}, `${file} has the encryption key, and the group of the file can access it: ${repairOf(file)}`)
  return key
}

/** The file appears by a link: complete, and never in the place of another one. */
async function createKeyFile(file: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const part = `${file}.${randomBytes(4).toString('hex')}.part`
  try {
    await writeFile(part, `${randomBytes(keyBytes).toString('base64')}\n`, { mode: 0o600, flag: 'wx' })
    await linkDurably(part, file)
  } finally {
    await rm(part, { force: true })
  }
}

/**
 * Reads the key file of an embedded database.
 *
 * @throws OpenKeyFile when every user may access it
 * @throws Error when it is missing, or it contains no key
 */
export function readEncryptionKey(file: string): [Buffer] {
  if (accessTo(file) === 'everyone') throw new OpenKeyFile(file)
  const key = parseKey(readFileSync(file, 'utf8').trim())
  if (key === undefined) throw new Error(`${file} does not contain an encryption key: restore it from your backup.`)
  return [key]
}

/** Every user of the machine may access the key file. */
export class OpenKeyFile extends Error {
  override readonly name = 'OpenKeyFile'
  readonly problem: string
  readonly repair: string

  constructor(file: string) {
    const [problem, repair] = [`${file} has the encryption key, and every user can access it`, repairOf(file)]
    super(`${problem}: ${repair}`)
    this.problem = problem
    this.repair = repair
  }
}

/** Some file systems have one mode for all files: volumes with an `fsGroup` in Kubernetes, and those of Windows in WSL. */
function repairOf(file: string): string {
  return `run "chmod 600 '${file}'", or, where that has no effect, set ENCRYPTION_KEY to the content of the file.`
}

/** Who may access a file. Windows has no such permissions. */
function accessTo(file: string): 'owner' | 'group' | 'everyone' {
  const { mode } = statSync(file)
  if (process.platform === 'win32' || (mode & 0o077) === 0) return 'owner'
  return (mode & 0o007) === 0 ? 'group' : 'everyone'
}
