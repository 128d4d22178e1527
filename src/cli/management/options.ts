import { parseArgs } from 'node:util'
import type { CommandIo } from '../terminal/io.ts'

/** How a command of the management reaches a service that is running. */
export interface ManagementArguments {
  /** Without a trailing slash; undefined: this machine and the port of the settings. */
  readonly url: string | undefined
  /** Whom the audit trail shall name. */
  readonly email: string
}

/** The arguments after a command's name: its options and what else there is, or what is wrong with them. */
export interface ParsedOptions {
  readonly isHelp: boolean
  readonly positionals: readonly string[]
  readonly values: Readonly<Record<string, string | undefined>>
  readonly problems: readonly string[]
}

/** What the help of each command says of them. */
export const managementHelp = `  --url <address>      of the running service (default: http://localhost:<PORT, else 5225>)
  --email <address>    whom its audit trail shall name (default: operator@localhost.localdomain)
  -h, --help           this text

The database is opened directly, with the settings of the service from the environment or a file .env. While a service
runs on an embedded database, it has the file: then it is asked over its admin API, with ADMIN_ROOT_TOKEN.
`

/** Reads options that each take a value; every problem becomes a sentence. */
export function parseOptions(argv: readonly string[], names: readonly string[]): ParsedOptions {
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]))
  const { values, positionals, tokens } = parseArgs({
    args: [...argv],
    strict: false,
    allowPositionals: true,
    tokens: true,
    options: { help: { type: 'boolean', short: 'h' }, ...options },
  })
  const known = new Set(['help', ...names])
  const given = Object.fromEntries(names.map((name) => [name, textOf(values[name])]))
  return {
    isHelp: values['help'] === true,
    positionals,
    values: given,
    problems: [
      ...tokens.flatMap((token) =>
        token.kind === 'option' && !known.has(token.name) ? [`There is no option ${token.rawName}.`] : [],
      ),
      ...names.filter((name) => name in values && given[name] === undefined).map((name) => `--${name} needs a value.`),
    ],
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && !value.startsWith('--') ? value : undefined
}

export const managementOptionNames = ['url', 'email'] as const

/** The common options, and every problem of the arguments of a command that takes nothing but options. */
export function readManagement({ values, positionals, problems }: ParsedOptions): {
  readonly arguments: ManagementArguments
  readonly problems: readonly string[]
} {
  const { url, email = 'operator@localhost.localdomain' } = values
  return {
    arguments: { url: url?.replace(/\/+$/, ''), email },
    problems: [
      ...problems,
      ...positionals.map((extra) => `${JSON.stringify(extra)} is one argument too many.`),
      ...(url === undefined || /^https?:\/\/./.test(url)
        ? []
        : [`--url must be an address that starts with http:// or https://, not ${JSON.stringify(url)}.`]),
    ],
  }
}

/** Tells what is wrong with the arguments; answers the exit code. */
export function refuseArguments({ stderr }: CommandIo, problems: readonly string[], command: string): number {
  stderr.write(`${problems.join('\n')}\nMore: rollcall ${command} --help\n`)
  return 2
}
