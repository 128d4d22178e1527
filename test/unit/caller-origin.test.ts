import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { originOf } from '../../src/http/authorization.ts'

const socket = { remoteAddress: '10.0.0.1' } as Socket

for (const { ip, address } of [
  { ip: '198.51.100.7', address: '198.51.100.7' },
  { ip: '198.51.100.7:51234', address: '198.51.100.7' },
  { ip: '2001:db8::7', address: '2001:db8::7' },
  { ip: '[2001:db8::7]', address: '2001:db8::7' },
  { ip: '[2001:db8::7]:443', address: '2001:db8::7' },
  { ip: 'unknown', address: '10.0.0.1' },
  { ip: '_hidden', address: '10.0.0.1' },
  { ip: '<script>', address: '10.0.0.1' },
  { ip: '198.51.100', address: '10.0.0.1' },
  { ip: '1:2', address: '10.0.0.1' },
  { ip: '', address: '10.0.0.1' },
  { ip: 'x'.repeat(10_000), address: '10.0.0.1' },
]) {
  test(`the caller forwarded as '${ip.slice(0, 20)}' is recorded as ${address}`, () => {
    assert.deepEqual(originOf({ id: 'request-1', ip, socket }), { requestId: 'request-1', address })
  })
}
