import { readFile } from 'node:fs/promises'
import type { JSONWebKeySet } from 'jose'
import { request } from 'undici'
import type { Receipt } from '../privacy/receipt.ts'
import { readReceipt, subjectDigest, verifyReceipt } from '../privacy/receipt.ts'
import type { JsonObject } from '../scim/json.ts'
import { isObject, own } from '../scim/json.ts'
import { errorText } from './terminal/error-text.ts'
import type { CommandIo } from './terminal/io.ts'
import { parseOptions, rejectArguments } from './terminal/options.ts'
import { countOf } from './terminal/quantity.ts'

const help = `Usage: rollcall receipt verify <file> [options]

Verifies the receipt of an erasure: that the service has signed it, and that it is unchanged. The file has the receipt, or the
response to the erasure as JSON.

  --jwks <file or url>   the public keys of the service: a copy of its /.well-known/jwks.json, with which nobody is asked, or
                         their address. By default they are requested from the service that the receipt names
  --subject <who>        check also that the receipt is about this person: the subject of the erasure, exactly as it was named
  --subject-key <key>    the key that the erasure returned as subject_key, if it is not in the file; --subject needs it
  -h, --help             show this text

Example: rollcall receipt verify receipt.json --jwks jwks.json --subject ann@acme.example

Exit codes: 0 the receipt is genuine, 1 it is not, 2 it could not be verified.
`

/** A receipt as it is stored, with the key of its digest of the subject if that is known. */
interface StoredReceipt {
  readonly text: string
  readonly subjectKey: string | undefined
}

interface Arguments {
  readonly file: string
  readonly jwks: string | undefined
  readonly subject: string | undefined
  readonly subjectKey: string | undefined
}

/** Runs `rollcall receipt …` and returns the exit code. */
export async function receiptCommand([name = 'help', ...argv]: readonly string[], io: CommandIo): Promise<number> {
  const options = parseOptions(argv, ['jwks', 'subject', 'subject-key'])
  if (options.isHelp || ['help', '--help', '-h'].includes(name)) {
    io.stdout.write(help)
    return 0
  }
  const [file, ...extra] = options.positionals
  const problems = [
    ...(name === 'verify' ? [] : [`There is no command "receipt ${name}".`]),
    ...options.problems,
    ...(file === undefined ? ['Name the file of the receipt.'] : []),
    ...extra.map((one) => `${JSON.stringify(one)} is an unexpected argument.`),
  ]
  if (file === undefined || problems.length > 0) return rejectArguments(io, problems, 'receipt')
  const { jwks, subject, 'subject-key': subjectKey } = options.values
  try {
    return await verify({ file, jwks, subject, subjectKey }, io)
  } catch (error) {
    io.stderr.write(`The receipt could not be verified.\n${errorText(error)}`)
    return 2
  }
}

async function verify({ file, jwks, ...named }: Arguments, { stdout }: CommandIo): Promise<number> {
  const stored = storedReceipt(await readText(file))
  const verified = await verifyReceipt(stored.text, await readKeys(jwks ?? keysOf(stored.text)))
  if ('problem' in verified) {
    stdout.write(`The receipt is not genuine. ${verified.problem}\n`)
    return 1
  }
  const about = subjectLines(verified.receipt, named.subject, named.subjectKey ?? stored.subjectKey)
  stdout.write([...receiptLines(verified.receipt), ...about.lines].map((line) => `${line}\n`).join(''))
  return about.isRight ? 0 : 1
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    throw new Error(`${file} cannot be read: name a file that this user can read.`, { cause })
  }
}

/** Accepts the receipt alone, the data of a response, and the whole response. */
function storedReceipt(text: string): StoredReceipt {
  const parsed = parsedJson(text)
  const data = parsed && own(parsed, 'data')
  const object = isObject(data) ? data : parsed
  if (object === undefined) return { text: text.trim(), subjectKey: undefined }
  const [receipt, subjectKey] = [own(object, 'receipt'), own(object, 'subject_key')]
  return {
    text: typeof receipt === 'string' ? receipt : '',
    subjectKey: typeof subjectKey === 'string' ? subjectKey : undefined,
  }
}

function parsedJson(text: string): JsonObject | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    return isObject(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

/** The address of the keys of the service that a receipt names. Without TLS, anybody on the way could answer. */
function keysOf(text: string): string {
  const issuer = readReceipt(text)?.iss ?? ''
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined
  const isLocal = url !== undefined && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (url?.protocol === 'https:' || isLocal) return `${issuer}/.well-known/jwks.json`
  throw new Error('The receipt does not say where its keys are published: pass them with --jwks.')
}

async function readKeys(place: string): Promise<JSONWebKeySet> {
  const text = /^https?:\/\//.test(place) ? await fetchText(place) : await readText(place)
  const keys = parsedJson(text)
  if (keys === undefined || !Array.isArray(own(keys, 'keys'))) throw new Error(`${place} is not a set of keys (JWKS).`)
  return keys as unknown as JSONWebKeySet
}

async function fetchText(url: string): Promise<string> {
  const response = await request(url, { signal: AbortSignal.timeout(10_000) }).catch((cause: unknown) => {
    throw new Error(`${url} cannot be reached: pass a copy of the keys with --jwks.`, { cause })
  })
  const text = await response.body.text()
  if (response.statusCode === 200) return text
  throw new Error(`${url} responded with ${response.statusCode}: pass a copy of the keys with --jwks.`)
}

function receiptLines({ iss, jti, erased_at, tenant, product, users, places, audit }: Receipt): string[] {
  const counts = Object.entries(places).map(([place, count]) => `${place} ${count}`)
  return [
    `The receipt is genuine. Compare who signed it with the service that you know: ${iss}`,
    `Erasure ${jti}, finished at ${erased_at}, of tenant ${tenant} and product ${product}.`,
    `Users: ${users.map(({ id }) => id).join(', ') || 'none'}. Changed: ${counts.join(', ') || 'nothing'}.`,
    `The audit trail had ${countOf(audit.sequence, 'entry', 'entries')} then: rollcall audit verify --end ${audit.sequence}:${audit.hash}`,
  ]
}

/** The result of comparing the subject; right if none is compared. */
function subjectLines({ subject_digest: digest }: Receipt, subject: string | undefined, key: string | undefined) {
  if (subject === undefined) return { isRight: true, lines: [] }
  if (key === undefined) {
    throw new Error('The receipt hides whom it is about: pass the subject_key of the erasure with --subject-key.')
  }
  const isRight = subjectDigest(key, subject) === digest
  const is = isRight ? 'It is about' : 'It is not about'
  return { isRight, lines: [`${is} the subject ${JSON.stringify(subject)}.`] }
}
