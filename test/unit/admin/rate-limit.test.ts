import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRateLimit, networkOf } from '../../../src/admin/accounts/rate-limit.ts'
import { createManualTime } from '../../support/manual-time.ts'

const minute = 60_000

function openLimit(options = {}) {
  const time = createManualTime(1_000_000)
  const limit = createRateLimit({ now: time.clock, ...options })
  const failOften = (address: string, times: number) => {
    for (let i = 0; i < times; i += 1) limit.countFailure(address)
  }
  return { ...limit, advance: time.advance, failOften }
}

test('after ten failures an address is limited for a quarter of an hour', () => {
  const { limitOf, failOften } = openLimit()
  failOften('192.0.2.1', 9)
  assert.equal(limitOf('192.0.2.1'), undefined)
  failOften('192.0.2.1', 1)
  assert.deepEqual(limitOf('192.0.2.1'), { retryAfterSeconds: 900 })
})

test('the remaining time is counted from the first failure', () => {
  const { limitOf, failOften, advance } = openLimit()
  failOften('192.0.2.1', 5)
  advance(5 * minute)
  failOften('192.0.2.1', 5)
  assert.deepEqual(limitOf('192.0.2.1'), { retryAfterSeconds: 600 })
  advance(10 * minute)
  assert.equal(limitOf('192.0.2.1'), undefined)
})

test('the failures of one address do not limit another', () => {
  const { limitOf, failOften } = openLimit()
  failOften('192.0.2.1', 10)
  assert.equal(limitOf('192.0.2.2'), undefined)
})

test('addresses of one IPv6 network share their attempts', () => {
  const { limitOf, failOften } = openLimit()
  failOften('2001:db8:1:2:3::4', 5)
  failOften('2001:db8:1:2:aaaa:bbbb:cccc:dddd', 5)
  assert.deepEqual(limitOf('2001:db8:1:2::1'), { retryAfterSeconds: 900 })
})

test('after a hundred failures in total, any failure is limited', () => {
  const { countFailure, failOften } = openLimit()
  for (let i = 0; i < 10; i += 1) failOften(`192.0.2.${i}`, 10)
  assert.deepEqual(countFailure('198.51.100.1'), { retryAfterSeconds: 900 })
})

test('after a hundred failures in total, an address that has failed itself may not try', () => {
  const { limitOf, failOften } = openLimit()
  for (let i = 0; i < 10; i += 1) failOften(`192.0.2.${i}`, 10)
  failOften('198.51.100.1', 1)
  assert.deepEqual(limitOf('198.51.100.1'), { retryAfterSeconds: 900 })
})

test('after a hundred failures in total, an address that has not failed itself may try', () => {
  const { limitOf, failOften } = openLimit()
  for (let i = 0; i < 10; i += 1) failOften(`192.0.2.${i}`, 10)
  assert.equal(limitOf('198.51.100.1'), undefined)
})

test('when there are too many addresses, the one with the oldest window is dropped', () => {
  const { limitOf, failOften } = openLimit({
    maxAddresses: 2,
    perAddress: { attempts: 1, windowMs: minute },
  })
  for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) failOften(address, 1)
  const limited = ['192.0.2.1', '192.0.2.2', '192.0.2.3'].map((address) => limitOf(address) !== undefined)
  assert.deepEqual(limited, [false, true, true])
})

for (const [address, network] of [
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['192.0.2.1:443', '192.0.2.1'],
  ['[2001:db8:0:1::1]:443', '2001:db8:0:1::/64'],
  ['::1', '0:0:0:0::/64'],
  ['2001:DB8::1', '2001:db8:0:0::/64'],
  ['2001:0db8:0000:0001::1', '2001:db8:0:1::/64'],
  ['1:2:3:4:5:6:7:8', '1:2:3:4::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
  ['no address', 'no address'],
  [undefined, 'unknown'],
] as const) {
  test(`${address} is counted as ${network}`, () => assert.equal(networkOf(address), network))
}
