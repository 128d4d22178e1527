import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { AddressInfo, LookupFunction } from 'node:net'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { createServer as createTlsServer } from 'node:tls'
import type { EndpointClientOptions } from '../../../src/delivery/endpoint/client.ts'
import { createEndpointClient } from '../../../src/delivery/endpoint/client.ts'
import { createEgressPolicy } from '../../../src/delivery/endpoint/egress-policy.ts'
import { createEgressProxy } from '../../../src/delivery/endpoint/proxy.ts'
import { createEndpointUrlCheck } from '../../../src/delivery/endpoint/url-check.ts'
import { fetchJson } from '../../../src/oauth/fetch-json.ts'
import { createManualTime } from '../../support/manual-time.ts'
import { startProxy } from '../../support/proxy.ts'
import { openReceiver } from './support/receiver.ts'

const noLookup: LookupFunction = (hostname) => assert.fail(`${hostname} was looked up`)

function egressThrough(url: string, except: readonly string[] = []) {
  const proxy = createEgressProxy(url, except)
  return createEgressPolicy({ allowPrivate: [], externalUrl: () => 'https://rollcall.example.com', proxy })
}

function openClient(proxy: string, options: Partial<EndpointClientOptions> = {}, except: readonly string[] = []) {
  const client = createEndpointClient({ egress: egressThrough(proxy, except), lookup: noLookup, ...options })
  return {
    async post(url: string) {
      const result = await client.post(url, {}, '{}')
      return result.kind === 'failed' ? result.reason : `status ${result.status}`
    },
    [Symbol.asyncDispose]: client.close,
  }
}

