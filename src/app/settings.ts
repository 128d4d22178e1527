import { readFileSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { namesAdministrators } from '../admin/oidc/administrators.ts'
import type { ProviderSettings } from '../admin/oidc/identity-provider.ts'
import type { EgressPolicy } from '../delivery/endpoint/egress-policy.ts'
import { createEgressPolicy } from '../delivery/endpoint/egress-policy.ts'
import { createEgressProxy } from '../delivery/endpoint/proxy.ts'
import type { RemovalLimit } from '../directory/removal-limit.ts'
import { defaultRemovalLimit } from '../directory/removal-limit.ts'
import { isReturnUrl } from '../setup/inputs.ts'
import { parseEncryptionKeys } from '../store/encryption-key.ts'
import type { Setting } from './setting-kinds.ts'
import {
  database,
  flag,
  freeHeaderRule,
  headers,
  hostRule,
  Invalid,
  issuerRules,
  list,
  oneOf,
  originRule,
  proxies,
  proxyRule,
  publicUrl,
  text,
  urlRules,
  webhookUrlRules,
  wholeNumber,
  wordOrShare,
} from './setting-kinds.ts'
import { fileVariable, unknownSettings } from './unknown-settings.ts'

/** Every setting, by its environment variable. Defaults are declared only here. */
export const settingTable = {
  PORT: wholeNumber({
    defaultValue: 5225,
    ...{ min: 0, max: 65_535 },
    meaning: 'The port to listen on; 0 chooses a free one',
  }),
  HOST: text({
    defaultValue: '127.0.0.1',
    meaning: 'The address to listen on; 127.0.0.1 accepts connections from this machine only, 0.0.0.0 from all',
  }),
  METRICS_PORT: wholeNumber({
    defaultValue: undefined,
    ...{ min: 0, max: 65_535 },
    meaning: 'A separate port for /metrics; 0 chooses a free one. When unset, /metrics is on PORT',
  }),
  EXTERNAL_URL: publicUrl({
    meaning: 'The public address of the service, which may have a path; when unset, http://localhost:<PORT>',
  }),
  TRUST_PROXY: proxies({
    meaning:
      'The reverse proxies whose X-Forwarded-For is trusted for the client address: their addresses and networks (10.0.0.0/8), separated by commas, or, if clients cannot bypass them, their number; when unset, none',
  }),
  CORS_ORIGINS: list({
    meaning:
      'The origins, like https://console.example.com, whose pages may call the APIs from a browser, separated by commas; when unset, none',
    ...originRule,
  }),
  DATABASE_URL: database({
    isSecret: true,
    defaultValue: 'sqlite:./data/rollcall.db',
    meaning: 'The database: sqlite:<file> for the embedded one, or postgres://…, which may name several hosts',
    allowsSqlite: true,
  }),
  DATABASE_POOL_SIZE: wholeNumber({
    defaultValue: 10,
    ...{ min: 1, max: 200 },
    meaning: 'The number of PostgreSQL connections per process',
  }),
  DATABASE_DIRECT_URL: database({
    isSecret: true,
    defaultValue: undefined,
    meaning:
      'The address of the PostgreSQL server itself, for notices between processes and for migrations, when DATABASE_URL is that of a pooler in transaction mode',
    allowsSqlite: false,
  }),
  API_KEYS: list({
    isSecret: true,
    meaning:
      'The keys of the directory-sync API, at least 16 characters each, separated by commas; use 32 random bytes for each. When unset on the embedded database, one is generated at the first start',
    accepts: (key) => key.length >= 16 && !/[\r\n]/.test(key),
    mustBe: 'be keys of at least 16 characters each, separated by single commas',
  }),
  ADMIN_ROOT_TOKEN: text(
    {
      isSecret: true,
      defaultValue: undefined,
      meaning: 'The token for logging in to the admin API; use at least 32 random bytes. When unset, that API is off',
    },
    {
      accepts: (value) => /^[\x21-\x7e]{16,1024}$/.test(value),
      mustBe: 'be 16 to 1024 ASCII letters, digits and symbols, without spaces',
    },
  ),
  CONSOLE_OIDC_ISSUER: text(
    { defaultValue: undefined, meaning: 'The OpenID Connect issuer with which admins sign in; when unset, none' },
    ...issuerRules,
  ),
  CONSOLE_OIDC_CLIENT_ID: text({ defaultValue: undefined, meaning: 'The client ID of the console at that provider' }),
  CONSOLE_OIDC_CLIENT_SECRET: text({ isSecret: true, defaultValue: undefined, meaning: 'The secret of that client' }),
  CONSOLE_OIDC_ADMINS: list({
    meaning: 'The admins: email addresses, domains like @example.com, claims like groups=Platform, separated by commas',
    accepts: namesAdministrators,
    mustBe: 'be email addresses, domains like @example.com and claims like groups=Platform, separated by commas',
  }),
  ENCRYPTION_KEY: text(
    {
      isSecret: true,
      defaultValue: undefined,
      meaning:
        'The key that encrypts secrets at rest: 32 bytes in base64 or hexadecimal. To rotate it, list several keys, separated by commas; the first one encrypts. When unset on the embedded database, one is generated and kept next to it',
    },
    {
      accepts: (value) => parseEncryptionKeys(value) !== undefined,
      mustBe: 'be 32 bytes in base64 or 64 hexadecimal digits; separate several keys by commas',
    },
  ),
  PORTAL_NAME: text({ defaultValue: undefined, meaning: 'The name of your product, which the setup portal shows' }),
  PORTAL_LOGO_URL: text(
    { defaultValue: undefined, meaning: 'The address of a logo, which the setup portal shows' },
    {
      accepts: (value) => URL.canParse(value) && new URL(value).protocol === 'https:' && !/[\s;,]/.test(value),
      mustBe: 'be an address that begins with https://, without spaces, commas and semicolons',
    },
  ),
  PORTAL_COLOR: text(
    { defaultValue: undefined, meaning: 'The accent color of the setup portal, like #1d4ed8' },
    { accepts: (value) => /^#[0-9a-f]{6}$/i.test(value), mustBe: 'be a color like #1d4ed8' },
  ),
  PORTAL_LISTED_IN: list({
    meaning:
      'The catalogs that list your product with SCIM, separated by commas: okta, entra; the setup portal then shows how to add it from there. When unset, none',
    accepts: (name) => ['okta', 'entra'].includes(name),
    mustBe: 'be okta, entra, or both separated by a comma',
  }),
  PORTAL_RETURN_URL: text(
    {
      defaultValue: undefined,
      meaning: 'The page of your product to which the setup portal leads back; return_url of a setup link replaces it',
    },
    { accepts: isReturnUrl, mustBe: 'be an address that begins with https:// or http://, without spaces' },
  ),
  PORTAL_FRAME_ANCESTORS: list({
    meaning:
      'The origins, like https://app.example.com, whose pages may show the setup portal in a frame, separated by commas; when unset, none',
    ...originRule,
  }),
  DSYNC_WEBHOOK_TIMEOUT: wholeNumber({
    defaultValue: 15_000,
    ...{ min: 100, max: 120_000, unit: 'ms' },
    meaning: 'How long an endpoint may take to respond',
  }),
  DSYNC_WEBHOOK_SIGNATURE_HEADER: list({
    meaning:
      'The names of additional headers that carry the signature in the form t=…,s=…, separated by commas; when unset, none, or with POLIS_COMPAT those of Polis',
    ...freeHeaderRule,
  }),
  DSYNC_WEBHOOK_BATCH_SIZE: wholeNumber({
    defaultValue: 0,
    ...{ min: 0, max: 1000 },
    meaning:
      'The maximum number of events in one request, sent as a list; 0 sends every event separately and immediately',
  }),
  DSYNC_WEBHOOK_BATCH_CRON_INTERVAL: wholeNumber({
    defaultValue: 0,
    ...{ min: 0, max: 86_400, unit: 's' },
    meaning: 'In batch mode, the time between batches; 0 sends them only when POST /cron/process-events is called',
  }),
  DSYNC_WEBHOOK_ALLOW_PRIVATE: list({
    meaning:
      'The hosts, addresses and networks (10.0.0.0/8), separated by commas, that may be endpoints although they are in a private network or on this machine; when unset, none, or loopback addresses if EXTERNAL_URL is on localhost',
    ...hostRule,
  }),
  DSYNC_WEBHOOK_PROXY: text(
    {
      isSecret: true,
      defaultValue: undefined,
      meaning:
        'The HTTP proxy that deliveries, notices and requests for the keys of issuers go through, like http://user:password@proxy.example.com:3128; it must refuse private addresses. When unset, none',
    },
    proxyRule,
  ),
  NO_PROXY: list({
    meaning:
      'The hosts that are reached without that proxy, separated by commas: names, which include all names below them, addresses and networks (10.0.0.0/8); a port may follow. no_proxy means the same. When unset, none',
    // It is meant for other programs as well, so nothing is refused.
    accepts: () => true,
    mustBe: 'be hosts',
  }),
  DSYNC_WEBHOOK_CONCURRENCY: wholeNumber({
    defaultValue: 32,
    ...{ min: 1, max: 256 },
    meaning:
      'The maximum number of deliveries at once to one origin (scheme, host and port), per process; a tenant takes three quarters of it at most, and a quarter while others wait',
  }),
  DSYNC_WEBHOOK_LOGS_TTL: wholeNumber({
    defaultValue: 7,
    ...{ min: 1, max: 365, unit: 'days' },
    meaning: 'How long a delivery stays in the delivery log',
  }),
  OPERATOR_WEBHOOK_URL: text(
    {
      isSecret: true,
      defaultValue: undefined,
      meaning:
        'The URL that receives notices about paused deliveries, dead events, held directories and failed syncs; when unset, there are none',
    },
    ...webhookUrlRules,
  ),
  OPERATOR_WEBHOOK_SECRET: text(
    {
      isSecret: true,
      defaultValue: undefined,
      meaning: 'The secret that signs these notices, such as whsec_ and 24 random bytes in base64',
    },
    { accepts: (value) => value.length >= 16, mustBe: 'have at least 16 characters' },
  ),
  OPERATOR_WEBHOOK_HEADERS: headers({
    isSecret: true,
    meaning:
      'Further headers of these notices, such as the key of a gateway: a JSON object of at most 10 headers; when unset, none',
  }),
  DSYNC_REMOVAL_LIMIT_PERCENT: wholeNumber({
    defaultValue: defaultRemovalLimit.percent,
    ...{ min: 0, max: 100, unit: 'percent' },
    meaning:
      'The share of the active users, or of the memberships, of a directory that may be removed within the window; the events of further removals are held. 100 holds none',
  }),
  DSYNC_REMOVAL_LIMIT_MINIMUM: wholeNumber({
    defaultValue: defaultRemovalLimit.minimum,
    ...{ min: 0, max: 1_000_000 },
    meaning: 'How many removals within the window are never held, whatever their share',
  }),
  DSYNC_REMOVAL_LIMIT_WINDOW: wholeNumber({
    defaultValue: defaultRemovalLimit.windowSeconds,
    ...{ min: 1, max: 604_800, unit: 's' },
    meaning: 'The time in which removals are counted',
  }),
  DSYNC_EXTDIR_CLIENT_ID: text({
    defaultValue: undefined,
    meaning: 'The OAuth client ID for Google Workspace; when unset, only service accounts can connect',
  }),
  DSYNC_EXTDIR_CLIENT_SECRET: text({
    isSecret: true,
    defaultValue: undefined,
    meaning: 'The secret of that OAuth client',
  }),
  DSYNC_EXTDIR_AUTH_URL: text(
    {
      defaultValue: 'https://accounts.google.com/o/oauth2/v2/auth',
      meaning: 'The page where administrators of Google Workspace consent',
    },
    ...urlRules,
  ),
  DSYNC_EXTDIR_TOKEN_URL: text(
    { defaultValue: 'https://oauth2.googleapis.com/token', meaning: 'The address that issues Google’s tokens' },
    ...urlRules,
  ),
  DSYNC_EXTDIR_API_URL: text(
    {
      defaultValue: 'https://admin.googleapis.com',
      meaning: 'The base URL of Google’s Directory API, without /admin/directory/v1',
    },
    ...urlRules,
  ),
  DSYNC_EXTDIR_CRON_INTERVAL: wholeNumber({
    defaultValue: 3_600,
    ...{ min: 0, max: 604_800, unit: 's' },
    meaning: 'The time between syncs of a Google Workspace directory; 0 syncs only after a consent and on request',
  }),
  DSYNC_EXTDIR_MAX_DELETE_PERCENT: wholeNumber({
    defaultValue: 30,
    ...{ min: 0, max: 100, unit: 'percent' },
    meaning: 'The share of a directory that a sync may delete; more requires approval',
  }),
  POLIS_COMPAT: flag({
    defaultValue: false,
    meaning:
      'true makes the directory-sync API answer as Ory Polis does where the two differ, and its names of headers, fields and types work',
  }),
  MAX_DIRECTORIES_PER_TENANT: wholeNumber({
    defaultValue: 1000,
    ...{ min: 0, max: 1_000_000 },
    meaning: 'How many directories a tenant may have for one product; 0 means unlimited',
  }),
  FEED_MAX_STREAMS: wholeNumber({
    defaultValue: 500,
    ...{ min: 0, max: 100_000 },
    meaning: 'Open streams of the feed per process; 0 means unlimited',
  }),
  FEED_MAX_STREAMS_PER_KEY: wholeNumber({
    defaultValue: 200,
    ...{ min: 0, max: 100_000 },
    meaning: 'Open streams of the feed per API key and process; 0 means unlimited',
  }),
  FEED_MAX_STREAMS_PER_TENANT: wholeNumber({
    defaultValue: 50,
    ...{ min: 0, max: 100_000 },
    meaning: 'Open streams of the feed per tenant and process; 0 means unlimited',
  }),
  EVENT_RETENTION_DAYS: wholeNumber({
    defaultValue: 30,
    ...{ min: 1, max: 3650, unit: 'days' },
    meaning:
      'How long an event is kept after its delivery, or after the deletion of its directory; an undelivered event of another directory is kept longer',
  }),
  DEPROVISION_TARGET: wholeNumber({
    defaultValue: 300,
    ...{ min: 0, max: 2_592_000, unit: 's' },
    meaning: 'How soon the product should be notified that a user lost access; 0 means that nothing is ever overdue',
  }),
  RETURN_WINDOW_DAYS: wholeNumber({
    defaultValue: 30,
    ...{ min: 0, max: 3650, unit: 'days' },
    meaning:
      'How long after a deletion a user who is created again is recognized; 0: never, and nothing is kept of deleted users for it',
  }),
  AUDIT_RETENTION_DAYS: wholeNumber({
    defaultValue: 0,
    ...{ min: 0, max: 36_500, unit: 'days' },
    meaning: 'How long an entry of the audit trail is kept; 0 means forever',
  }),
  SCIM_REQUEST_LOG_TTL: wholeNumber({
    defaultValue: 7,
    ...{ min: 0, max: 365, unit: 'days' },
    meaning: 'How long a SCIM request stays in the request log; 0 turns the log off and empties it',
  }),
  SCIM_REQUEST_LOG_MAX: wholeNumber({
    defaultValue: 100_000,
    ...{ min: 1, max: 100_000_000 },
    meaning: 'How many SCIM requests of a directory stay in the request log; the oldest are removed first',
  }),
  SCIM_BODY_LIMIT: wholeNumber({
    defaultValue: 5_242_880,
    ...{ min: 1024, max: 16_777_216, unit: 'bytes' },
    meaning: 'The maximum size of a SCIM request body',
  }),
  SCIM_RATE_LIMIT: wholeNumber({
    defaultValue: 100,
    ...{ min: 25, max: 100_000, allowsZero: true },
    meaning:
      'SCIM requests per second of a tenant for a product, over its directories and for each process; bursts have ten times as many; 0 means unlimited',
  }),
  SCIM_ACCESS_TOKEN_TTL: wholeNumber({
    defaultValue: 3_600,
    ...{ min: 3_600, max: 21_600, unit: 's' },
    meaning: 'How long an access token of an OAuth client is valid',
  }),
  DRAIN_SECONDS: wholeNumber({
    defaultValue: 5,
    ...{ min: 0, max: 300, unit: 's' },
    meaning:
      'After SIGTERM, how long requests are still accepted while /readyz answers 503, so that a proxy sends new ones elsewhere; 0 stops at once',
  }),
  KEEP_ALIVE_SECONDS: wholeNumber({
    defaultValue: 72,
    ...{ min: 1, max: 7_200, unit: 's' },
    meaning:
      'How long a connection without a request stays open; it must be longer than the idle timeout of the load balancer in front',
  }),
  ACCESS_LOG: wordOrShare({
    defaultValue: 'all',
    meaning:
      'The requests that are logged: all, errors (with a status of 400 or above), none, or a share like 0.1: one in ten, and all errors',
    words: ['all', 'errors', 'none'],
  }),
  LOG_LEVEL: oneOf({
    defaultValue: 'info',
    meaning: 'The minimum severity of logged messages',
    values: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
  }),
} satisfies Record<string, Setting<unknown>>

export type SettingName = keyof typeof settingTable

/** The value of every setting. */
export type Settings = {
  readonly [Name in SettingName]: Exclude<ReturnType<(typeof settingTable)[Name]['parse']>, Invalid>
}

type PartialSettings = { readonly [Name in SettingName]?: Settings[Name] | undefined }

/** The removal limit of directories that have no limit of their own. */
export function removalLimitOf(settings: Settings): RemovalLimit {
  return {
    percent: settings.DSYNC_REMOVAL_LIMIT_PERCENT,
    minimum: settings.DSYNC_REMOVAL_LIMIT_MINIMUM,
    windowSeconds: settings.DSYNC_REMOVAL_LIMIT_WINDOW,
  }
}

/** The addresses that requests of the service may be sent to, and its proxy. */
export function egressOf(settings: Settings, externalUrl: () => string): EgressPolicy {
  const { DSYNC_WEBHOOK_ALLOW_PRIVATE: allowPrivate, DSYNC_WEBHOOK_PROXY: url, NO_PROXY: except } = settings
  const proxy = url === undefined ? undefined : createEgressProxy(url, except)
  return createEgressPolicy({ allowPrivate, externalUrl, proxy })
}

/** The headers with the older form of the signature: those of Polis where its products are served and none is named. */
export function signatureHeadersOf({
  DSYNC_WEBHOOK_SIGNATURE_HEADER: names,
  POLIS_COMPAT,
}: Settings): readonly string[] {
  return names.length === 0 && POLIS_COMPAT ? ['BoxyHQ-Signature', 'Ory-Polis-Signature'] : names
}

/** Some settings are invalid; `problems` has a sentence for each. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

/** All settings; the default replaces missing values. */
export function withDefaults(values: PartialSettings): Settings {
  const names = Object.keys(settingTable) as SettingName[]
  const settings = names.map((name) => [name, values[name] ?? settingTable[name].defaultValue])
  return Object.fromEntries(settings) as Settings
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads the settings from an environment, and secrets from the files that it names. An empty value counts as unset.
 *
 * @throws SettingsError with all problems
 */
export function readSettings(environment: Environment): Settings {
  const env = { ...environment, NO_PROXY: environment['NO_PROXY'] || environment['no_proxy'] }
  const problems: string[] = []
  const values: Record<string, unknown> = {}
  for (const [name, setting] of Object.entries<Setting<unknown>>(settingTable)) {
    const value = settingText(name, setting, env)
    const parsed = typeof value === 'string' ? setting.parse(value) : value
    if (parsed instanceof Invalid) problems.push(`${name} ${parsed.reason}.`)
    else values[name] = parsed
  }
  problems.push(...unknownSettings(env, settingTable))
  const settings = withDefaults(values)
  if (problems.length === 0)
    problems.push(
      ...togetherProblems(settings, ['DSYNC_EXTDIR_CLIENT_ID', 'DSYNC_EXTDIR_CLIENT_SECRET']),
      ...togetherProblems(settings, ['OPERATOR_WEBHOOK_URL', 'OPERATOR_WEBHOOK_SECRET']),
      ...noticeProblems(settings),
      ...togetherProblems(settings, signInNames, 'ADMIN_ROOT_TOKEN'),
      ...databaseProblems(settings),
    )
  if (problems.length > 0) throw new SettingsError(problems)
  return settings
}

/** The text of a setting, from the environment or from its file; undefined when it is unset. */
export function settingText(
  name: string,
  { isSecret }: Setting<unknown>,
  env: Environment,
): string | Invalid | undefined {
  const [value = '', file = ''] = [env[name]?.trim(), isSecret ? env[fileVariable(name)]?.trim() : undefined]
  if (file === '') return value === '' ? undefined : value
  if (value !== '') return new Invalid(`and ${fileVariable(name)} are both set: remove one of them, or make it empty`)
  // Other texts may be the secret itself, set by mistake.
  const where = `the file${isAbsolute(file) ? ` ${file}` : ''} that ${fileVariable(name)} names`
  try {
    const text = readFileSync(file, 'utf8').trim()
    return text === '' ? new Invalid(`must be in ${where}, which is empty`) : text
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? ` (${error.code})` : ''
    return new Invalid(`must be in ${where}, which cannot be read${reason}`)
  }
}

/** Settings of which none is of use without the others; `also` for emergencies, such as an identity provider that is down. */
function togetherProblems(settings: Settings, names: readonly SettingName[], ...also: SettingName[]): string[] {
  const isSet = (name: SettingName) => ![undefined, ''].includes(settings[name]?.toString())
  const present = names.find(isSet)
  const missing = present === undefined ? [] : [...names, ...also].filter((name) => !isSet(name))
  return missing.map((name) => `${name} must be set when ${present} is.`)
}

function noticeProblems({ OPERATOR_WEBHOOK_HEADERS: further, ...settings }: Settings): string[] {
  const { OPERATOR_WEBHOOK_URL: url, OPERATOR_WEBHOOK_SECRET: secret } = settings
  return url === undefined && secret === undefined && further !== undefined
    ? ['OPERATOR_WEBHOOK_URL must be set when OPERATOR_WEBHOOK_HEADERS is.']
    : []
}

const signInNames = (Object.keys(settingTable) as SettingName[]).filter((name) => name.startsWith('CONSOLE_OIDC_'))

/** The identity provider with which admins sign in to the console; undefined without one. */
export function identityProviderOf(settings: Settings, externalUrl: () => string): ProviderSettings | undefined {
  const {
    CONSOLE_OIDC_ISSUER: issuer,
    CONSOLE_OIDC_CLIENT_ID: clientId,
    CONSOLE_OIDC_ADMINS: administrators,
  } = settings
  const { CONSOLE_OIDC_CLIENT_SECRET: clientSecret } = settings
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return undefined
  return { issuer, clientId, clientSecret, administrators, externalUrl }
}

function databaseProblems({ DATABASE_URL, API_KEYS, ENCRYPTION_KEY }: Settings): string[] {
  if (DATABASE_URL.startsWith('sqlite:')) return []
  const noKeys = 'API_KEYS must be set when DATABASE_URL names a PostgreSQL database.'
  const noEncryptionKey =
    'ENCRYPTION_KEY must be set when DATABASE_URL names a PostgreSQL database: 32 bytes, for example the output of "openssl rand -base64 32".'
  return [...(API_KEYS.length > 0 ? [] : [noKeys]), ...(ENCRYPTION_KEY === undefined ? [noEncryptionKey] : [])]
}

/** Returns whether an untrusted proxy is in front: the service itself speaks HTTP, so an https address is that of a proxy. */
export function isBehindUntrustedProxy({ EXTERNAL_URL, TRUST_PROXY }: Settings): boolean {
  return TRUST_PROXY === undefined && EXTERNAL_URL?.startsWith('https:') === true
}
