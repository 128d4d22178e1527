import type { Dispatcher } from 'undici'
import { Client } from 'undici'
import type { EndpointProbe } from '../../delivery/endpoint/probe.ts'
import { socketFile } from '../../store/files.ts'

/** The process that uses the file of an embedded database, reached through its socket. */
export interface LocalClient extends AsyncDisposable {
  /** A copy of the database. */
  backup(): Promise<Dispatcher.ResponseData['body']>
  /** Whether connections to the endpoints can be opened. */
  probeEndpoints(): Promise<EndpointProbe[]>
  /** A link that signs in to the console: once, within ten minutes. */
  consoleLink(): Promise<string>
  /** @throws Error when the database cannot be used */
  checkReady(): Promise<void>
}

/** No timeouts: the service responds when the work is done. */
const timeouts = { headersTimeout: 0, bodyTimeout: 0 }

/** @param file the database */
export function openLocalClient(file: string, signal?: AbortSignal): LocalClient {
  const socketPath = socketFile(file)
  const client = new Client('http://localhost', { socketPath, ...timeouts })

  async function send(method: 'GET' | 'POST', path: string): Promise<Dispatcher.ResponseData['body']> {
    const response = await client.request({ method, path, signal: signal ?? null }).catch((cause: unknown) => {
      if (signal?.aborted === true) throw cause
      throw new Error(
        `A process uses ${file}, but does not answer at ${socketPath}. Run this as the user of that process, or stop it; in a product that embeds Rollcall, call rollcall.backup(file).`,
        { cause },
      )
    })
    if (response.statusCode === 200) return response.body
    throw new Error(await response.body.text())
  }

  return {
    backup: () => send('POST', '/backup'),
    async probeEndpoints() {
      return (await (await send('GET', '/endpoints')).json()) as EndpointProbe[]
    },
    consoleLink: async () => (await send('POST', '/console-link')).text(),
    async checkReady() {
      await (await send('GET', '/ready')).dump()
    },
    [Symbol.asyncDispose]: () => client.destroy(),
  }
}
