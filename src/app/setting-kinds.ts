import { isNetwork } from '../delivery/endpoint/egress-policy.ts'
import type { EndpointHeaders } from '../directory/endpoint-headers.ts'
import { headerProblems } from '../directory/endpoint-headers.ts'
import { isObject } from '../scim/json.ts'
import { InvalidAddress, parsePostgresAddress } from '../store/postgres-address.ts'

/** The declaration of a setting, and its conversion from text. */
export interface Setting<T> {
  readonly defaultValue: T
  /** The description, with bounds and unit; `docs/configuration.md` and `rollcall serve --help` show this text. */
  readonly meaning: string
  readonly parse: (text: string) => T | Invalid
  /** Whether it holds a secret, and can be read from the file that `<NAME>_FILE` names. */
  readonly isSecret?: boolean | undefined
}

/** The text is not a value of the setting; `reason` continues a sentence that begins with the setting's name. */
export class Invalid {
  readonly reason: string

  constructor(reason: string) {
    this.reason = reason
  }
}

type Described<T> = Pick<Setting<T>, 'defaultValue' | 'meaning' | 'isSecret'>

interface Bounds {
  readonly min: number
  readonly max: number
  /** Whether 0 is a value too, although it is below the minimum. */
  readonly allowsZero?: boolean
  readonly unit?: 'ms' | 's' | 'days' | 'bytes' | 'percent'
}

export function wholeNumber<T extends number | undefined>({
  defaultValue,
  meaning,
  min,
  max,
  allowsZero = false,
  unit,
}: Described<T> & Bounds): Setting<T | number> {
  const range = `${min} to ${max}`
  const zero = allowsZero ? '0, or ' : ''
  return {
    defaultValue,
    meaning: `${meaning} (${zero}${range}${unit === undefined ? '' : ` ${unit}`})`,
    parse(text) {
      const value = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN
      const isInRange = (value >= min && value <= max) || (allowsZero && value === 0)
      return isInRange ? value : new Invalid(`must be ${zero}a whole number from ${range}`)
    },
  }
}

export function oneOf<T extends string>({
  defaultValue,
  meaning,
  values,
}: Described<T> & { readonly values: readonly T[] }): Setting<T> {
  const list = values.join(', ')
  return {
    defaultValue,
    meaning: `${meaning} (${list})`,
    parse: (text) => values.find((value) => value === text) ?? new Invalid(`must be one of ${list}`),
  }
}

/** `true` or `false`. */
export function flag({ defaultValue, meaning }: Described<boolean>): Setting<boolean> {
  return {
    defaultValue,
    meaning,
    parse: (text) => (/^(true|false)$/.test(text) ? text === 'true' : new Invalid('must be true or false')),
  }
}

/** A text that `accepts` accepts; `mustBe` describes valid texts. */
export interface TextRule {
  readonly accepts: (text: string) => boolean
  readonly mustBe: string
}

export function text<T extends string | undefined>(
  { defaultValue, meaning, isSecret }: Described<T>,
  ...rules: readonly TextRule[]
): Setting<T | string> {
  return {
    ...{ defaultValue, meaning, isSecret },
    parse(value) {
      const broken = rules.find(({ accepts }) => !accepts(value))
      return broken === undefined ? value : new Invalid(`must ${broken.mustBe}`)
    },
  }
}

/** A PostgreSQL URL; where `allowsSqlite`, `sqlite:` and a file as well. It remains a text, which the store parses again. */
export function database<T extends string | undefined>({
  defaultValue,
  meaning,
  isSecret,
  allowsSqlite,
}: Described<T> & { readonly allowsSqlite: boolean }): Setting<T | string> {
  return {
    ...{ defaultValue, meaning, isSecret },
    parse(value) {
      if (allowsSqlite && /^sqlite:./.test(value)) return value
      if (allowsSqlite && !/^postgres(ql)?:\/\/./.test(value))
        return new Invalid('must begin with sqlite: or postgres://')
      try {
        parsePostgresAddress(value)
        return value
      } catch (error) {
        if (error instanceof InvalidAddress) return new Invalid(error.message)
        throw error
      }
    },
  }
}

/** One of a few words, or a share from 0 to 1. */
export function wordOrShare<const T extends string>({
  defaultValue,
  meaning,
  words,
}: Described<T> & { readonly words: readonly T[] }): Setting<T | number> {
  return {
    defaultValue,
    meaning,
    parse(text) {
      const share = /^(0|1|0?\.\d{1,6}|1\.0{1,6})$/.test(text) ? Number(text) : undefined
      return (
        words.find((word) => word === text) ?? share ?? new Invalid(`must be ${words.join(', ')} or a share like 0.1`)
      )
    },
  }
}

/** Values separated by commas; empty when unset. */
export function list({
  meaning,
  isSecret,
  accepts,
  mustBe,
}: Pick<Described<never>, 'meaning' | 'isSecret'> & TextRule): Setting<readonly string[]> {
  return {
    ...{ defaultValue: [], meaning, isSecret },
    parse(text) {
      const values = splitList(text)
      return values.every(accepts) ? values : new Invalid(`must ${mustBe}`)
    },
  }
}

function splitList(text: string): string[] {
  return text.split(',').map((value) => value.trim())
}

/** An `http` or `https` address without query and fragment. */
export const urlRules: readonly TextRule[] = [
  { accepts: (text) => URL.canParse(text), mustBe: 'be an address like https://rollcall.example.com' },
  { accepts: (text) => /^https?:$/.test(new URL(text).protocol), mustBe: 'begin with https:// or http://' },
  {
    accepts: (text) => new URL(text).search === '' && new URL(text).hash === '',
    mustBe: 'have no query and no fragment',
  },
]

