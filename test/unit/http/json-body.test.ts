import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import { acceptJson, JsonBodyError, parseJsonBody as parseBytes } from '../../../src/http/json-body.ts'

const parseJsonBody = (text: string) => parseBytes(Buffer.from(text))

function problemOf(text: string): JsonBodyError {
  try {
    parseJsonBody(text)
  } catch (error) {
    if (error instanceof JsonBodyError) return error
    throw error
  }
  assert.fail('the body was accepted')
}

const many = (count: number, element: (index: number) => string) => Array.from({ length: count }, (_, i) => element(i))

for (const { title, element } of [
  { title: 'numbers', element: () => '0' },
  { title: 'empty objects', element: () => '{}' },
  { title: 'strings with escape sequences', element: () => String.raw`"\u005f"` },
]) {
  test(`a body of more values than the limit is rejected before it is parsed: ${title}`, () => {
    const { status, message } = problemOf(`{"userName":"a","emails":[${many(262_145, element)}`)
    assert.deepEqual([status, message], [413, 'The body has more than 262144 values: send fewer in one request.'])
  })
}

test('a body with too many different names is rejected, however they are distributed', () => {
  // Names are counted by their hash values, of which a few may be equal.
  const oneObject = problemOf(`{${many(10_050, (index) => `"n${index}":0`)}}`)
  const manyObjects = problemOf(`[${many(10_050, (index) => `{"n${index}":0}`)}]`)
  const orders = problemOf(`[${many(10_101, (index) => `{"n${index % 101}":0,"n${Math.floor(index / 101)}":0}`)}]`)
  for (const { status, message } of [oneObject, manyObjects, orders]) {
    assert.equal(status, 413)
    assert.match(message, /more than 10000 different attribute names or orders of names/)
  }
})

test('a body with a string that no resource can hold is rejected before it is parsed', () => {
  const { status, message } = problemOf(`{"nickName":"${'x'.repeat(786_433)}`)
  assert.equal(status, 413)
  assert.match(message, /^A string in the body has more than 786432 bytes/)
  const longest = { nickName: '語'.repeat(262_144) }
  assert.deepEqual(parseJsonBody(JSON.stringify(longest)), longest)
})

test('a PATCH that adds 50,000 members with their types fits', () => {
  const members = many(
    50_000,
    (index) => `{"value":"01910000-0000-7000-8000-${index}","type":"User","display":"Person number ${index}"}`,
  )
  const body = parseJsonBody(`{"Operations":[{"op":"add","path":"members","value":[${members}]}]}`)
  assert.ok(typeof body === 'object')
})

for (const { title, text } of [
  { title: 'as it is', text: '{"a":[{"__proto__":{}}]}' },
  { title: 'with escape sequences', text: String.raw`{"a":{"\u005f_pr\u006fto__":1}}` },
  {
    title: 'with every letter escaped',
    text: String.raw`{"\u005f\u005F\u0070\u0072\u006f\u0074\u006F\u005f\u005f":1}`,
  },
]) {
  test(`an attribute named __proto__ is rejected: ${title}`, () => {
    assert.deepEqual(problemOf(text).message, 'The body has an attribute named "__proto__": remove it.')
  })
}

test('a text that contains __proto__ is accepted where it names no attribute', () => {
  for (const value of [{ '"__proto__': 1 }, { __proto: '"__proto__":' }, [' __proto__ ', '\u005f_']]) {
    assert.deepEqual(parseJsonBody(JSON.stringify(value)), value)
  }
})

test('an empty body is undefined', () => {
  assert.equal(parseJsonBody(' \n'), undefined)
})

for (const text of [
  String.raw`{"title":"\ud800"}`,
  String.raw`{"a":[{"b":"x\uDFFFy"}]}`,
  String.raw`{"\uDBFF":1}`,
  String.raw`["\udc00\ud800"]`,
  String.raw`"\\\ud800"`,
]) {
  test(`half of a surrogate pair is rejected: ${text}`, () => {
    const { status, message } = problemOf(text)
    assert.deepEqual([status, message], [400, 'The body contains half of a surrogate pair: send valid Unicode.'])
  })
}

test('surrogate pairs, and texts that only look like halves of one, are accepted', () => {
  assert.deepEqual(parseJsonBody(String.raw`["\ud83d\ude00", "\\ud800", "😀"]`), ['😀', String.raw`\ud800`, '😀'])
})

for (const literal of [
  '9007199254740992',
  '-9007199254740993',
  '123456789012345678901234567890',
  '1e999',
  '-1E+400',
  '1e300',
]) {
  test(`the number ${literal} is rejected wherever it is, because it would lose digits`, () => {
    const because = 'The body contains a number that is too large to keep exactly: send it as a string.'
    for (const text of [
      literal,
      `[${literal}]`,
      `{"a": {"b":\n${literal}}}`,
      `[0,${literal},"x"]`,
      `["\\"",${literal}]`,
    ]) {
      const { status, message } = problemOf(text)
      assert.deepEqual([status, message], [400, because], text)
    }
  })
}

test('numbers that keep their value, and long digits in strings, are accepted', () => {
  const text = '[9007199254740991,-9007199254740991,0.12345678901234567890,1e15,5e-324,"a:9007199254740993,1e999"]'
  assert.deepEqual(parseJsonBody(text), JSON.parse(text))
})

/** An app that accepts JSON, and counts the time slices in which it is parsed. */
function jsonApp() {
  const app = Fastify({ bodyLimit: 1_000_000 })
  let slices = 0
  const next = async () => {
    slices += 1
  }
  acceptJson(app, ['application/json'], { bodyLimit: 1_000_000, slices: { next } })
  app.post('/', async ({ body }) => body)
  return {
    slices: () => slices,
    async send(text: string): Promise<{ status: number; body: unknown }> {
      const headers = { 'content-type': 'application/json' }
      const { statusCode, json } = await app.inject({ method: 'POST', url: '/', headers, payload: Buffer.from(text) })
      return { status: statusCode, body: json() }
    },
  }
}

for (const { title, text, slices } of [
  { title: 'a small body is parsed at once', text: 'x', slices: 0 },
  {
    title: 'other requests are served before and after the steps of parsing a large body',
    text: 'x'.repeat(65_536),
    slices: 4,
  },
]) {
  test(`${title}, and a byte order mark is ignored`, async () => {
    const app = jsonApp()
    assert.deepEqual(await app.send(`\ufeff{"title":"${text}"}`), { status: 200, body: { title: text } })
    assert.equal(app.slices(), slices)
  })
}

test('a large body is rejected for the same reasons as a small one, wherever the problem is', async () => {
  const app = jsonApp()
  const elements = many(30_000, (index) => `"element ${index}"`)
  for (const refused of ['{"__proto__":1}', String.raw`"\ud800"`, '9007199254740993', '"open', '{"a":}', '[', '{}}']) {
    const { message } = problemOf(refused)
    for (const position of [0, 15_000, 30_000]) {
      const answer = await app.send(`[${elements.toSpliced(position, 0, refused)}]`)
      assert.deepEqual([answer.status, answer.body], [400, { statusCode: 400, error: 'Bad Request', message }])
    }
  }
  const { status } = await app.send(`[${many(262_145, () => '0')}]`)
  assert.equal(status, 413)
})

test('a body that is not JSON is rejected as such, even if it looks like a long number', () => {
  for (const text of ['{', '[1,]', '--------------------', '1234567890123456-1', String.raw`"\u12"`, '{"a":1}{']) {
    assert.match(problemOf(text).message, /^The body is not valid JSON/, text)
  }
})
