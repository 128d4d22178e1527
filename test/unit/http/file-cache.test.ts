import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import { createFileCache, sendBytes } from '../../../src/http/file-cache.ts'

async function startFiles() {
  const reads: string[] = []
  const server = Fastify()
  const long = Buffer.alloc(200_000, 'long ')
  server.get('/long', async (_request, reply) => reply.header('etag', '"1"').send(long))
  server.get('/short', async (_request, reply) => reply.send(Buffer.from('short')))
  server.get('/broken', async () => {
    throw new Error('broken')
  })
  const files = createFileCache((name) => {
    reads.push(name)
    return server.inject({ method: 'GET', url: name })
  })
  const app = Fastify()
  app.get('/*', async ({ url }, reply) => {
    const { statusCode, rawPayload } = await files.get(url)
    return sendBytes(reply.code(statusCode), rawPayload)
  })
  return { reads, files, long, get: (url: string) => app.inject({ method: 'GET', url }) }
}

test('a file is read once, even when it is requested several times at once', async () => {
  const { reads, files } = await startFiles()
  const responses = await Promise.all(['/long', '/long', '/short'].map((name) => files.get(name)))
  assert.equal(responses[0]?.rawPayload, responses[1]?.rawPayload)
  assert.equal((await files.get('/short')).body, 'short')
  assert.deepEqual(reads, ['/long', '/short'])
})

test('missing files and failures are not cached', async () => {
  const { reads, files } = await startFiles()
  for (const status of [404, 404]) assert.equal((await files.get('/none')).statusCode, status)
  for (const status of [500, 500]) assert.equal((await files.get('/broken')).statusCode, status)
  assert.deepEqual(reads, ['/none', '/none', '/broken', '/broken'])
})

test('a long file is sent in chunks and arrives whole, with its length', async () => {
  const { get, long } = await startFiles()
  const { rawPayload, headers } = await get('/long')
  assert.deepEqual(rawPayload, long)
  assert.equal(headers['content-length'], String(long.length))
  assert.equal((await get('/short')).body, 'short')
})
