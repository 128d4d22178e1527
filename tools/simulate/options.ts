import { parseArgs } from 'node:util'
import { Invalid } from '../../src/app/setting-kinds.ts'
import { settingTable, settingText } from '../../src/app/settings.ts'
import type { Accident } from './accident.ts'
import { accidents, isAccident } from './accident.ts'
import type { DialectName } from './dialects.ts'
import { dialectNames, isDialectName, unknownDialect } from './dialects.ts'
import type { SignInMethod } from './sign-in.ts'
import { isSignInMethod, signInMethods } from './sign-in.ts'

export interface SimulateArguments {
  readonly dialect: DialectName
  readonly target: SimulateTarget
  readonly users: number
  readonly groups: number
  readonly ratePerSecond: number
  readonly concurrency: number
  readonly seed: number
  readonly offboardPercent: number
  readonly accident: Accident | undefined
  readonly repair: boolean
  readonly auth: SignInMethod
}

/** The directory to provision, looked up over the API or by its SCIM address. */
export type SimulateTarget =
  | { readonly kind: 'directory'; readonly directoryId: string; readonly baseUrl: string; readonly apiKey: string }
  | { readonly kind: 'scim'; readonly scimUrl: string; readonly secret: string }

export type ParsedArguments =
  | { readonly kind: 'arguments'; readonly arguments: SimulateArguments }
  | { readonly kind: 'help' }
  | { readonly kind: 'problems'; readonly problems: readonly string[] }

const textOptions = ['directory', 'url', 'api-key', 'scim-url', 'secret', 'accident', 'auth'] as const

/** More than the default removal limit allows. */
const usersOfAccident = 60

/** Numeric options with their bounds; `rate` may have decimals. */
const numberOptions = {
  users: { fallback: 20, least: 1, most: 1_000_000 },
  groups: { fallback: 3, least: 0, most: 100_000 },
  rate: { fallback: 0, least: 0, most: 100_000, decimal: true },
  concurrency: { fallback: 4, least: 1, most: 512 },
  seed: { fallback: 1, least: 0, most: 4_294_967_295 },
  offboard: { fallback: 10, least: 0, most: 100 },
} as const satisfies Record<string, { fallback: number; least: number; most: number; decimal?: boolean }>

type NumberOption = keyof typeof numberOptions
type Values = Readonly<Record<string, string | boolean | undefined>>
type Environment = Readonly<Record<string, string | undefined>>

/**
 * Parses the arguments after `rollcall simulate` and reports all problems together. Unknown options and missing values
 * are reported alone, since the arguments after them are misread.
 */
export function parseSimulateArguments(argv: readonly string[], env: Environment): ParsedArguments {
  const { values, positionals, unknown } = tokenize(argv)
  if (values['help'] === true) return { kind: 'help' }
  const problems = [...unknown.map((name) => `There is no option ${name}.`), ...missingValues(values)]
  if (problems.length > 0) return { kind: 'problems', problems }
  const read = (name: NumberOption) => readNumber(name, values, problems)
  const accident = readAccident(values, problems)
  const figures = {
    ...{ accident, repair: values['repair'] === true },
    users: accident !== undefined && textOf(values, 'users') === undefined ? usersOfAccident : read('users'),
    groups: read('groups'),
    ratePerSecond: read('rate'),
    concurrency: read('concurrency'),
    seed: read('seed'),
    offboardPercent: read('offboard'),
  }
  const dialect = readDialect(positionals, problems)
  const target = readTarget(values, env, problems)
  const auth = readSignIn(values, dialect, problems)
  if (problems.length > 0 || dialect === undefined || target === undefined) return { kind: 'problems', problems }
  return { kind: 'arguments', arguments: { dialect, target, auth, ...figures } }
}

function tokenize(argv: readonly string[]) {
  const valued = [...textOptions, ...Object.keys(numberOptions)]
  const { values, positionals, tokens } = parseArgs({
    args: [...argv],
    strict: false,
    allowPositionals: true,
    tokens: true,
    options: {
      help: { type: 'boolean', short: 'h' },
      repair: { type: 'boolean' },
      ...Object.fromEntries(valued.map((name) => [name, { type: 'string' as const }])),
    },
  })
  const names = new Set(['help', 'repair', ...valued])
  const unknown = tokens.flatMap((token) => (token.kind === 'option' && !names.has(token.name) ? [token.rawName] : []))
  return { values: values as Values, positionals, unknown }
}

function missingValues(values: Values): string[] {
  return [...textOptions, ...Object.keys(numberOptions)]
    .filter((name) => values[name] === true || values[name] === '' || String(values[name] ?? '').startsWith('--'))
    .map((name) => `--${name} needs a value.`)
}

function textOf(values: Values, name: string): string | undefined {
  const value = values[name]
  return typeof value === 'string' && value !== '' && !value.startsWith('--') ? value : undefined
}

function readNumber(name: NumberOption, values: Values, problems: string[]): number {
  const bounds: { fallback: number; least: number; most: number; decimal?: boolean } = numberOptions[name]
  const text = textOf(values, name)
  if (text === undefined) return bounds.fallback
  const number = (bounds.decimal ? /^\d+(\.\d+)?$/ : /^\d+$/).test(text) ? Number(text) : Number.NaN
  if (number >= bounds.least && number <= bounds.most) return number
  const kind = bounds.decimal ? 'a number' : 'a whole number'
  problems.push(`--${name} must be ${kind} from ${bounds.least} to ${bounds.most}, not ${JSON.stringify(text)}.`)
  return bounds.fallback
}

