import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { forEachEngine, serviceForSuite, testApiKey } from '../support/service.ts'

const chunk = 'x'.repeat(65_536)
const chunks = 120

forEachEngine((engine) => {
  const service = serviceForSuite(engine)

  /** Sends a body of 7.8 MB as a whole, and only then reads the response. */
  async function sendLarge(path: string, headers: Record<string, string>, isChunked: boolean): Promise<string> {
    const { hostname, port } = new URL(service().origin)
    const socket = connect({ host: hostname, port: Number(port) })
      .setEncoding('utf8')
      .pause()
    const write = (text: string) =>
      new Promise<void>((resolve, reject) => socket.write(text, (error) => (error ? reject(error) : resolve())))
    const length = isChunked ? 'transfer-encoding: chunked' : `content-length: ${chunk.length * chunks}`
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    await write(`POST ${path} HTTP/1.1\r\nhost: ${hostname}\r\n${lines.join('')}${length}\r\n\r\n`)
    for (let sent = 0; sent < chunks; sent += 1) {
      await write(isChunked ? `${chunk.length.toString(16)}\r\n${chunk}\r\n` : chunk)
    }
    if (isChunked) await write('0\r\n\r\n')
    let text = ''
    socket.on('data', (part: string) => {
      text += part
      if (text.endsWith('}')) socket.destroy()
    })
    socket.resume()
    await once(socket, 'close')
    return text
  }

  for (const isChunked of [false, true]) {
    const how = isChunked ? 'in chunks' : 'with Content-Length'

    test(`25 clients that send too much ${how}, and then read, get the 413`, async () => {
      const { scim } = await service().createDirectory()
      const headers = { authorization: `Bearer ${scim.secret}`, 'content-type': 'application/scim+json' }
      const clients = Array.from({ length: 25 }, () => sendLarge(`${scim.path}/Users`, headers, isChunked))
      for (const answer of await Promise.all(clients)) assert.match(answer, /^HTTP\/1.1 413 .*"status":"413"/s)
    })

    test(`a client of the API that sends too much ${how} gets the 413`, async () => {
      const headers = { authorization: `Api-Key ${testApiKey}`, 'content-type': 'application/json' }
      const answer = await sendLarge('/api/v1/directory-sync', headers, isChunked)
      assert.match(answer, /^HTTP\/1.1 413 .*"code":413/s)
    })
  }
})
