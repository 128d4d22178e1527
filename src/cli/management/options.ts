import { parseArgs } from 'node:util'
import type { CommandIo } from '../terminal/io.ts'

/** How a command reaches a running service. */
export interface ManagementArguments {
  /** Without a trailing slash; undefined means `http://localhost:<PORT>`. */
  readonly url: string | undefined
  /** The admin that the audit trail names. */
  readonly email: string
}

/** The parsed arguments after a command's name; `problems` has a sentence for each invalid one. */
export interface ParsedOptions {
  readonly isHelp: boolean
  readonly positionals: readonly string[]
  readonly values: Readonly<Record<string, string | undefined>>
  readonly problems: readonly string[]
}

/** The part of each command's help that describes these options. */
export const managementHelp = `  --url <address>      the running service (default: http://localhost:<PORT>)
  --email <address>    the admin that the audit trail names (default: operator@localhost.localdomain)
  -h, --help           show this text

This command reads the settings of the service from the environment or from a file .env and opens the database itself.
While a service is running on an embedded database, it calls the admin API of that service with ADMIN_ROOT_TOKEN.
`

/** Parses options that each take a value. */
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
  const texts = Object.fromEntries(names.map((name) => [name, textOf(values[name])]))
  return {
    isHelp: values['help'] === true,
    positionals,
    values: texts,
    problems: [
      ...tokens.flatMap((token) =>
        token.kind === 'option' && !known.has(token.name) ? [`There is no option ${token.rawName}.`] : [],
      ),
      ...names.filter((name) => name in values && texts[name] === undefined).map((name) => `--${name} needs a value.`),
    ],
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && !value.startsWith('--') ? value : undefined
}

export const managementOptionNames = ['url', 'email'] as const

/** The common options of a command without positional arguments, and all problems of its arguments. */
export function readManagement({ values, positionals, problems }: ParsedOptions): {
  readonly arguments: ManagementArguments
  readonly problems: readonly string[]
} {
  const { url, email = 'operator@localhost.localdomain' } = values
  return {
    arguments: { url: url?.replace(/\/+$/, ''), email },
    problems: [
      ...problems,
      ...positionals.map((extra) => `${JSON.stringify(extra)} is an unexpected argument.`),
      ...(url === undefined || /^https?:\/\/./.test(url)
        ? []
        : [`--url must be an address that starts with http:// or https://, not ${JSON.stringify(url)}.`]),
    ],
  }
}

/** Writes the problems of the arguments and returns the exit code. */
export function rejectArguments({ stderr }: CommandIo, problems: readonly string[], command: string): number {
  stderr.write(`${problems.join('\n')}\nRun rollcall ${command} --help for help.\n`)
  return 2
}
