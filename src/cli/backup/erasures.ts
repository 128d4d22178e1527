import { open } from 'node:fs/promises'
import type { JSONWebKeySet } from 'jose'
import { openService } from '../../app/open-service.ts'
import { unobserved } from '../../app/service-options.ts'
import type { Settings } from '../../app/settings.ts'
import { systemCaller } from '../../directory/audit.ts'
import { DirectoryError } from '../../directory/errors.ts'
import type { ErasureToRepeat } from '../../privacy/erase.ts'
import type { PrivacyStore } from '../../privacy/privacy-store.ts'
import type { Receipt } from '../../privacy/receipt.ts'
import { readReceipt, verifyReceipt } from '../../privacy/receipt.ts'
import { parseReceiptKeys, publicReceiptKey } from '../../privacy/receipt-keys.ts'
import type { Sealing } from '../../store/sealing.ts'
import { settingLocation } from '../../store/sealing.ts'
import { readStoredReceipts } from '../../store/sqlite/inspect-backup.ts'
import { readText, receiptsIn } from '../receipt-files.ts'
import { countOf } from '../terminal/quantity.ts'

type Keys = JSONWebKeySet['keys']

/** Receipts whose signatures nobody has verified, and keys of this installation that may have signed them. */
export interface Receipts {
  readonly texts: readonly string[]
  readonly keys: Keys
}

/** The erasures that the operator asks to repeat. */
export interface RepeatOptions {
  /** Beside the keys that the database publishes. */
  readonly keys: Keys
  /** The ids of users to erase even if they are active. */
  readonly includeActive: readonly string[]
}

/** The result of repeating erasures. */
export interface RepeatedErasures {
  readonly text: string
  /** Whether nothing was skipped. */
  readonly isComplete: boolean
}

/**
 * The receipts in a file: a response that has them, or a database that was replaced.
 *
 * @throws Error with a message for the operator when there is none
 */
export async function readReceipts(file: string, sealing: Sealing | undefined): Promise<Receipts> {
  const found = (await isDatabase(file))
    ? receiptsOfDatabase(file, sealing)
    : { texts: receiptsIn(await readText(file)).map(({ text }) => text), keys: [] }
  if (found.texts.length > 0) return found
  throw new Error(
    `${file} has no receipt of an erasure: pass the response of GET /api/v1/directory-sync/privacy/erasures.`,
  )
}

/** A file that cannot be opened is none: reading its text says why. */
async function isDatabase(file: string): Promise<boolean> {
  await using handle = await open(file).catch(() => undefined)
  const { buffer } = (await handle?.read(Buffer.alloc(16), 0, 16)) ?? {}
  return buffer?.toString('latin1') === 'SQLite format 3\0'
}

/**
 * The receipts of an embedded database that nobody uses. Without its keys they may still be verified with others.
 *
 * @throws Error when the file cannot be read
 */
export function receiptsOfDatabase(file: string, sealing: Sealing | undefined): Receipts {
  const { receipts, keys } = readStoredReceipts(file)
  return { texts: receipts, keys: keys === undefined || sealing === undefined ? [] : openedKeys(keys, sealing) }
}

function openedKeys(sealed: string, { open: unseal }: Sealing): Keys {
  try {
    return parseReceiptKeys(unseal(sealed, settingLocation('receipts'))).keys.map(publicReceiptKey)
  } catch {
    // The keys belong to another ENCRYPTION_KEY: receipts that need them are reported as skipped.
    return []
  }
}

/** The id of the erasure that a receipt names, whoever wrote it. */
export function erasureIdOf(text: string): string | undefined {
  return readReceipt(text)?.jti
}

