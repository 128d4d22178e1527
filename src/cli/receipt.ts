import type { Receipt } from '../privacy/receipt.ts'
import { subjectDigest, verifyReceipt } from '../privacy/receipt.ts'
import type { StoredReceipt } from './receipt-files.ts'
import { readKeySet, readText, receiptsIn } from './receipt-files.ts'
import { errorText } from './terminal/error-text.ts'
import type { CommandIo } from './terminal/io.ts'
import { parseOptions, rejectArguments } from './terminal/options.ts'
import { countOf } from './terminal/quantity.ts'

const help = `Usage: rollcall receipt verify <file> --jwks <file or url> [options]

Verifies the receipt of an erasure: that the service has signed it, and that it is unchanged. The file has the receipt, or the
response to the erasure as JSON.

  --jwks <file or url>   the public keys of the service: a copy of its /.well-known/jwks.json, with which nobody is asked, or
                         their address. A receipt that names its own service proves nothing: anybody may publish keys
  --subject <who>        check also that the receipt is about this person: the subject of the erasure, exactly as it was named
  --subject-key <key>    the key that the erasure returned as subject_key, if it is not in the file; --subject needs it
  -h, --help             show this text

Example: rollcall receipt verify receipt.json --jwks jwks.json --subject ann@acme.example

Exit codes: 0 the receipt is genuine, 1 it is not, 2 it could not be verified.
`

interface Arguments {
  readonly file: string
  readonly jwks: string
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
  const { jwks, subject, 'subject-key': subjectKey } = options.values
  const problems = [
    ...(name === 'verify' ? [] : [`There is no command "receipt ${name}".`]),
    ...options.problems,
    ...(file === undefined ? ['Name the file of the receipt.'] : []),
    ...(jwks === undefined ? ['Pass the public keys of the service with --jwks: its /.well-known/jwks.json.'] : []),
    ...extra.map((one) => `${JSON.stringify(one)} is an unexpected argument.`),
  ]
  if (file === undefined || jwks === undefined || problems.length > 0) return rejectArguments(io, problems, 'receipt')
  try {
    return await verify({ file, jwks, subject, subjectKey }, io)
  } catch (error) {
    io.stderr.write(`The receipt could not be verified.\n${errorText(error)}`)
    return 2
  }
}

async function verify({ file, jwks, ...named }: Arguments, { stdout }: CommandIo): Promise<number> {
  const stored = storedReceipt(await readText(file), file)
  const verified = await verifyReceipt(stored.text, await readKeySet(jwks))
  if ('problem' in verified) {
    stdout.write(`The receipt is not genuine. ${verified.problem}\n`)
    return 1
  }
  const about = subjectLines(verified.receipt, named.subject, named.subjectKey ?? stored.subjectKey)
  stdout.write([...receiptLines(verified.receipt), ...about.lines].map((line) => `${line}\n`).join(''))
  return about.isRight ? 0 : 1
}

/** Accepts the receipt alone, and a response that has one. */
function storedReceipt(text: string, file: string): StoredReceipt {
  const found = receiptsIn(text)
  const [first] = found
  if (first !== undefined && found.length === 1) return first
  if (found.length > 1) throw new Error(`${file} has ${found.length} receipts: pass a file with one of them.`)
  return { text: text.trim(), subjectKey: undefined }
}

function receiptLines({ iss, jti, erased_at, tenant, product, users, places, audit }: Receipt): string[] {
  const counts = Object.entries(places).map(([place, count]) => `${place} ${count}`)
  return [
    `The receipt is genuine: one of these keys has signed it, for the service ${JSON.stringify(iss)}.`,
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
