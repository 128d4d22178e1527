import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changedEndpoint } from '../../../src/directory/endpoint.ts'
import { headerProblems } from '../../../src/directory/endpoint-headers.ts'

for (const { name, value = 'v' } of [
  { name: 'X-Gateway-Key' },
  { name: 'authorization', value: 'Bearer a.b.c' },
  { name: 'x_key.2', value: 'with\ttab and spaces inside' },
  { name: 'x'.repeat(100), value: 'v'.repeat(2000) },
]) {
  test(`accepts the header ${name.slice(0, 20)}`, () => assert.deepEqual(headerProblems({ [name]: value }), []))
}

const refused = [
  ...['Host', 'User-Agent', 'Content-Type', 'content-anything', 'Webhook-Id', 'webhook-x', 'Rollcall-Tenant', 'TE'],
  ...['Connection', 'keep-alive', 'Trailer', 'transfer-encoding', 'Upgrade', 'Proxy-Authorization', 'Expect'],
  ...['traceparent', 'tracestate'],
]
for (const name of refused) {
  test(`refuses the header ${name}, which is not the caller's`, () => {
    assert.match(headerProblems({ [name]: 'v' }).join(), /cannot be set/)
  })
}

for (const name of ['', 'X Key', 'X-Key:', 'X-Key\r\n', '-x', 'schlüssel', 'x'.repeat(101)]) {
  test(`refuses ${JSON.stringify(name.slice(0, 20))} as the name of a header`, () => {
    assert.match(headerProblems({ [name]: 'v' }).join(), /is not the name of a header/)
  })
}

for (const value of ['', ' v', 'v ', 'a\r\nb: c', 'a\0', 'ü', '\u2028', 'v'.repeat(2001)]) {
  test(`refuses the value ${JSON.stringify(value.slice(0, 20))}, without showing it`, () => {
    const [problem = ''] = headerProblems({ 'X-Key': value })
    assert.match(problem, /^the value of X-Key must be 1 to 2000 printable ASCII characters/)
  })
}

test('refuses a name in two letter cases, and an eleventh header', () => {
  assert.match(headerProblems({ 'X-Key': 'a', 'x-key': 'b' }).join(), /"x-key" is there twice/)
  const eleven = Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`x-${index}`, 'v']))
  assert.deepEqual(headerProblems(eleven), ['send at most 10 headers.'])
})

const before = { url: 'https://a.example/x', secret: 's', previousSecret: undefined, headers: { 'X-Key': 'k' } }
const changed = (fields: Parameters<typeof changedEndpoint>[0]) => changedEndpoint(fields, before, () => 'new')?.headers

test('headers stay with a change of the path, the secret or nothing', () => {
  for (const fields of [{}, { webhook_url: 'https://a.example/y' }, { webhook_secret: 'other' }]) {
    assert.deepEqual(changed(fields), { 'X-Key': 'k' })
  }
})

test('headers are replaced as a whole, and removed by {}, null or with the endpoint', () => {
  assert.deepEqual(changed({ webhook_headers: { 'X-Other': 'o' } }), { 'X-Other': 'o' })
  for (const webhook_headers of [{}, null]) assert.equal(changed({ webhook_headers }), undefined)
  assert.equal(changed({ webhook_url: '' }), undefined)
})

for (const webhook_url of ['https://b.example/x', 'http://a.example/x', 'https://a.example:8443/x']) {
  test(`headers are not sent to ${webhook_url} unless they are sent again`, () => {
    assert.throws(() => changed({ webhook_url }), { message: /webhook_headers: the URL has another host/ })
    assert.deepEqual(changed({ webhook_url, webhook_headers: { 'X-Key': 'k' } }), { 'X-Key': 'k' })
    assert.equal(changed({ webhook_url, webhook_headers: {} }), undefined)
  })
}
