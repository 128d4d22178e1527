import { once } from 'node:events'
import { chmodSync, createReadStream, rmSync, statSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import type { EndpointProbe } from '../delivery/endpoint/probe.ts'
import { createServer } from '../node-http.ts'
import { limitConnections } from './connections.ts'

/** The operations of the running service for commands on this machine. */
export interface LocalCommands {
  /** Copies the database into a file. */
  backup(file: string): Promise<void>
  /** Rejects if the database cannot be used. */
  ping(): Promise<void>
  /**
   * Returns a link that signs in to the console.
   *
   * @throws Error when there is no console
   */
  consoleLink(): Promise<string>
  /** Tries to connect to the endpoints. */
  probeEndpoints(): Promise<readonly EndpointProbe[]>
  readonly onError: (error: unknown) => void
}

const maxConnections = 16

/** Answers commands of this machine on a socket that only the owner of the database file can open. */
export interface LocalServer {
  close(): Promise<void>
}

/**
 * Listens on a Unix socket in the folder of the database: `POST /backup` responds with a copy of the database, `GET
 * /ready` checks it, `GET /endpoints` checks the endpoints, `POST /console-link` responds with a sign-in link. The
 * caller holds the lock of the database file, so a leftover socket of a crashed process is removed.
 *
 * @throws Error when the path is too long for a socket, or the folder cannot be written
 */
export async function startLocalServer(
  socket: string,
  { backup, ping, consoleLink, probeEndpoints, onError }: LocalCommands,
): Promise<LocalServer> {
  let isBackingUp = false

  async function sendBackup(response: ServerResponse): Promise<void> {
    if (isBackingUp) return sendText(response, 409, 'Another backup is being made: wait for its end.')
    isBackingUp = true
    const file = `${socket}.backup`
    try {
      await backup(file)
      response.writeHead(200, { 'content-type': 'application/vnd.sqlite3', 'content-length': statSync(file).size })
      await pipeline(createReadStream(file), response)
    } finally {
      isBackingUp = false
      rmSync(file, { force: true })
    }
  }

  const server = createServer((request, response) => {
    const command = commands[`${request.method} ${request.url}`]
    if (command === undefined) return sendText(response, 404, 'There is no such command.')
    command(response).catch((error: unknown) => {
      onError(error)
      if (response.headersSent) response.destroy()
      else sendText(response, 503, error instanceof Error ? error.message : String(error))
    })
  })
  const commands: Readonly<Record<string, (response: ServerResponse) => Promise<void>>> = {
    'POST /backup': sendBackup,
    'GET /ready': async (response) => {
      await ping()
      sendText(response, 200, 'ready')
    },
    'POST /console-link': async (response) => sendText(response, 200, await consoleLink()),
    'GET /endpoints': async (response) => sendText(response, 200, JSON.stringify(await probeEndpoints())),
  }

  limitConnections(server, { connections: maxConnections })
  rmSync(socket, { force: true })
  server.listen(socket)
  await once(server, 'listening')
  chmodSync(socket, 0o600)
  return {
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(text)
}
