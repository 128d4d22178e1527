import assert from 'node:assert/strict'
import type { LookupFunction } from 'node:net'
import test from 'node:test'
import { createEndpointUrlCheck } from '../../../src/delivery/endpoint/url-check.ts'
import { createManualTime } from '../../support/manual-time.ts'
import { localEgress, publicEgress } from './support/egress.ts'

function lookupReturning(...addresses: string[]): LookupFunction {
  return (_host, _options, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
}

const failingLookup: LookupFunction = (_host, _options, callback) => callback(new Error('ENOTFOUND'), '')
const unansweredLookup: LookupFunction = () => {}

for (const { url, because } of [
  { url: 'http://127.0.0.1:8080/', because: /in a private network or on this machine/ },
  { url: 'http://0x7f.1/', because: /in a private network or on this machine/ },
  { url: 'http://[::1]/', because: /in a private network or on this machine/ },
  { url: 'http://[::ffff:10.0.0.1]/', because: /in a private network or on this machine/ },
  { url: 'https://10.20.30.40/events', because: /DSYNC_WEBHOOK_ALLOW_PRIVATE/ },
  { url: 'http://localhost/', because: /in a private network or on this machine/ },
  { url: 'http://a.LOCALHOST./', because: /in a private network or on this machine/ },
  { url: 'http://169.254.169.254/latest/meta-data', because: /requests are never sent to 169.254.169.254/ },
  { url: 'http://[fe80::1]/', because: /requests are never sent to/ },
]) {
  test(`${url} is rejected`, async () => {
    const check = createEndpointUrlCheck({ egress: publicEgress, lookup: failingLookup })
    assert.match((await check(url)) ?? 'accepted', because)
  })
}

for (const { addresses, because } of [
  { addresses: ['10.0.0.1', '169.254.169.254'], because: /endpoint.example is in a private network/ },
  { addresses: ['169.254.169.254'], because: /requests are never sent to endpoint.example/ },
  { addresses: ['10.0.0.1', '1.1.1.1'], because: /^accepted$/ },
]) {
  test(`a name that resolves to ${addresses.join(' and ')} is ${because.source.includes('accepted') ? 'accepted' : 'rejected'}`, async () => {
    const check = createEndpointUrlCheck({ egress: publicEgress, lookup: lookupReturning(...addresses) })
    assert.match((await check('https://endpoint.example/')) ?? 'accepted', because)
  })
}

test('this machine is accepted where loopback addresses are allowed', async () => {
  const check = createEndpointUrlCheck({ egress: localEgress, lookup: failingLookup })
  assert.equal(await check('http://localhost:3000/'), undefined)
})

test('a name that does not resolve is accepted', async () => {
  const check = createEndpointUrlCheck({ egress: publicEgress, lookup: failingLookup })
  assert.equal(await check('https://endpoint.example/'), undefined)
})

test('a name that does not resolve in time is accepted', async () => {
  const time = createManualTime(0)
  const check = createEndpointUrlCheck({ egress: publicEgress, lookup: unansweredLookup, schedule: time.schedule })
  const result = check('https://endpoint.example/')
  await time.advance(500)
  assert.equal(await result, undefined)
})

test('names that do not resolve do not delay the check of another', async () => {
  const time = createManualTime(0)
  const lookup: LookupFunction = (host, options, callback) => {
    if (host === 'd.example') lookupReturning('10.0.0.1')(host, options, callback)
  }
  const check = createEndpointUrlCheck({ egress: publicEgress, lookup, schedule: time.schedule })
  const accepted = Promise.all(['a', 'b', 'c'].map((name) => check(`https://${name}.example/`)))
  assert.match((await check('https://d.example/')) ?? 'accepted', /in a private network/)
  await time.advance(500)
  assert.deepEqual(await accepted, [undefined, undefined, undefined])
})
