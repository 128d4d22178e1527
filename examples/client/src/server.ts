import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { WebhookVerificationError } from 'rollcall-client/webhooks'
import { consumer, listAccounts } from './accounts.ts'

const server = createServer(async (request, response) => {
  if (request.method === 'GET') {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(listAccounts()))
    return
  }
  try {
    await consumer.handle(await text(request), request.headers)
    response.writeHead(204).end()
  } catch (error) {
    console.error(error)
    // After a 503 the event is sent again.
    response.writeHead(error instanceof WebhookVerificationError ? 401 : 503).end()
  }
})

server.listen(Number(process.env['PORT'] ?? 3000), () => console.log('listening on', server.address()))
