import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerParent } from './answer-parent.ts'

/** A product's endpoint; the path determines how it responds. */
const answers: Readonly<Record<string, (response: ServerResponse) => void>> = {
  '/fast': (response) => response.writeHead(204).end(),
  '/slow': (response) => void setTimeout(() => response.writeHead(204).end(), 2_000),
  '/failing': (response) => response.writeHead(500).end(),
}

const server = createServer((request, response) => {
  request.resume().once('end', () => answers[request.url ?? '']?.(response))
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = server.address() as AddressInfo
answerParent(port, async () => server.closeAllConnections())
