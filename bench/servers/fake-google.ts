import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { generatePlain } from '../../test/unit/fake-google/generate.ts'
import { makeChanges } from '../../test/unit/fake-google/history.ts'
import { seededRandom } from '../../test/unit/fake-google/random.ts'
import { startFakeGoogle } from '../../tools/fake-google/server.ts'
import { answerParent } from './answer-parent.ts'
import type { PulledWorkspace, WorkspaceCommand } from './messages.ts'

/** A fake Google with a large customer in a separate process, controlled by the benchmark with JSON messages. */
const google = await startFakeGoogle()
const random = seededRandom(1)

function obey(command: WorkspaceCommand): PulledWorkspace {
  if (command.fill !== undefined) generatePlain(google, command.fill)
  if (command.changes !== undefined) makeChanges(google, random, command.changes)
  const { clientId, clientSecret, authUrl, tokenUrl, apiUrl } = google
  return {
    settings: {
      DSYNC_EXTDIR_CLIENT_ID: clientId,
      DSYNC_EXTDIR_CLIENT_SECRET: clientSecret,
      DSYNC_EXTDIR_AUTH_URL: authUrl,
      DSYNC_EXTDIR_TOKEN_URL: tokenUrl,
      DSYNC_EXTDIR_API_URL: apiUrl,
    },
    tokens: google.issueTokens(),
    requests: google.requests.total(),
  }
}

const server = createServer(async (request, response) => {
  response.end(JSON.stringify(obey((await json(request)) as WorkspaceCommand)))
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = server.address() as AddressInfo
answerParent(port, async () => {
  server.closeAllConnections()
  await google[Symbol.asyncDispose]()
})
