import { isIP } from 'node:net'
import { parseEncryptionKeys } from '../store/encryption-key.ts'

/** What one setting may be: its text is parsed once, or refused with a sentence. */
interface Setting<T> {
  readonly fallback: T
  /** For the documentation: what it does, with unit and bounds. */
  readonly meaning: string
  readonly parse: (text: string) => T | Refused
}

class Refused {
  readonly why: string
  constructor(why: string) {
    this.why = why
  }
}

const refused = (why: string): Refused => new Refused(why)

function wholeNumber(fallback: number, least: number, most: number, meaning: string): Setting<number> {
  return {
    fallback,
    meaning: `${meaning} (${least} to ${most})`,
    parse(text) {
      const value = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN
      return value >= least && value <= most ? value : refused(`must be a whole number from ${least} to ${most}`)
    },
  }
}

function flag(fallback: boolean, meaning: string): Setting<boolean> {
  return {
    fallback,
    meaning: `${meaning} (true or false)`,
    parse: (text) => (text === 'true' ? true : text === 'false' ? false : refused('must be true or false')),
  }
}

function text<T extends string | undefined>(
  fallback: T,
  meaning: string,
  check: (text: string) => string | undefined = () => undefined,
): Setting<T | string> {
  return {
    fallback,
    meaning,
    parse(given) {
      const why = check(given)
      return why === undefined ? given : refused(why)
    },
  }
}

function oneOf<T extends string>(fallback: T, all: readonly T[], meaning: string): Setting<T> {
  return {
    fallback,
    meaning: `${meaning} (${all.join(', ')})`,
    parse: (given) => all.find((one) => one === given) ?? refused(`must be one of ${all.join(', ')}`),
  }
}

function checkUrl(given: string): string | undefined {
  if (!URL.canParse(given)) return 'must be an address like https://rollcall.example.com'
  const { protocol, search, hash } = new URL(given)
  if (protocol !== 'https:' && protocol !== 'http:') return 'must begin with https:// or http://'
  return search !== '' || hash !== '' ? 'must have no query and no fragment' : undefined
}

const apiKeys: Setting<readonly string[]> = {
  fallback: [],
  meaning:
    'The keys of the directory-sync API, separated by commas; 32 random bytes are a good key. Unset on the embedded database: one is made at first start.',
  parse(given) {
    const keys = given.split(',').map((key) => key.trim())
    return keys.includes('') ? refused('must be keys separated by single commas') : keys
  },
}

const maxProxies = 16

const trustProxy: Setting<number | string | undefined> = {
  fallback: undefined,
  meaning:
    'Whose X-Forwarded-For says where a request came from: the addresses and networks of the proxies in front (10.0.0.0/8), separated by commas, or, if nobody gets past them, how many they are; unset: nobody’s.',
  parse(given) {
    if (/^\d{1,2}$/.test(given) && Number(given) <= maxProxies) return Number(given)
    const networks = given.split(',').map((network) => network.trim())
    return networks.every(isNetwork)
      ? networks.join(',')
      : refused(
          `must be a number of proxies from 0 to ${maxProxies}, or addresses and networks like 10.0.0.0/8, separated by commas`,
        )
  },
}

/** An address, or a network of fewer than all of them: if everybody were a proxy, everybody could say anything. */
function isNetwork(given: string): boolean {
  const [address = '', bits, ...more] = given.split('/')
  if (isIP(address) === 0 || address.includes('%') || more.length > 0) return false
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (isIP(address) === 4 ? 32 : 128))
}

const corsOrigins: Setting<readonly string[]> = {
  fallback: [],
  meaning:
    'The origins whose pages may call the APIs from a browser, like https://console.example.com, separated by commas; unset: none.',
  parse(given) {
    const origins = given.split(',').map((origin) => origin.trim())
    return origins.every(isOrigin)
      ? origins
      : refused('must be origins like https://console.example.com, without a path, separated by commas')
  },
}

/** As browsers write it, since it is compared with what they send. */
function isOrigin(given: string): boolean {
  return /^https?:[^*]+$/.test(given) && URL.canParse(given) && new URL(given).origin === given
}

