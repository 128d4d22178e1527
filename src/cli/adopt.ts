import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import type { AdoptionView } from '../adoption/adoptions.ts'
import { plainText } from '../directory/audit.ts'
import { own } from '../scim/json.ts'
import type { ApiClient } from './api-client.ts'
import { ApiError } from './api-client.ts'
import type { Values } from './service-command.ts'
import { runServiceCommand } from './service-command.ts'
import type { CommandIo } from './terminal/io.ts'
import { countOf } from './terminal/quantity.ts'

const help = `Usage: rollcall adopt plan|apply --directory <id> [options]

Links the users of a directory to the accounts that your product already has.

  plan     show how many users would be linked, and the first conflicts
  apply    show the same, ask, and link; conflicts are never linked

  --file <file>        the accounts; - is the standard input (default: the list that was sent last)
  --directory <id>     the directory, or
  --tenant <tenant>    with --product <product>: the directory of this tenant for this product
  --yes                apply: do not ask
  --url <address>      the address of the service (default: http://localhost:<PORT>)
  --api-key <key>      the API key for the service (default: ROLLCALL_API_KEY)
  -h, --help           show this text

Each line of the file is an account like this one, or the file is a JSON array of them. Only account_id is required; a user
is found by external_id, else by user_name, else by email:

  {"account_id": "acct_8231", "external_id": "00u1", "user_name": "maya", "email": "maya@acme.example"}

Example: rollcall adopt plan --directory 019a9c1e-7b5e-7f10-9d3c-5b1f0a3cd101 --file accounts.ndjson
`

/** Runs `rollcall adopt` and returns the exit code: 0 done, 1 failed or not confirmed, 2 wrong arguments. */
export function adoptCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  const command = {
    ...{ name: 'adopt', help, optionNames: ['directory', 'tenant', 'product', 'file'], flagNames: ['yes'] },
    ...{ actions: { plan, apply }, whatToDo: 'Say what to do: plan or apply.', problemsOf },
  }
  return runServiceCommand(command, argv, io)
}

function problemsOf({ directory, tenant, product, file, yes }: Values, action: string | undefined): string[] {
  const isNamed = directory === undefined ? tenant && product : !(tenant ?? product)
  const needsYes = action === 'apply' && file === '-' && yes === undefined
  return [
    ...(isNamed
      ? []
      : ['Name the directory with --directory <id>, or with --tenant <tenant> and --product <product>.']),
    ...(needsYes ? ['Pass --yes: the list is where the answer to a question would come from.'] : []),
  ]
}

/** Sends the list, if there is one, and prints its plan. */
async function plan(client: ApiClient, values: Values, io: CommandIo) {
  const { directory: id = await idOf(client, values), file } = values
  const path = `/${encodeURIComponent(id)}/adoption`
  if (file !== undefined) {
    const list = file === '-' ? io.stdin() : createReadStream(file)
    // An array begins with a bracket, a list of lines does not.
    await once(list, 'readable')
    const beginning: Buffer | null = list.read()
    if (beginning !== null) list.unshift(beginning)
    await client.send('POST', path, list, `application/${/^\s*\[/.test(`${beginning}`) ? 'json' : 'x-ndjson'}`)
  }
  const planned = await read(client, path)
  if (planned.state === 'none') throw new Error('There is no list: pass one with --file <file>.')
  io.stdout.write(planText(planned))
  return { path, ...planned }
}

/** @throws Error when the tenant has no directory for the product, or several */
async function idOf(client: ApiClient, { tenant, product }: Values): Promise<string> {
  const found = own(await client.get('', { tenant, product }), 'data') as unknown as readonly { readonly id: string }[]
  const [directory] = found
  if (directory === undefined) throw new Error('The tenant has no directory for this product: check both names.')
  if (found.length === 1) return directory.id
  const ids = found.map(({ id }) => `\n  ${id}`).join('')
  throw new Error(`The tenant has several directories for this product: pass one of them with --directory.${ids}`)
}

/** The plan, with the first conflicts. */
async function read(client: ApiClient, path: string): Promise<AdoptionView> {
  return own(await client.get(path, { kind: 'conflict', pageLimit: '20' }), 'data') as unknown as AdoptionView
}

const meanings = {
  link: 'users would be linked to an account',
  linked: 'users are linked to an account already',
  create: 'users have no account',
  unmatched: 'accounts belong to no user',
  conflict: 'conflicts, in which nobody is linked',
} as const

function planText({ accounts, sent_at, counts, entries }: AdoptionView): string {
  const numbers = Object.entries(meanings).map(([kind, meaning]) => {
    const count = counts[kind as keyof typeof meanings].toLocaleString('en-US')
    return `  ${count.padStart(7)}  ${meaning}\n`
  })
  const conflicts = entries.flatMap((entry) => {
    if (entry.kind !== 'conflict') return []
    const names = [...entry.users.map(({ user_name }) => user_name), ...entry.account_ids].join(', ')
    return [`\n  ${plainText(names, shownLength)}\n    ${entry.message}\n`]
  })
  const more = counts.conflict - conflicts.length
  return [
    `${countOf(accounts, 'account')}, sent at ${sent_at}\n\n`,
    ...numbers,
    ...conflicts,
    ...(more > 0 ? [`\n  and ${countOf(more, 'more conflict')}: see them in the console\n`] : []),
  ].join('')
}

const shownLength = 200

async function apply(client: ApiClient, values: Values, io: CommandIo): Promise<void> {
  const { path, version, counts } = await plan(client, values, io)
  if (values['yes'] === undefined && !(await isConfirmed(`Link ${countOf(counts.link, 'user')}?`, io)))
    throw new Error('Nobody was linked: answer y, or pass --yes.')
  const applied = await client.send('POST', `${path}/apply`, { version }).catch((cause: unknown) => {
    if (!(cause instanceof ApiError && cause.status === 409)) throw cause
    throw new Error('Nobody was linked, as the plan has changed meanwhile: run the command again.', { cause })
  })
  const { links } = own(applied, 'data') as unknown as { readonly links: number }
  while ((await read(client, path)).state === 'applying') await wait(pollMs, undefined, { signal: io.signal })
  io.stdout.write(`${countOf(links, 'user is', 'users are')} linked. Events that were held for this are sent now.\n`)
}

const pollMs = 1_000

async function isConfirmed(question: string, { stdin, stderr, signal }: CommandIo): Promise<boolean> {
  stderr.write(`${question} [y/N] `)
  for await (const line of createInterface({ input: stdin(), signal })) return /^y(es)?$/i.test(line.trim())
  return false
}
