import { readFile } from 'node:fs/promises'
import type { MappingView } from '../mapping/mappings.ts'
import type { PreviewView } from '../mapping/previews.ts'
import type { Json } from '../scim/json.ts'
import { isObject, own } from '../scim/json.ts'
import type { ApiClient } from './api-client.ts'
import type { Values } from './service-command.ts'
import { runServiceCommand } from './service-command.ts'
import type { CommandIo } from './terminal/io.ts'
import { createPalette } from './terminal/palette.ts'
import { renderTable } from './terminal/table.ts'

const help = `Usage: rollcall mapping show|preview|apply --directory <id> | --product <product> [options]

Manages the mapping of roles and attributes of a directory, or of a product as the default of its directories.

  show      print the mapping in effect as JSON
  preview   show the changes that the mapping in a file would make
  apply     replace the mapping by that in a file

  --directory <id>     the directory
  --product <product>  the product
  --file <file>        preview, apply: the mapping as JSON
  --version <version>  apply: only if this is still the last version, as show says
  --url <address>      the address of the service (default: http://localhost:<PORT>)
  --api-key <key>      the API key for the service (default: ROLLCALL_API_KEY)
  -h, --help           show this text

Example: rollcall mapping preview --directory 019a9c1e-7b5e-7f10-9d3c-5b1f0a3cd101 --file mapping.json
`

/** Runs `rollcall mapping` and returns the exit code: 0 done, 1 failed, 2 wrong arguments. */
export function mappingCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  const command = {
    ...{ name: 'mapping', help, optionNames: ['directory', 'product', 'file', 'version'] },
    ...{ actions: { show, preview, apply }, whatToDo: 'Say what to do: show, preview or apply.', problemsOf },
  }
  return runServiceCommand(command, argv, io)
}

function problemsOf({ directory, product, file, version }: Values, action: string | undefined): string[] {
  return [
    ...((directory === undefined) === (product === undefined)
      ? ['Name either the directory with --directory <id> or the product with --product <product>.']
      : []),
    ...(action !== 'show' && action !== undefined && file === undefined
      ? ['Name the mapping with --file <file>.']
      : []),
    ...(version !== undefined && !/^\d{1,15}$/.test(version) ? ['--version is a number.'] : []),
  ]
}

/** The path of the mapping, with what follows it. */
function pathOf({ directory, product = '' }: Values, rest = ''): string {
  const query = `?product=${encodeURIComponent(product)}`
  return directory === undefined ? `/mapping${rest}${query}` : `/${encodeURIComponent(directory)}/mapping${rest}`
}

async function show(client: ApiClient, values: Values, io: CommandIo): Promise<void> {
  const { mapping, inherited, version } = own(await client.get(pathOf(values), {}), 'data') as unknown as MappingView
  if (mapping === null) {
    io.stderr.write('There is no mapping.\n')
    return
  }
  io.stderr.write(`Version ${version}${inherited ? ', inherited from the product' : ''}\n`)
  io.stdout.write(`${JSON.stringify(mapping, null, 2)}\n`)
}

/** @throws Error when the file cannot be read or is not JSON */
async function mappingIn(file = ''): Promise<Json> {
  const bytes = await readFile(file)
  try {
    const read: Json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    // `{"mapping": …}` is what the API takes.
    return (isObject(read) ? own(read, 'mapping') : undefined) ?? read
  } catch (cause) {
    throw new Error(`${file} is not JSON in UTF-8: correct it.`, { cause })
  }
}

async function preview(client: ApiClient, values: Values, io: CommandIo): Promise<void> {
  const body = { mapping: await mappingIn(values['file']) }
  const found = own(await client.send('POST', pathOf(values, '/preview'), body), 'data') as unknown as PreviewView
  const { evaluated, changed, roles = {}, attributes = {}, warnings = [], users } = found
  io.stdout.write(`${changed} of ${evaluated} users would change.\n`)
  const counts = [
    ...Object.entries(roles).map(([role, { gain, lose }]) => [role, `+${gain}`, `-${lose}`]),
    ...Object.entries(attributes).map(([name, count]) => [`attributes.${name}`, String(count), '']),
  ]
  const palette = createPalette(io)
  const titles = (...names: readonly string[]) => names.map((title) => ({ title }))
  if (counts.length > 0) io.stdout.write(`\n${renderTable(titles('what', 'gain', 'lose'), counts, palette)}`)
  const rows = users
    .slice(0, shownUsers)
    .map(({ email, before, after, because }) => [
      ...[email, before.roles.join(', '), after.roles.join(', ')],
      because.map(({ rule }) => rule ?? 'default').join(', '),
    ])
  if (rows.length > 0)
    io.stdout.write(`\n${renderTable(titles('user', 'roles', 'afterwards', 'because'), rows, palette)}`)
  for (const { message } of warnings) io.stderr.write(`Warning: ${message}\n`)
}

const shownUsers = 50

async function apply(client: ApiClient, values: Values, io: CommandIo): Promise<void> {
  const { file, version } = values
  const body = { mapping: await mappingIn(file), ...(version === undefined ? {} : { version: Number(version) }) }
  const put = own(await client.send('PUT', pathOf(values), body), 'data') as unknown as MappingView
  io.stdout.write(`Version ${put.version} is in effect.\n`)
  if (put.run?.state === 'running')
    io.stderr.write(`${put.run.total} users are being evaluated: GET /:id/mapping shows the progress.\n`)
}