/** A server with a certificate that nobody trusts, which records the names that clients ask for. */
async function startTlsServer() {
  const names: string[] = []
  const server = createTlsServer({
    key: readFileSync(new URL('../../support/certificates/localhost.key', import.meta.url)),
    cert: readFileSync(new URL('../../support/certificates/localhost.pem', import.meta.url)),
    SNICallback: (name, callback) => {
      names.push(name)
      callback(null)
    },
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { names, port, [Symbol.asyncDispose]: async () => void server.close() }
}

/** A port of this machine that nothing listens on. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

for (const credentials of [undefined, 'rollcall:s%3Acr%40t', 'rollcall:']) {
  test(`requests go through the proxy, which resolves the name, with the credentials ${credentials}`, async () => {
    await using receiver = await openReceiver()
    await using proxy = await startProxy(credentials)
    await using client = openClient(proxy.url)
    const url = `http://events.example:${receiver.port}/hook?a=b`
    assert.equal(await client.post(url), 'status 200')
    assert.equal(await client.post(url), 'status 200')
    assert.deepEqual(proxy.targets, [`events.example:${receiver.port}`], 'both requests share a connection')
    const [request] = receiver.received.items
    assert.equal(request?.url, '/hook?a=b')
    assert.equal(request?.headers.host, `events.example:${receiver.port}`)
    assert.equal(request?.headers['proxy-authorization'], undefined)
  })
}

test('TLS is between the service and the endpoint, and a problem with it is not one of the proxy', async () => {
  await using endpoint = await startTlsServer()
  await using proxy = await startProxy()
  await using client = openClient(proxy.url)
  const reason = await client.post(`https://events.example:${endpoint.port}/`)
  assert.deepEqual([endpoint.names, proxy.targets], [['events.example'], [`events.example:${endpoint.port}`]])
  assert.match(reason, /certificate/)
  assert.doesNotMatch(reason, /proxy/i)
})

test('a proxy with TLS is asked for the certificate of its own name', async () => {
  await using proxy = await startTlsServer()
  await using client = openClient(`https://localhost:${proxy.port}`)
  assert.match(await client.post('http://events.example/'), /^the proxy of .+ cannot be reached or .+SIGNATURE\)$/)
  assert.deepEqual(proxy.names, ['localhost'])
})

for (const { what, how, reason } of [
  { what: 'requires a password', how: 407, reason: /did not connect to events\.example:80: it answered 407$/ },
  { what: 'refuses the host', how: 403, reason: /did not connect to events\.example:80: it answered 403$/ },
  { what: 'cannot reach the host', how: 502, reason: /did not connect to events\.example:80: it answered 502$/ },
] as const) {
  test(`a proxy that ${what} is named as the reason, and used again for the next attempt`, async () => {
    await using proxy = await startProxy()
    await using client = openClient(proxy.url)
    proxy.refuse(how)
    const found = await client.post('http://events.example/')
    assert.match(found, /^the proxy of DSYNC_WEBHOOK_PROXY /)
    assert.match(found, reason)
    proxy.refuse(undefined)
    await using receiver = await openReceiver()
    assert.equal(await client.post(`http://events.example:${receiver.port}/`), 'status 200')
  })
}

test('a proxy that is not there is named as the reason, without its address and password', async () => {
  const port = await closedPort()
  await using client = openClient(`http://rollcall:hunter2@127.0.0.1:${port}`)
  assert.equal(
    await client.post('http://events.example/'),
    'the proxy of DSYNC_WEBHOOK_PROXY cannot be reached or does not answer (ECONNREFUSED)',
  )
})

test('a proxy that closes the connection is named as the reason', async () => {
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  await using client = openClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  assert.match(await client.post('http://events.example/'), /^the proxy of DSYNC_WEBHOOK_PROXY cannot be reached/)
  server.close()
})

test('an attempt through a proxy that does not answer ends in time', async () => {
  await using proxy = await startProxy()
  proxy.refuse('hang')
  const { schedule, advance } = createManualTime()
  await using client = openClient(proxy.url, { schedule, timeoutMs: 15_000 })
  const result = client.post('http://events.example/')
  advance(15_000)
  assert.equal(await result, 'no response within 15000 ms')
})

for (const { url, target } of [
  { url: 'http://events.example/', target: 'events.example:80' },
  { url: 'https://events.example/', target: 'events.example:443' },
  { url: 'https://events.example:8443/', target: 'events.example:8443' },
  { url: 'http://[2606:4700::1]/', target: '[2606:4700::1]:80' },
  { url: 'https://[2606:4700::1]:8443/', target: '[2606:4700::1]:8443' },
]) {
  test(`the proxy is asked to connect to ${target} for ${url}`, async () => {
    await using proxy = await startProxy()
    proxy.refuse(502)
    await using client = openClient(proxy.url)
    await client.post(url)
    assert.deepEqual(proxy.targets, [target])
  })
}

for (const host of ['169.254.169.254', '10.0.0.1', '[fd00:ec2::254]', '2852039166']) {
  test(`the proxy is not asked to connect to ${host}`, async () => {
    await using proxy = await startProxy()
    await using client = openClient(proxy.url)
    assert.match(await client.post(`http://${host}/`), /must not be sent to/)
    assert.deepEqual(proxy.targets, [])
  })
}

for (const host of ['localhost', 'api.localhost', '127.0.0.1', '[::1]']) {
  test(`the proxy is not asked to connect to ${host}, which is this machine and not the proxy's`, async () => {
    await using proxy = await startProxy()
    const lookup: LookupFunction = (_host, _options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }])
    await using client = openClient(proxy.url, { lookup })
    assert.match(await client.post(`http://${host}/`), /must not be sent to/)
    assert.deepEqual(proxy.targets, [])
  })
}

test('hosts of NO_PROXY are reached directly, at allowed addresses only', async () => {
  await using proxy = await startProxy()
  const lookup: LookupFunction = (_host, _options, callback) => callback(null, [{ address: '10.0.0.1', family: 4 }])
  await using client = openClient(proxy.url, { lookup }, ['internal.example'])
  assert.match(await client.post('http://hooks.internal.example/'), /must not be sent to/)
  assert.deepEqual(proxy.targets, [])
})

for (const { except, direct, proxied } of [
  { except: [], direct: [], proxied: ['a.example:80', '10.0.0.1:443', '::2:80'] },
  { except: ['*'], direct: ['a.example:80', '10.0.0.1:443', '::2:80'], proxied: [] },
  {
    except: ['a.example'],
    direct: ['a.example:80', 'A.Example.:443', 'b.a.example:80'],
    proxied: ['ba.example:80', 'example:80', 'a.example.org:80'],
  },
  { except: ['.a.example', '*.b.example'], direct: ['x.a.example:1', 'x.b.example:1'], proxied: ['xa.example:1'] },
  { except: ['a.example:8080'], direct: ['a.example:8080', 'b.a.example:8080'], proxied: ['a.example:80'] },
  { except: ['*:8080'], direct: ['a.example:8080'], proxied: ['a.example:80'] },
  {
    except: ['10.0.0.0/8', '192.168.1.1', 'fd00::/8', '[fe00::1]:443'],
    direct: ['10.2.3.4:80', '192.168.1.1:1', 'fd12::1:80', 'fe00::1:443'],
    proxied: ['11.0.0.1:80', 'fe00::1:80', '10.example:80'],
  },
  { except: ['a.example b.example', '', '!'], direct: ['a.example:80', 'b.example:80'], proxied: ['c.example:80'] },
]) {
  test(`NO_PROXY=${except.join()} excepts ${direct.join() || 'nothing'}`, () => {
    const { connectsTo } = createEgressProxy('http://proxy.example:3128', except)
    const isProxied = (target: string) => {
      const colon = target.lastIndexOf(':')
      return connectsTo(target.slice(0, colon), Number(target.slice(colon + 1)))
    }
    assert.deepEqual([...direct, ...proxied].filter(isProxied), proxied)
  })
}

test('a URL is accepted when only the proxy can resolve its name, and addresses are still checked', async () => {
  const egress = egressThrough('http://proxy.example:3128', ['internal.example'])
  const lookup: LookupFunction = (_host, _options, callback) => callback(null, [{ address: '10.0.0.1', family: 4 }])
  const check = createEndpointUrlCheck({ egress, lookup })
  assert.equal(await check('https://events.example/'), undefined)
  assert.match(String(await check('https://internal.example/')), /is in a private network/)
  assert.match(String(await check('https://10.0.0.1/')), /is in a private network/)
  assert.match(String(await check('https://localhost/')), /is in a private network/)
})

test('the keys of issuers are fetched through the proxy', async () => {
  await using issuer = await openReceiver((response) => response.end('{"keys":[]}'))
  await using proxy = await startProxy()
  const get = { egress: egressThrough(proxy.url), connectMs: 15_000, signal: AbortSignal.timeout(15_000) }
  assert.deepEqual(await fetchJson(`http://keys.example:${issuer.port}/jwks`, get), { keys: [] })
  assert.deepEqual(proxy.targets, [`keys.example:${issuer.port}`])
  proxy.refuse(403)
  await assert.rejects(fetchJson(`http://keys.example:${issuer.port}/jwks`, get), {
    message: `the proxy of DSYNC_WEBHOOK_PROXY did not connect to keys.example:${issuer.port}: it answered 403`,
  })
})