/** The issuer of an OpenID Connect provider. Of Entra ID, `common` and the like would let people of any company sign in. */
export const issuerRules: readonly TextRule[] = [
  ...urlRules,
  {
    accepts: (text) =>
      /^(https:|http:\/\/(localhost|127\.0\.0\.1)[:/])/i.test(`${text}/`) &&
      !text.includes('/.well-known/') &&
      !(/\/login\.microsoft/i.test(text) && /\/(common|organizations|consumers)\b/i.test(text)),
    mustBe: 'be the https:// issuer of your company: without /.well-known/…, and of Entra ID with your own tenant',
  },
]

/** The public address of the service, without a slash at its end: links, cookies and pages contain its path as it is. */
export function publicUrl({ meaning }: Pick<Described<never>, 'meaning'>): Setting<string | undefined> {
  const { parse, ...setting } = text({ defaultValue: undefined, meaning }, ...urlRules, pathRule)
  return {
    ...setting,
    parse(value) {
      const parsed = parse(value)
      return typeof parsed === 'string' ? parsed.replace(/(?<!\/)\/+$/, '') : parsed
    },
  }
}

const pathRule: TextRule = {
  accepts: (text) => /^https?:\/\/[^/]+(?:\/(?!\.{1,2}(?:\/|$))[\w.~%-]+)*\/*$/i.test(text),
  mustBe: 'have a path of letters, digits, hyphens, dots, underscores and single slashes',
}

/** The address of a receiver of webhooks, which may carry a token in its query. */
export const webhookUrlRules: readonly TextRule[] = urlRules.slice(0, 2)

/** The address of an HTTP proxy, which may have a user name and a password. */
export const proxyRule: TextRule = {
  accepts: (text) => /^https?:\/\/[^/?#]+\/?$/i.test(text) && URL.canParse(text),
  mustBe: 'be an address like http://user:password@proxy.example.com:3128, without a path',
}

/** An origin in the form that browsers send, since it is compared with that. */
export const originRule: TextRule = {
  accepts: (text) => /^https?:[^*]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text,
  mustBe: 'be origins like https://console.example.com, without a path, separated by commas',
}

const maxProxies = 16

/** Trusted proxies: their number, or their addresses and networks. */
export function proxies({ meaning }: Pick<Described<never>, 'meaning'>): Setting<number | string | undefined> {
  return {
    defaultValue: undefined,
    meaning,
    parse(text) {
      if (/^\d{1,2}$/.test(text) && Number(text) <= maxProxies) return Number(text)
      const networks = splitList(text)
      if (networks.every(isPartOfNetwork)) return networks.join(',')
      return new Invalid(
        `must be a number of proxies from 0 to ${maxProxies}, or addresses and networks like 10.0.0.0/8, separated by commas`,
      )
    },
  }
}

/** Excludes the whole address space: trusting everyone would let any client forge its address. */
function isPartOfNetwork(text: string): boolean {
  // Linear: zeros contain no slash.
  return isNetwork(text) && !/\/0+$/.test(text)
}

/** A name whose last part is a number would be an address. */
function isHostName(text: string): boolean {
  // Linear: the digits contain no dot.
  return /^[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?$/i.test(text) && !/\.\d+$/.test(text)
}

/** Hosts, addresses and networks, as an operator lists them. */
export const hostRule: TextRule = {
  accepts: (text) => isNetwork(text) || isHostName(text),
  mustBe: 'be host names, addresses or networks like 10.0.0.0/8, without ports, separated by commas',
}

/** A JSON object of headers and their values. */
export function headers({
  meaning,
  isSecret,
}: Omit<Described<never>, 'defaultValue'>): Setting<EndpointHeaders | undefined> {
  return {
    ...{ defaultValue: undefined, meaning, isSecret },
    parse(text) {
      const given = parsedHeaders(text)
      if (given === undefined) return new Invalid('must be a JSON object of texts like {"X-Gateway-Key": "k-3f6b1c"}')
      const [problem] = headerProblems(given)
      return problem === undefined ? given : new Invalid(`cannot be sent: ${problem.replace(/\.$/, '')}`)
    },
  }
}

function parsedHeaders(text: string): EndpointHeaders | undefined {
  try {
    const given: unknown = JSON.parse(text)
    const isRight = isObject(given) && Object.values(given).every((value) => typeof value === 'string')
    return isRight ? (given as EndpointHeaders) : undefined
  } catch {
    return undefined
  }
}

/** Request headers with a meaning of their own, or that deliveries already have. */
const usedHeaders: ReadonlySet<string> = new Set([
  ...['authorization', 'cookie', 'connection', 'content-encoding', 'content-length', 'content-type', 'date', 'expect'],
  ...['forwarded', 'from', 'host', 'keep-alive', 'origin', 'range', 'referer', 'te', 'trailer', 'transfer-encoding'],
  ...['upgrade', 'user-agent', 'via', 'webhook-id', 'webhook-signature', 'webhook-timestamp'],
  ...['rollcall-directory-id', 'rollcall-tenant', 'rollcall-product'],
])

/** Names of headers that nothing else uses. */
export const freeHeaderRule: TextRule = {
  accepts: (name) =>
    /^[a-z][a-z0-9-]*$/i.test(name) &&
    !usedHeaders.has(name.toLowerCase()) &&
    !/^(accept|if|proxy|sec|x-forwarded)(-|$)/i.test(name),
  mustBe:
    'be names of additional headers, like X-Signature, in letters, digits and hyphens, separated by commas; not names that requests already have',
}
