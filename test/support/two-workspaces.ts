import { once } from 'node:events'
import { createServer, request as sendRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FakeGoogle } from '../../tools/fake-google/server.ts'
import { settingsOf, startFakeGoogle } from '../../tools/fake-google/server.ts'
import { cookieOf } from './client.ts'
import type { Engine, TestService } from './service.ts'
import { startTestService } from './service.ts'

/** A service whose Google has two customers: that of the tenant, and another one. */
export interface TwoWorkspaces extends AsyncDisposable {
  readonly service: TestService
  readonly own: FakeGoogle
  readonly stranger: FakeGoogle
  /** Opens an authorization URL and consents there as an administrator of a Workspace; returns the last response. */
  consent(url: string, as: FakeGoogle): Promise<{ readonly status: number; readonly text: string }>
}

/** Each request to Google is answered by the Workspace that issued its code or token. */
export async function startTwoWorkspaces(engine: Engine): Promise<TwoWorkspaces> {
  await using opening = new AsyncDisposableStack()
  const own = opening.use(await startFakeGoogle({ customerId: 'C0own', domains: ['acme.example'] }))
  const stranger = opening.use(await startFakeGoogle({ customerId: 'C0stranger', domains: ['stranger.example'] }))
  // Both number their items; those of the other customer start later.
  for (let made = 0; made < 500; made += 1) {
    stranger.issueTokens()
    stranger.deleteUser(stranger.addUser({ primaryEmail: `user-${made}@stranger.example` }).id)
  }
  const strangers = new Set<string>()
  const front = opening.use(
    await startFront((text) => ([...strangers].some((one) => text.includes(one)) ? stranger : own).url),
  )
  const urls = { DSYNC_EXTDIR_TOKEN_URL: `${front.url}/token`, DSYNC_EXTDIR_API_URL: front.url }
  const service = opening.use(await startTestService(engine, { ...settingsOf(own), ...urls }))

  async function consent(url: string, as: FakeGoogle) {
    const { pathname, search } = new URL(url)
    const begun = await service.request('GET', pathname + search)
    if (begun.status !== 302) return begun
    const query = new URL(String(begun.headers['location'])).searchParams
    // Google offers accounts of other domains as well.
    query.delete('hd')
    const consented = await fetch(`${as.authUrl}?${query}`, { redirect: 'manual' })
    const back = new URL(consented.headers.get('location') ?? '')
    const code = encodeURIComponent(back.searchParams.get('code') ?? '')
    if (as === stranger) strangers.add(code)
    else strangers.delete(code)
    return service.request('GET', back.pathname + back.search, { headers: cookieOf(begun) })
  }

  const closing = opening.move()
  front.onResponse = (text, target) => {
    if (target !== stranger.url || !text.includes('access_token')) return
    const { access_token, refresh_token } = JSON.parse(text)
    for (const token of [access_token, refresh_token]) if (token) strangers.add(token).add(encodeURIComponent(token))
  }
  return { service, own, stranger, consent, [Symbol.asyncDispose]: () => closing.disposeAsync() }
}

/** A server in front of both, which passes each request on to the one that `targetOf` names by its text. */
async function startFront(targetOf: (text: string) => string) {
  const front = { url: '', onResponse: (_text: string, _target: string) => {} }
  const server = createServer(async (incoming, response) => {
    const body = Buffer.concat(await Array.fromAsync(incoming))
    const target = targetOf(`${incoming.headers.authorization} ${body}`)
    const { host: _, ...headers } = incoming.headers
    const passed = sendRequest(target + incoming.url, { method: incoming.method, headers })
    passed.end(body)
    const [answer] = await once(passed, 'response')
    const text = Buffer.concat(await Array.fromAsync(answer))
    front.onResponse(String(text), target)
    response.writeHead(answer.statusCode, answer.headers).end(text)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  front.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return Object.assign(front, {
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  })
}
