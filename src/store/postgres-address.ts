/** One of the hosts that a PostgreSQL URL names; a host that begins with `/` is the folder of a Unix socket. */
export interface PostgresHost {
  /** Undefined when the URL names none: this machine. */
  readonly host: string | undefined
  readonly port: number
}

/** How connections are encrypted, as `sslmode` of libpq; the others are paths of PEM files. */
export interface PostgresTls {
  readonly mode: (typeof sslModes)[number]
  /** Certificates of authorities; undefined: those that Node.js knows. */
  readonly rootCertificate: string | undefined
  readonly certificate: string | undefined
  readonly key: string | undefined
}

/** A PostgreSQL URL, parsed. */
export interface PostgresAddress {
  /** One at least, in the order in which they are tried. */
  readonly hosts: readonly PostgresHost[]
  readonly user: string | undefined
  readonly password: string | undefined
  readonly database: string | undefined
  /** Which servers are used: all, those that accept writes, or those that are no standby. */
  readonly target: (typeof targets)[number]
  readonly tls: PostgresTls
  /** For each host; undefined: the default. */
  readonly connectTimeoutMs: number | undefined
  readonly applicationName: string | undefined
  /** Command-line options for the session, such as `-c search_path=rollcall`. */
  readonly options: string | undefined
}

/** A text is no PostgreSQL URL; the message continues a sentence that begins with the name of its setting, without a period. */
export class InvalidAddress extends Error {
  override readonly name = 'InvalidAddress'
}

const sslModes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const
const targets = ['any', 'read-write', 'primary'] as const

/** Values of `target_session_attrs` that choose a server without writes. */
const readingTargets: ReadonlySet<string> = new Set(['read-only', 'standby', 'prefer-standby'])

const parameterNames = [
  ...['host', 'port', 'user', 'password', 'dbname', 'target_session_attrs', 'connect_timeout', 'application_name'],
  ...['options', 'sslmode', 'ssl', 'sslrootcert', 'sslcert', 'sslkey'],
] as const

type Parameters = Partial<Record<(typeof parameterNames)[number], string>>

const defaultPort = '5432'
const maxTimeoutSeconds = 600

/**
 * Parses a PostgreSQL URL, which may name several hosts, with the parameters of libpq that concern a service. No message
 * contains a part of the text that could belong to a password.
 *
 * @throws InvalidAddress
 */
export function parsePostgresAddress(url: string): PostgresAddress {
  const [, rest = ''] = /^postgres(?:ql)?:\/\/(.+)$/s.exec(url) ?? []
  if (rest === '') throw new InvalidAddress('must begin with postgres://, followed by a host')
  const { authority, path, query } = splitUrl(rest)
  const { userInfo, hostList } = splitAuthority(authority)
  const [user, password] = splitOnce(userInfo, ':').map(decode)
  const listed = hostList.split(',').map(splitPort)
  const hosts = listed.map(({ host }) => decode(host)).join(',')
  const ports = listed.map(({ port }) => port).join(',')
  const given = readParameters(query)
  return {
    hosts: joinHosts(given.host ?? hosts, given.port ?? ports),
    user: given.user ?? nonEmpty(user),
    password: given.password ?? nonEmpty(password),
    database: given.dbname ?? nonEmpty(decode(path)),
    target: parseTarget(given.target_session_attrs ?? 'any'),
    tls: parseTls(given),
    connectTimeoutMs: parseTimeout(given.connect_timeout),
    applicationName: given.application_name,
    options: given.options,
  }
}

/** Splits what follows `postgres://`. */
function splitUrl(rest: string) {
  const [beforeQuery = '', query = ''] = splitOnce(rest, '?')
  const [authority = '', path = ''] = splitOnce(beforeQuery, '/')
  return { authority, path, query }
}

/** The user and password end at the last `@`, so that a password may contain one. */
function splitAuthority(authority: string) {
  const at = authority.lastIndexOf('@')
  return { userInfo: authority.slice(0, Math.max(0, at)), hostList: authority.slice(at + 1) }
}

/** Splits `host:port`; an IPv6 address is in brackets. */
function splitPort(text: string): { readonly host: string; readonly port: string } {
  const [, address, portOfAddress = ''] = /^\[([^\]]*)\](?::(.*))?$/s.exec(text) ?? []
  if (address !== undefined) return { host: address, port: portOfAddress }
  const [host = '', port = ''] = splitOnce(text, ':')
  return { host, port }
}

