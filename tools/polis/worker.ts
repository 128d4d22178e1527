import { parentPort, workerData } from 'node:worker_threads'
import { openPolisHttp } from './http.ts'
import { openLibrary } from './library.ts'
import type { PolisMessage, PolisOptions } from './polis.ts'
import { findRoute } from './routes.ts'

const apiKey = 'polis-api-key'

async function start(options: PolisOptions): Promise<void> {
  const http = await openPolisHttp(options.port ?? 0)
  const controllers = await openLibrary(options, options.externalUrl ?? http.url)
  http.serve({ apiKey, respond: (request) => findRoute(request)(controllers, request) })
  parentPort?.once('message', async () => {
    await http.close()
    await controllers.close()
    send('closed')
  })
  send({ url: http.url, apiKey })
}

function send(message: PolisMessage): void {
  parentPort?.postMessage(message)
}

try {
  const options: PolisOptions = workerData
  await start(options)
} catch (error) {
  send({ problem: error instanceof Error ? error.message : String(error) })
}
