import { readFileSync } from 'node:fs'
import { Socket } from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import type { ClientConfig } from 'pg'
import { Client } from 'pg'
import type { PostgresAddress, PostgresHost, PostgresTls } from '../postgres-address.ts'
import { InvalidAddress, parsePostgresAddress } from '../postgres-address.ts'
import { connectionMs, connectionToOneOfManyMs, keepAliveMs } from './limits.ts'

/** The servers that an address names. All connections to them are opened here. */
export interface Servers {
  readonly address: PostgresAddress
  /**
   * The number of times that connections were discarded. A connection that was begun before the last time leads to a server
   * that is gone, or accepts no writes, and must not be used.
   */
  generation(): number
  /**
   * Opens a connection to the first server that can be reached and is wanted by `target_session_attrs`. Servers are tried in
   * order, beginning with the one that worked last.
   *
   * @throws Error with the reason of each server
   */
  connect(options?: ConnectOptions): Promise<Client>
  /** Discards every connection, because one of this generation leads to the wrong server; the next server is tried first. */
  discard(generation: number): void
  /** Discards every connection for good: whoever needs one gets the error. */
  abandon(error: Error): void
  /** Calls back when connections are discarded. */
  onDiscard(listener: () => void): void
}

export interface ConnectOptions extends Pick<ClientConfig, 'pipeline' | 'query_timeout'> {
  readonly createSocket?: (() => Socket) | undefined
}

/**
 * The servers of a URL.
 *
 * @throws Error that begins with the name of the option, if it is not a PostgreSQL URL
 */
export function serversAt(url: string, option: string): Servers {
  try {
    return createServers(parsePostgresAddress(url))
  } catch (error) {
    throw error instanceof InvalidAddress ? new Error(`${option} ${error.message}.`) : error
  }
}

export function createServers(address: PostgresAddress): Servers {
  const { hosts } = address
  const listeners = new Set<() => void>()
  let current = 0
  let generation = 0
  let abandoned: Error | undefined

  /** Moves on, unless another connection has done so. */
  function leave(index: number): void {
    if (index === current) current = (index + 1) % hosts.length
  }

  function discardAll(): void {
    generation += 1
    for (const listener of listeners) listener()
  }

  return {
    address,
    generation: () => generation,
    async connect(options = {}) {
      if (abandoned !== undefined) throw abandoned
      const failures: { readonly host: PostgresHost; readonly error: unknown }[] = []
      while (failures.length < hosts.length) {
        const index = current
        const host = hosts[index] ?? { host: undefined, port: 5432 }
        try {
          return await connectTo(host, address, options)
        } catch (error) {
          failures.push({ host, error })
          leave(index)
        }
      }
      throw connectError(failures)
    },
    discard(of) {
      if (of !== generation) return
      leave(current)
      discardAll()
    },
    abandon(error) {
      abandoned ??= error
      discardAll()
    },
    onDiscard: (listener) => void listeners.add(listener),
  }
}

/** The error of a single server, or one that names every server with its error. */
function connectError(failures: readonly { readonly host: PostgresHost; readonly error: unknown }[]): unknown {
  const last = failures.at(-1)?.error
  if (failures.length === 1) return last
  const reasons = failures.map(({ host: { host, port }, error }) => {
    return `${host ?? 'localhost'}:${port}: ${error instanceof Error ? error.message : String(error)}`
  })
  return new Error(reasons.join('; '), { cause: last })
}

/** Connects to one host, with and without TLS if `sslmode` allows both. */
async function connectTo(host: PostgresHost, address: PostgresAddress, options: ConnectOptions): Promise<Client> {
  const encryptions = encryptionsOf(host, address.tls)
  for (const [n, ssl] of encryptions.entries()) {
    try {
      return await openSession({ ...configOf(host, address), ssl }, address, options)
    } catch (error) {
      if (n === encryptions.length - 1 || isUnreachable(error)) throw error
    }
  }
  throw new Error('there is no way to connect')
}

/** Errors of the operating system: the host would not be reached without TLS either. */
const isUnreachable = (error: unknown): boolean => error instanceof Error && 'syscall' in error

async function openSession(
  config: ClientConfig,
  { target }: PostgresAddress,
  { createSocket = () => new Socket(), ...options }: ConnectOptions,
): Promise<Client> {
  const socket = createSocket()
  const client = new Client({ ...config, ...options, stream: () => socket })
  // Whoever uses the connection gets the error as well.
  client.on('error', () => {})
  try {
    await client.connect()
    if (target !== 'any') await requireTarget(client, target)
    return client
  } catch (error) {
    socket.destroy()
    throw error
  }
}

function configOf({ host, port }: PostgresHost, address: PostgresAddress): ClientConfig {
  const { hosts, user, password, database, connectTimeoutMs, applicationName, options } = address
  return {
    ...{ host, port, user, password, database, options, application_name: applicationName },
    fallback_application_name: 'rollcall',
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    connectionTimeoutMillis: connectTimeoutMs ?? (hosts.length === 1 ? connectionMs : connectionToOneOfManyMs),
  }
}

/** @throws Error when the server is not one of those that `target_session_attrs` wants */
async function requireTarget(client: Client, target: Exclude<PostgresAddress['target'], 'any'>): Promise<void> {
  const { rows } = await client.query<{ is_standby: boolean; is_read_only: boolean }>(`
    select pg_is_in_recovery() as is_standby, current_setting('transaction_read_only') = 'on' as is_read_only`)
  if (rows[0]?.is_standby === true) throw new Error('the server is a standby')
  if (target === 'read-write' && rows[0]?.is_read_only === true) throw new Error('the server is read-only')
}

/** The ways to encrypt a connection, in the order in which libpq tries them; false: not at all. */
function encryptionsOf({ host }: PostgresHost, tls: PostgresTls): readonly (false | ConnectionOptions)[] {
  if (tls.mode === 'disable' || host?.startsWith('/') === true) return [false]
  const encrypted = tlsOptions(tls)
  if (tls.mode === 'allow') return [false, encrypted]
  return tls.mode === 'prefer' ? [encrypted, false] : [encrypted]
}

/** Files are read for each connection, so that renewed certificates are used. */
function tlsOptions({ mode, rootCertificate, certificate, key }: PostgresTls): ConnectionOptions {
  return {
    rejectUnauthorized: mode === 'verify-full' || rootCertificate !== undefined,
    ...(mode !== 'verify-full' && { checkServerIdentity: () => undefined }),
    ...(rootCertificate !== undefined && { ca: readPem('sslrootcert', rootCertificate) }),
    ...(certificate !== undefined && { cert: readPem('sslcert', certificate) }),
    ...(key !== undefined && { key: readPem('sslkey', key) }),
  }
}

function readPem(parameter: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    throw new Error(`the file ${path}, which ${parameter} names, cannot be read (${reason})`, { cause: error })
  }
}

/**
 * A socket that is closed after some time without traffic: the server or the network is gone, unless the connection is unused,
 * and then it may be closed as well. The driver's own limit is a timer for each statement, which takes more CPU time.
 */
export function watchedSocket(responseMs: number): Socket {
  const socket = new Socket()
  return socket.setTimeout(responseMs, () => {
    socket.destroy(new Error(`no response within ${responseMs / 1000} s`))
  })
}
