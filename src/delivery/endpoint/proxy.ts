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

/** Returns a test for the hosts that an entry of `NO_PROXY` covers: `*`, an address, a network, or a name with all names below it. */
function exceptionOf(entry: string): (host: string, port: number) => boolean {
  // Linear: the digits contain no colon.
  const port = isNetwork(entry) ? undefined : /:\d+$/.exec(entry)?.[0]
  const host = entry.slice(0, entry.length - (port?.length ?? 0)).replace(/^\[|\]$/g, '')
  const isHost = isNetwork(host) ? isInNetwork(host) : isBelow(hostKey(host.replace(/^\*?\.(?=.)/, '')))
  return (other, otherPort) => (port === undefined || port === `:${otherPort}`) && isHost(other)
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
  // Otherwise the certificate of the proxy would have to be for the host that the request names.
  const connectToProxy: typeof connect = (options, callback) => connect({ ...options, servername: '' }, callback)
  const limits = { connect: connectToProxy, headersTimeout: timeoutMs, bodyTimeout: 0, allowH2: false }
  return (options, callback) => {
    const { protocol, host = options.hostname, port } = options
    // A client each, as a tunnel takes the connection of the client that opens it.
    openTunnel(new Client(proxy.origin, limits), proxy, port ? host : `${host}:${portOf(options)}`).then(
      (socket) =>
        protocol === 'https:' ? connect({ ...options, httpSocket: socket }, callback) : callback(null, socket),
      (error: Error) => callback(error, null),
    )
  }
}

/** @throws ProxyFailed */
async function openTunnel(client: Client, proxy: URL, target: string): Promise<Socket> {
  const credentials = basicCredentials(proxy)
  const headers = { host: target, ...(credentials === undefined ? {} : { 'proxy-authorization': credentials }) }
  try {
    const { statusCode, socket } = await client.connect({ path: target, headers })
    if (statusCode >= 200 && statusCode < 300) return socket as Socket
    socket.on('error', () => {}).destroy()
    throw new ProxyFailed(`did not connect to ${target}: it answered ${statusCode}`)
  } catch (error) {
    if (error instanceof ProxyFailed) throw error
    // Without the message, which contains the address of the proxy: customers may see the reason.
    const code = error instanceof Error && 'code' in error ? error.code : 'no connection'
    throw new ProxyFailed(`cannot be reached or does not answer (${code})`, error)
  } finally {
    void client.destroy()
  }
}

/** The user name and password of a URL, for basic authentication; undefined without them. */
export function basicCredentials({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined
  return `Basic ${Buffer.from(`${decode(username)}:${decode(password)}`).toString('base64')}`
}

/** The proxy of the settings, not the host behind it, is why there is no connection. */
class ProxyFailed extends Error {
  override readonly name = 'ProxyFailed'

  constructor(reason: string, cause?: unknown) {
    super(`the proxy of DSYNC_WEBHOOK_PROXY ${reason}`, { cause })
  }
}