/** Repeats erasures in a database that no service uses, and says which are skipped, and why. Nothing is delivered meanwhile. */
export async function repeatErasures(
  settings: Settings,
  receipts: readonly string[],
  { keys, includeActive }: RepeatOptions,
): Promise<RepeatedErasures> {
  const ignore = () => {}
  const service = await openService({
    settings,
    externalUrl: () => settings.EXTERNAL_URL ?? `http://localhost:${settings.PORT}`,
    log: { info: ignore, warn: ignore, error: ignore },
    observer: unobserved,
  })
  try {
    // The same key is published and in a database that was replaced.
    const all: Keys = [...keys, ...(await service.receipts.publicKeys())]
    const known = { keys: [...new Map(all.map((key) => [key.x, key])).values()] }
    const { erasures, finished, skipped } = await sortReceipts(receipts, known, service.store)
    let repeated = 0
    let left = finished.length
    for (const erasure of erasures) {
      const outcome = await service.privacy
        .repeat({ ...erasure, includeActive }, systemCaller('rollcall restore'))
        .catch((error: unknown) => refusalIn(error))
      if (outcome === 'repeated') repeated += 1
      else if (outcome === 'nothing-to-repeat') left += 1
      else if ('refusal' in outcome) skipped.push(`the erasure ${erasure.id}. ${outcome.refusal}`)
      else skipped.push(activeText(erasure.id, outcome.activeUsers))
    }
    const named = new Set([...erasures, ...finished].flatMap(({ users }) => users.map(({ userId }) => userId)))
    const unnamed = includeActive.filter((id) => !named.has(id))
    skipped.push(...unnamed.map((id) => `--include-active ${id}: no receipt names this user.`))
    return { text: repeatedText(repeated, left, skipped), isComplete: skipped.length === 0 }
  } finally {
    await service.close()
  }
}

type Erasure = Omit<ErasureToRepeat, 'includeActive'>

interface SortedReceipts {
  /** Those whose receipts one of the keys has signed. */
  readonly erasures: readonly Erasure[]
  /** Those that the database knows: their receipts have no effect, whoever wrote them. */
  readonly finished: readonly Erasure[]
  /** A sentence for each receipt that is not used. */
  readonly skipped: string[]
}

/** Verifies receipts; each erasure is returned once. */
async function sortReceipts(
  texts: readonly string[],
  keys: JSONWebKeySet,
  store: Pick<PrivacyStore, 'isErasureFinished'>,
): Promise<SortedReceipts> {
  const [erasures, finished] = [new Map<string, Erasure>(), new Map<string, Erasure>()]
  const skipped: string[] = []
  for (const text of new Set(texts)) {
    const unverified = readReceipt(text)
    if (unverified !== undefined && (await store.isErasureFinished(unverified.jti))) {
      finished.set(unverified.jti, erasureOf(unverified, text))
      continue
    }
    const verified = await verifyReceipt(text, keys)
    if ('receipt' in verified) erasures.set(verified.receipt.jti, erasureOf(verified.receipt, text))
    else {
      const name = JSON.stringify((unverified?.jti ?? text).slice(0, 80))
      skipped.push(
        `the receipt ${unverified === undefined ? '' : 'of the erasure '}${name}. ${verified.problem} ${keysAdvice}`,
      )
    }
  }
  return { erasures: [...erasures.values()], finished: [...finished.values()], skipped }
}

function erasureOf({ jti: id, tenant, product, users }: Receipt, text: string): Erasure {
  const ids = users.map((user) => ({ directoryId: user.directory_id, userId: user.id }))
  return { id, tenant, product, users: ids, text }
}

const keysAdvice =
  'If this installation has signed it with a key that the database does not have, pass a copy of its /.well-known/jwks.json with --jwks.'

function refusalIn(error: unknown): { readonly refusal: string } {
  if (error instanceof DirectoryError) return { refusal: error.message }
  throw error
}

function activeText(erasureId: string, ids: readonly string[]): string {
  const users = ids.join(', ')
  return `the erasure ${erasureId}, whose user ${users} is active in this database. Unless the person has returned, pass --include-active ${ids.join(',')} to erase it.`
}

/** The result, for the operator. */
function repeatedText(repeated: number, left: number, skipped: readonly string[]): string {
  const known = left === 0 ? '' : ` The database has nothing about the ${countOf(left, 'other')}, or knows of it.`
  const lines = [`${countOf(repeated, 'erasure')} repeated.${known}`, ...skipped.map((reason) => `Skipped: ${reason}`)]
  return lines.map((line) => `${line}\n`).join('')
}
