import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFailureLimit, networkOf } from '../../../src/admin/accounts/failure-limit.ts'
import { createManualTime } from '../../support/manual-time.ts'

const minute = 60_000

function openLimit() {
  const time = createManualTime(1_000_000)
  const { countFailure } = createFailureLimit(time.clock)
  const failOften = (address: string, times: number) =>
    Array.from({ length: times }, () => countFailure(address)).at(-1)
  return { countFailure, advance: time.advance, failOften }
}

test('after ten failures of an address, further ones are too many, and one is allowed every 90 seconds', () => {
  const { countFailure, failOften, advance } = openLimit()
  assert.equal(failOften('192.0.2.1', 10), undefined)
  assert.equal(countFailure('192.0.2.1'), 90)
  advance(1.5 * minute)
  assert.equal(countFailure('192.0.2.1'), undefined)
  assert.equal(countFailure('192.0.2.1'), 90)
})

test('ten are allowed again after a quarter of an hour', () => {
  const { failOften, advance } = openLimit()
  failOften('192.0.2.1', 11)
  advance(15 * minute)
  assert.equal(failOften('192.0.2.1', 10), undefined)
  assert.equal(failOften('192.0.2.1', 1), 90)
})

test('the failures of one address do not limit another', () => {
  const { countFailure, failOften } = openLimit()
  failOften('192.0.2.1', 11)
  assert.equal(countFailure('192.0.2.2'), undefined)
})

test('addresses of one IPv6 network share their attempts', () => {
  const { countFailure, failOften } = openLimit()
  failOften('2001:db8:1:2:3::4', 5)
  failOften('2001:db8:1:2:aaaa:bbbb:cccc:dddd', 5)
  assert.equal(countFailure('2001:db8:1:2::1'), 90)
})

test('after a hundred failures in total, those of any address are too many', () => {
  const { countFailure, failOften } = openLimit()
  for (let i = 0; i < 10; i += 1) assert.equal(failOften(`192.0.2.${i}`, 10), undefined)
  assert.equal(countFailure('198.51.100.1'), 9)
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