function splitOnce(text: string, separator: string): string[] {
  const index = text.indexOf(separator)
  return index === -1 ? [text] : [text.slice(0, index), text.slice(index + 1)]
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new InvalidAddress('contains a % that begins no percent-encoded character: write it as %25')
  }
}

const nonEmpty = (text: string | undefined): string | undefined => (text === '' ? undefined : text)

function joinHosts(hostList: string, portList: string): PostgresHost[] {
  const hosts = hostList.split(',')
  const ports = portList.split(',')
  if (hosts.length > 1 && hosts.includes(''))
    throw new InvalidAddress('must not have an empty host in its list of hosts')
  if (ports.length > 1 && ports.length !== hosts.length) {
    throw new InvalidAddress('must have one port, or as many ports as hosts, in its parameter port')
  }
  return hosts.map((host, n) => ({ host: nonEmpty(host), port: parsePort(ports.length === 1 ? ports[0] : ports[n]) }))
}

function parsePort(text = ''): number {
  const port = Number(text === '' ? defaultPort : text)
  if (/^\d{0,5}$/.test(text) && port > 0 && port < 65_536) return port
  throw new InvalidAddress('must have ports from 1 to 65535; in a password, write / as %2F, ? as %3F and : as %3A')
}

/** Reads the query. A plus sign is a plus sign, as in libpq. */
function readParameters(query: string): Parameters {
  const given: Parameters = {}
  for (const part of query.split('&').filter((text) => text !== '')) {
    const [name, value = ''] = splitOnce(part, '=').map(decode)
    const known = parameterNames.find((one) => one === name)
    if (known === undefined) throw unknownParameter(name)
    if (value !== '') given[known] = value
  }
  return given
}

function unknownParameter(name = ''): InvalidAddress {
  const named = /^[a-z_]{1,40}$/i.test(name) ? `the parameter ${name}` : 'a parameter'
  return new InvalidAddress(`has ${named}, which is not known: remove it; known are ${parameterNames.join(', ')}`)
}

function parseTarget(text: string): PostgresAddress['target'] {
  const target = targets.find((one) => one === text)
  if (target !== undefined) return target
  const problem = readingTargets.has(text)
    ? `must not have target_session_attrs=${text}, because Rollcall writes`
    : undefined
  throw new InvalidAddress(`${problem ?? 'has an unknown target_session_attrs'}: write read-write, primary or any`)
}

function parseTls(given: Parameters): PostgresTls {
  const mode = parseMode(given)
  const { sslcert: certificate, sslkey: key, sslrootcert } = given
  const rootCertificate = sslrootcert === 'system' ? undefined : sslrootcert
  if ((certificate === undefined) !== (key === undefined)) {
    throw new InvalidAddress('must have both sslcert and sslkey, or neither')
  }
  if (mode === 'verify-ca' && rootCertificate === undefined) {
    throw new InvalidAddress(
      'has sslmode=verify-ca, which needs sslrootcert=<file>: add it, or write sslmode=verify-full for the authorities that Node.js knows',
    )
  }
  if (sslrootcert === 'system' && mode !== 'verify-full') {
    throw new InvalidAddress('has sslrootcert=system, which needs sslmode=verify-full')
  }
  return { mode, rootCertificate, certificate, key }
}

/** Connections are not encrypted by default. `ssl=true` is a synonym for `sslmode=require`, as in libpq. */
function parseMode({ sslmode, ssl }: Parameters): PostgresTls['mode'] {
  if (ssl !== undefined && ssl !== 'true')
    throw new InvalidAddress('has an unknown value of ssl: write sslmode instead')
  const text = sslmode ?? (ssl === undefined ? 'disable' : 'require')
  const mode = sslModes.find((one) => one === text)
  if (mode === undefined) throw new InvalidAddress(`has an unknown sslmode: write one of ${sslModes.join(', ')}`)
  return mode
}

function parseTimeout(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const seconds = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (seconds >= 1 && seconds <= maxTimeoutSeconds) return seconds * 1_000
  throw new InvalidAddress(`must have a connect_timeout from 1 to ${maxTimeoutSeconds} seconds`)
}
