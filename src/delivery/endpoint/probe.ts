import type { Socket } from 'node:net'
import { forEachConcurrently } from '../../concurrency/for-each.ts'
import type { Directory } from '../../directory/directory.ts'
import type { DirectoryStore } from '../../directory/directory-store.ts'
import { createEgressConnector } from './egress.ts'
import type { EgressPolicy } from './egress-policy.ts'
import { hostOf } from './egress-policy.ts'

/** Whether a connection to the host of endpoints can be opened. */
export interface EndpointProbe {
  /** Scheme, host and port: the rest of a URL may contain secrets. */
  readonly origin: string
  /** The number of directories that send there. */
  readonly directories: number
  /** The reason why no connection can be opened. */
  readonly problem: string | undefined
}

const maxDirectories = 10_000
const directoriesPerPage = 500
const maxOrigins = 200
const atOnce = 10
const timeoutMs = 5000

/**
 * Opens a connection to each host of the endpoints, up to 200 of them, and sends nothing. Includes the TLS handshake.
 */
export async function probeEndpoints(
  store: Pick<DirectoryStore, 'listDirectories'>,
  egress: EgressPolicy,
): Promise<EndpointProbe[]> {
  const counts = await countOrigins(store)
  const connect = createEgressConnector({ timeoutMs, egress })
  const probes: EndpointProbe[] = []
  await forEachConcurrently([...counts].slice(0, maxOrigins), atOnce, new AbortController().signal, async (entry) => {
    const [origin, directories] = entry
    probes.push({ origin, directories, problem: await openConnection(new URL(origin), connect) })
  })
  return probes
}

async function countOrigins({
  listDirectories,
}: Pick<DirectoryStore, 'listDirectories'>): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  let after: Directory | undefined
  for (let read = 0; read < maxDirectories; read += directoriesPerPage) {
    const from = after === undefined ? { offset: 0 } : { after }
    const page = await listDirectories({}, { ...from, limit: directoriesPerPage })
    for (const { endpoint } of page) {
      if (endpoint === undefined) continue
      const { origin } = new URL(endpoint.url)
      counts.set(origin, (counts.get(origin) ?? 0) + 1)
    }
    after = page.at(-1)
    if (page.length < directoriesPerPage) break
  }
  return counts
}

/** Returns the reason if the connection cannot be opened. */
function openConnection(url: URL, connect: ReturnType<typeof createEgressConnector>): Promise<string | undefined> {
  const { protocol, host, port } = url
  return new Promise((resolve) => {
    const onConnected = (error: Error | null, socket: Socket | null) => {
      socket?.destroy()
      resolve(error === null ? undefined : error.message)
    }
    connect({ protocol, host, hostname: hostOf(url), port }, onConnected)
  })
}