/** Every setting, by the name it has in the environment. */
export const settingTable = {
  PORT: wholeNumber(5225, 0, 65_535, 'The port to listen on; 0 takes a free one'),
  HOST: text('0.0.0.0', 'The address to listen on.'),
  EXTERNAL_URL: text(
    undefined,
    'The address by which others reach this service; unset: http://localhost:PORT.',
    checkUrl,
  ),
  TRUST_PROXY: trustProxy,
  CORS_ORIGINS: corsOrigins,
  DATABASE_URL: text(
    'sqlite:./data/rollcall.db',
    'sqlite:<file> for the embedded database, or postgres://….',
    (given) => (/^(sqlite:.|postgres(ql)?:\/\/.)/.test(given) ? undefined : 'must begin with sqlite: or postgres://'),
  ),
  DATABASE_POOL_SIZE: wholeNumber(10, 1, 200, 'Connections to PostgreSQL, per process'),
  API_KEYS: apiKeys,
  ADMIN_ROOT_TOKEN: text(
    undefined,
    'The token that opens the admin API; 32 random bytes are a good token. Unset: that API is off.',
    (given) =>
      /^[\x21-\x7e]{16,1024}$/.test(given)
        ? undefined
        : 'must be 16 to 1024 letters, digits and signs of ASCII, without blanks',
  ),
  ENCRYPTION_KEY: text(
    undefined,
    'What secrets are encrypted with: 32 bytes in base64 or hexadecimal; several, separated by commas, to rotate (the first encrypts). Unset on the embedded database: one is made and kept beside it.',
    (given) =>
      parseEncryptionKeys(given) === undefined
        ? 'must be 32 bytes in base64 or 64 hexadecimal digits; separate several keys by commas'
        : undefined,
  ),
  DSYNC_WEBHOOK_TIMEOUT: wholeNumber(15_000, 100, 120_000, 'How long an endpoint may take to answer, in milliseconds'),
  DSYNC_WEBHOOK_SIGNATURE_HEADER: text(
    undefined,
    'The name of a second header with a signature in the older form t=…,s=….',
    (given) => (/^[a-z][a-z0-9-]*$/i.test(given) ? undefined : 'must be a header name of letters, digits and hyphens'),
  ),
  DSYNC_WEBHOOK_BATCH_SIZE: wholeNumber(
    0,
    0,
    1000,
    'How many events go out in one request, as a list; 0 sends each by itself as it comes',
  ),
  DSYNC_WEBHOOK_BATCH_CRON_INTERVAL: wholeNumber(
    0,
    0,
    86_400,
    'In batch mode, every how many seconds events are sent; 0 only when POST /cron/process-events asks for it',
  ),
  DSYNC_WEBHOOK_BLOCK_PRIVATE: flag(false, 'Refuse endpoints in private networks and on this machine'),
  DSYNC_WEBHOOK_LOGS_TTL: wholeNumber(7, 1, 365, 'How many days the delivery log keeps a delivery'),
  DSYNC_EXTDIR_CLIENT_ID: text(
    undefined,
    'The OAuth client for Google Workspace; unset: only service accounts connect.',
  ),
  DSYNC_EXTDIR_CLIENT_SECRET: text(undefined, 'The secret of that client.'),
  DSYNC_EXTDIR_AUTH_URL: text(
    'https://accounts.google.com/o/oauth2/v2/auth',
    'Where administrators of Google Workspace consent.',
    checkUrl,
  ),
  DSYNC_EXTDIR_TOKEN_URL: text('https://oauth2.googleapis.com/token', 'Where tokens come from.', checkUrl),
  DSYNC_EXTDIR_API_URL: text(
    'https://admin.googleapis.com',
    'The root of the Directory API, before /admin/directory/v1.',
    checkUrl,
  ),
  DSYNC_EXTDIR_CRON_INTERVAL: wholeNumber(
    0,
    0,
    604_800,
    'Every how many seconds Google Workspace directories are synced; 0 only when asked for',
  ),
  DSYNC_EXTDIR_MAX_DELETE_PERCENT: wholeNumber(
    30,
    0,
    100,
    'How much of a directory a sync may delete, in percent; more waits for an approval',
  ),
  EVENT_RETENTION_DAYS: wholeNumber(
    30,
    1,
    3650,
    'How many days an event is kept; longer only while it is not delivered',
  ),
  AUDIT_RETENTION_DAYS: wholeNumber(0, 0, 36_500, 'How many days the audit trail is kept; 0 for ever'),
  SCIM_BODY_LIMIT: wholeNumber(5_242_880, 1024, 104_857_600, 'The largest SCIM request body, in bytes'),
  SCIM_RATE_LIMIT: wholeNumber(0, 0, 100_000, 'SCIM requests per second and directory, in each process; 0 for any'),
  LOG_LEVEL: oneOf('info', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'What is logged'),
} satisfies Record<string, Setting<unknown>>

export type SettingName = keyof typeof settingTable

/** The value of every setting. */
export type Settings = {
  readonly [Name in SettingName]: Exclude<ReturnType<(typeof settingTable)[Name]['parse']>, Refused>
}

/** The settings are wrong; `problems` has a sentence for each. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

/**
 * Reads the settings from an environment. An empty text counts as unset.
 *
 * @throws SettingsError with every problem at once
 */
export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const problems: string[] = []
  const values: Record<string, unknown> = {}
  for (const [name, setting] of Object.entries<Setting<unknown>>(settingTable)) {
    const given = env[name]?.trim()
    const value = given === undefined || given === '' ? setting.fallback : setting.parse(given)
    if (value instanceof Refused) problems.push(`${name} ${value.why}.`)
    values[name] = value
  }
  const settings = values as Settings
  problems.push(...(problems.length === 0 ? combinationProblems(settings) : []))
  if (problems.length > 0) throw new SettingsError(problems)
  return settings
}

/** What must hold between settings. */
function combinationProblems(settings: Settings): string[] {
  return [...extdirProblems(settings), ...databaseProblems(settings)]
}

function extdirProblems({ DSYNC_EXTDIR_CLIENT_ID: id, DSYNC_EXTDIR_CLIENT_SECRET: secret }: Settings): string[] {
  if ((id === undefined) === (secret === undefined)) return []
  const [missing, given] = id === undefined ? ['ID', 'SECRET'] : ['SECRET', 'ID']
  return [`DSYNC_EXTDIR_CLIENT_${missing} must be set when DSYNC_EXTDIR_CLIENT_${given} is.`]
}

function databaseProblems({ DATABASE_URL, API_KEYS, ENCRYPTION_KEY }: Settings): string[] {
  if (DATABASE_URL.startsWith('sqlite:')) return []
  return [
    ...(API_KEYS.length > 0 ? [] : ['API_KEYS must be set when DATABASE_URL names a PostgreSQL database.']),
    ...(ENCRYPTION_KEY !== undefined
      ? []
      : [
          'ENCRYPTION_KEY must be set when DATABASE_URL names a PostgreSQL database: 32 bytes, for example the output of "openssl rand -base64 32".',
        ]),
  ]
}