function readAccident(values: Values, problems: string[]): Accident | undefined {
  const text = textOf(values, 'accident')
  if (text === undefined) {
    if (values['repair'] === true) problems.push(`--repair needs --accident: one of ${accidents.join(', ')}.`)
    return undefined
  }
  if (isAccident(text)) return text
  problems.push(`--accident must be one of ${accidents.join(', ')}, not ${JSON.stringify(text)}.`)
  return undefined
}

/** The way to sign in. OAuth clients are created over the API, and only Entra ID has a fake issuer. */
function readSignIn(values: Values, dialect: DialectName | undefined, problems: string[]): SignInMethod {
  const text = textOf(values, 'auth') ?? 'token'
  if (!isSignInMethod(text)) {
    problems.push(`--auth must be one of ${signInMethods.join(', ')}, not ${JSON.stringify(text)}.`)
    return 'token'
  }
  if (text !== 'token' && textOf(values, 'scim-url') !== undefined) {
    problems.push(`--auth ${text} needs --directory: it creates an OAuth client over the API.`)
  }
  if (text === 'federation' && dialect !== undefined && dialect !== 'entra' && dialect !== 'entra-flag') {
    problems.push(`--auth federation is for entra and entra-flag, not for ${dialect}.`)
  }
  return text
}

function readDialect(positionals: readonly string[], problems: string[]): DialectName | undefined {
  const [name, ...rest] = positionals
  for (const extra of rest) problems.push(`${JSON.stringify(extra)} is an unexpected argument.`)
  if (name !== undefined && isDialectName(name)) return name
  problems.push(name === undefined ? `Name an identity provider: ${dialectNames.join(', ')}.` : unknownDialect(name))
  return undefined
}

function readTarget(values: Values, env: Environment, problems: string[]): SimulateTarget | undefined {
  const direct = textOf(values, 'scim-url') !== undefined || textOf(values, 'secret') !== undefined
  return direct ? readScimTarget(values, problems) : readDirectoryTarget(values, env, problems)
}

function readScimTarget(values: Values, problems: string[]): SimulateTarget | undefined {
  const scimUrl = textOf(values, 'scim-url')
  const secret = textOf(values, 'secret')
  if (textOf(values, 'directory') !== undefined) problems.push('Use either --directory or --scim-url, not both.')
  if (scimUrl === undefined) problems.push('--secret requires --scim-url.')
  else checkUrl('--scim-url', scimUrl, problems)
  if (secret === undefined) problems.push('--scim-url requires --secret.')
  return scimUrl === undefined || secret === undefined ? undefined : { kind: 'scim', scimUrl, secret }
}

function readDirectoryTarget(values: Values, env: Environment, problems: string[]): SimulateTarget | undefined {
  const directoryId = textOf(values, 'directory')
  const apiKey = textOf(values, 'api-key') ?? firstOf(env['ROLLCALL_API_KEY']) ?? firstOf(apiKeysOf(env, problems))
  const baseUrl = textOf(values, 'url') ?? env['EXTERNAL_URL'] ?? `http://localhost:${env['PORT'] ?? '5225'}`
  if (directoryId === undefined) problems.push('Name the directory to provision: --directory <id>.')
  if (apiKey === undefined) problems.push('Pass an API key: --api-key <key>, or set ROLLCALL_API_KEY.')
  checkUrl('--url', baseUrl, problems)
  if (directoryId === undefined || apiKey === undefined) return undefined
  return { kind: 'directory', directoryId, apiKey, baseUrl: baseUrl.replace(/(?<!\/)\/+$/, '') }
}

/** The API keys of the service, from the environment or from the file that it names. */
function apiKeysOf(env: Environment, problems: string[]): string | undefined {
  const keys = settingText('API_KEYS', settingTable.API_KEYS, env)
  if (!(keys instanceof Invalid)) return keys
  problems.push(`API_KEYS ${keys.reason}.`)
  return undefined
}

function checkUrl(option: string, text: string, problems: string[]): void {
  const protocol = URL.parse(text)?.protocol
  if (protocol === 'http:' || protocol === 'https:') return
  problems.push(`${option} must be an address that starts with http:// or https://, not ${JSON.stringify(text)}.`)
}

function firstOf(list: string | undefined): string | undefined {
  return list
    ?.split(',')
    .map((key) => key.trim())
    .find((key) => key !== '')
}

export const simulateHelp = `Usage: rollcall simulate <provider> --directory <id> [options]

Provisions a directory with the SCIM requests that an identity provider sends: creates users,
updates some of them, pushes groups and offboards some users.

Providers: ${dialectNames.join(', ')}

Target
  --directory <id>     the directory; its SCIM path and secret are looked up over the API
  --url <address>      the service (default: EXTERNAL_URL or http://localhost:<PORT>)
  --api-key <key>      the API key (default: ROLLCALL_API_KEY or the first of API_KEYS,
                       also from API_KEYS_FILE)
  --scim-url <address> --secret <secret>
                       a SCIM address and its secret, without using the API

Authentication
  --auth <way>         token (default): the secret of the directory; secret: a new OAuth client with
                       a secret; federation: a new OAuth client that trusts a fake Entra tenant, for
                       entra and entra-flag. The client is deleted at the end

Load
  --users <n>          users to create (default 20)
  --groups <n>         groups to push (default 3)
  --offboard <percent> percentage of users to offboard (default 10)
  --rate <n>           requests per second (default 0: unlimited)
  --concurrency <n>    connections (default 4)
  --seed <n>           the same seed generates the same people (default 1)

Accidents
  --accident <kind>    users lose access by mistake: unassign-all (the application is unassigned) or
                       wrong-group (it is assigned to one group only); with 60 users by default
  --repair             assigns the same users again

Example: rollcall simulate okta --directory 01a1fc6d-24d7-71cc-a136-943430eb91bb --users 5

  -h, --help           show this text

Exit codes: 0 every call succeeded, 1 a call failed, 2 wrong arguments, 130 interrupted.
`
