import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readMessages } from '../../../src/client/event-stream.ts'

/** A body that arrives in these pieces, and then ends or fails. */
function bodyOf(pieces: readonly string[], error?: Error): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const left = pieces.map((piece) => encoder.encode(piece))
  return new ReadableStream({
    pull(controller) {
      const next = left.shift()
      if (next !== undefined) controller.enqueue(next)
      else if (error === undefined) controller.close()
      else controller.error(error)
    },
  })
}

async function read(pieces: readonly string[], error?: Error) {
  const delays: number[] = []
  const options = { onRetry: (delayMs: number) => delays.push(delayMs), during: <T>(wait: Promise<T>) => wait }
  return { messages: await Array.fromAsync(readMessages(bodyOf(pieces, error), options)), delays }
}

for (const { what, text, messages } of [
  {
    what: 'messages',
    text: 'id: 1\ndata: a\n\nid: 2\ndata: b\n\n',
    messages: [
      { id: '1', data: 'a' },
      { id: '2', data: 'b' },
    ],
  },
  { what: 'lines that end with CR LF', text: 'id: 1\r\ndata: a\r\n\r\n', messages: [{ id: '1', data: 'a' }] },
  { what: 'lines that end with CR', text: 'id: 1\rdata: a\r\rx', messages: [{ id: '1', data: 'a' }] },
  { what: 'data of several lines', text: 'data: a\ndata:  b\ndata\n\n', messages: [{ id: '', data: 'a\n b\n' }] },
  { what: 'values without a space', text: 'id:1\ndata:a:b\n\n', messages: [{ id: '1', data: 'a:b' }] },
  {
    what: 'comments and unknown fields',
    text: ':\n\nevent: x\nother: y\n\ndata: a\n\n',
    messages: [{ id: '', data: 'a' }],
  },
  { what: 'the id of an earlier message', text: 'id: 1\n\ndata: a\n\n', messages: [{ id: '1', data: 'a' }] },
  { what: 'characters of several bytes', text: 'data: Zoë 🙂\n\n', messages: [{ id: '', data: 'Zoë 🙂' }] },
  { what: 'no message that is cut off', text: 'data: a\n\ndata: b\n', messages: [{ id: '', data: 'a' }] },
]) {
  test(`reads ${what}, in whatever pieces they arrive`, async () => {
    assert.deepEqual((await read([text])).messages, messages)
    assert.deepEqual((await read([...text])).messages, messages)
  })
}

test('ends when the connection is lost', async () => {
  const { messages } = await read(['data: a\n\n', 'data: b'], new Error('reset'))
  assert.deepEqual(messages, [{ id: '', data: 'a' }])
})

test('reports the delay before the next connection', async () => {
  assert.deepEqual((await read(['retry: 2000\n\nretry: soon\n\n'])).delays, [2000])
})
