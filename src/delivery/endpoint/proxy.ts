import type { Socket } from 'node:net'
import { isIP } from 'node:net'
import { unescape as decode } from 'node:querystring'
import { buildConnector, Client } from 'undici'
import type { EgressProxy } from './egress-policy.ts'
import { blockListOf, hostKey, isNetwork, isThisMachine } from './egress-policy.ts'

/**
 * The proxy that the settings name.
 *
 * @param url with the user name and password, if it requires them
 * @param except the entries of `NO_PROXY`, which some separate by spaces
 */
export function createEgressProxy(url: string, except: readonly string[]): EgressProxy {
  const exceptions = except.flatMap((entry) => entry.match(/\S+/g) ?? []).map(exceptionOf)
  return {
    url: new URL(url),
    connectsTo: (host, port) => !isThisMachine(host) && !exceptions.some((isCovered) => isCovered(host, port)),
  }
}

/** Whether an entry of `NO_PROXY` covers a host: `*`, an address, a network, or a name with all names below it. */
function exceptionOf(entry: string): (host: string, port: number) => boolean {
  const [, name = entry, port] = (isNetwork(entry) ? null : /^(.+):(\d+)$/.exec(entry)) ?? []
  const host = name.replace(/^\[|\]$/g, '')
  const isHost = isNetwork(host) ? isInNetwork(host) : isBelow(hostKey(host.replace(/^\*?\.(?=.)/, '')))
  return (other, otherPort) => (port === undefined || Number(port) === otherPort) && isHost(other)
}

function isInNetwork(network: string): (host: string) => boolean {
  const list = blockListOf([network])
  return (host) => isIP(host) !== 0 && list.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4')
}

function isBelow(name: string): (host: string) => boolean {
  return (host) => name === '*' || hostKey(host) === name || hostKey(host).endsWith(`.${name}`)
}

/** The port of a URL, or that of its scheme. */
export function portOf({ protocol, port }: { readonly protocol: string; readonly port: string }): number {
  return Number(port) || (protocol === 'https:' ? 443 : 80)
}

/**
 * Connects through a proxy, with CONNECT for `http` URLs as well: what a proxy says about a host could otherwise not be told
 * from the response of the endpoint.
 */
export function createTunnelConnector(proxy: URL, timeoutMs: number): buildConnector.connector {
  const connect = buildConnector({ timeout: timeoutMs, allowH2: false })
  return (options, callback) => {
    openTunnel(proxy, `${bracketed(options.hostname)}:${portOf(options)}`, timeoutMs, connect).then(
      (socket) =>
        options.protocol === 'https:' ? connect({ ...options, httpSocket: socket }, callback) : callback(null, socket),
      (error: Error) => callback(error, null),
    )
  }
}

/** @throws ProxyFailed */
async function openTunnel(
  proxy: URL,
  target: string,
  timeoutMs: number,
  direct: buildConnector.connector,
): Promise<Socket> {
  // A client each, as a tunnel takes the connection of the client that opens it.
  const limits = { headersTimeout: timeoutMs, bodyTimeout: 0, allowH2: false }
  const client = new Client(proxy.origin, {
    ...limits,
    // Otherwise the certificate of the proxy would have to be for the host that the request names.
    connect: (options, callback) => direct({ ...options, servername: '' }, callback),
  })
  const credentials = basicCredentials(proxy)
  const headers = { host: target, ...(credentials === undefined ? {} : { 'proxy-authorization': credentials }) }
  try {
    const { statusCode, socket } = await client.connect({ path: target, headers })
    if (statusCode >= 200 && statusCode < 300) return socket as Socket
    socket.on('error', () => {}).destroy()
    throw new ProxyFailed(`did not connect to ${target}: it answered ${statusCode}`)
  } catch (error) {
    throw error instanceof ProxyFailed
      ? error
      : new ProxyFailed(`cannot be reached or does not answer (${codeOf(error)})`, error)
  } finally {
    void client.destroy()
  }
}

/** The user name and password of a URL, for basic authentication; undefined without them. */
export function basicCredentials({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined
  return `Basic ${Buffer.from(`${decode(username)}:${decode(password)}`).toString('base64')}`
}

function bracketed(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host
}

/** A short code: messages contain the address of the proxy, which is none of the business of those who read the reason. */
function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'no connection'
}

/** The proxy of the settings, not the host behind it, is why there is no connection. */
class ProxyFailed extends Error {
  override readonly name = 'ProxyFailed'
  readonly code = 'PROXY_FAILED'

  constructor(reason: string, cause?: unknown) {
    super(`the proxy of DSYNC_WEBHOOK_PROXY ${reason}`, { cause })
  }
}
