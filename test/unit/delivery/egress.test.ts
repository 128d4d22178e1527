import assert from 'node:assert/strict'
import test from 'node:test'
import { createEgressPolicy } from '../../../src/delivery/endpoint/egress-policy.ts'
import { publicEgress } from './support/egress.ts'

const forbidden = [
  '169.254.169.254',
  '169.254.0.1',
  '169.254.255.255',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  '0.0.0.0',
  '0.1.2.3',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  'fe80::1',
  'fe80::1%eth0',
  'febf::1',
  'ff02::1',
  'fd00:ec2::254',
  'FD00:EC2::254',
  'fd00:ec2::23',
  'fd00:0ec2:0:0:0:0:0:254',
  'fd20:ce::254',
  'fd00:42::42',
  '::ffff:169.254.169.254',
  '::ffff:a9fe:a9fe',
  '::ffff:0.0.0.0',
  '::ffff:0:169.254.169.254',
  '0:0:0:0:0:ffff:a9fe:a9fe',
  '::ffff:100.100.100.200',
  '64:ff9b::169.254.169.254',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b::100.100.100.200',
  '64:ff9b::0.0.0.0',
  '64:ff9b:1::169.254.169.254',
  '64:ff9b:1:a9fe:a9:fe00::',
  '64:ff9b:1::10.0.0.1',
  '::169.254.169.254',
  '::100.100.100.200',
  '2002:a9fe:a9fe::1',
  '2002:6464:64c8::',
  'localhost',
  'example.com',
  '',
]

const nonPublic = [
  '10.0.0.1',
  '10.255.255.255',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '127.0.0.1',
  '127.255.255.255',
  '100.64.0.1',
  '192.88.99.1',
  '198.18.0.1',
  '::ffff:192.88.99.1',
  '240.0.0.1',
  '::1',
  'fc00::1',
  'fd12:3456::1',
  'fec0::1',
  '2002:7f00:1::',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '::ffff:c0a8:101',
  '64:ff9b::10.0.0.1',
  '::10.0.0.1',
  '::127.0.0.1',
]

const open = [
  '1.1.1.1',
  '9.255.255.255',
  '11.0.0.1',
  '172.15.255.255',
  '172.32.0.1',
  '192.167.255.255',
  '169.253.255.255',
  '169.255.0.1',
  '100.63.255.255',
  '100.128.0.1',
  '126.255.255.255',
  '128.0.0.1',
  '2606:4700:4700::1111',
  '::ffff:1.1.1.1',
  '64:ff9b::1.1.1.1',
]

/** The networks that the settings can allow. */
const generousEgress = createEgressPolicy({
  allowPrivate: ['0.0.0.0/0', '::/0', 'endpoint.example'],
  externalUrl: () => 'http://localhost',
})

for (const { addresses, kind, verdict, generousVerdict } of [
  { addresses: forbidden, kind: 'forbidden', verdict: 'never', generousVerdict: 'never' },
  { addresses: nonPublic, kind: 'private', verdict: 'private', generousVerdict: 'allowed' },
  { addresses: open, kind: 'public', verdict: 'allowed', generousVerdict: 'allowed' },
]) {
  for (const address of addresses) {
    test(`'${address}' is ${kind}`, () => {
      assert.equal(publicEgress.verdictOn(address, 'endpoint.example'), verdict)
      assert.equal(generousEgress.verdictOn(address, 'endpoint.example'), generousVerdict)
    })
  }
}

for (const { externalUrl, allowed } of [
  { externalUrl: 'http://localhost:5225', allowed: true },
  { externalUrl: 'http://rollcall.localhost', allowed: true },
  { externalUrl: 'https://127.0.0.1/rollcall', allowed: true },
  { externalUrl: 'http://[::1]:5225', allowed: true },
  { externalUrl: 'http://10.0.0.1', allowed: false },
  { externalUrl: 'https://localhost.example.com', allowed: false },
  { externalUrl: 'https://rollcall.example.com', allowed: false },
  { externalUrl: '', allowed: false },
]) {
  test(`a service at '${externalUrl}' ${allowed ? 'may' : 'must not'} send to loopback addresses`, () => {
    const { verdictOn } = createEgressPolicy({ allowPrivate: [], externalUrl: () => externalUrl })
    for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) {
      assert.equal(verdictOn(address, 'endpoint.example'), allowed ? 'allowed' : 'private')
    }
    assert.equal(verdictOn('10.0.0.1', 'endpoint.example'), 'private')
  })
}

for (const { listed, address, host = 'endpoint.example', verdict } of [
  { listed: '10.1.0.0/16', address: '10.1.2.3', verdict: 'allowed' },
  { listed: '10.1.0.0/16', address: '::ffff:10.1.2.3', verdict: 'allowed' },
  { listed: '10.1.0.0/16', address: '10.2.0.1', verdict: 'private' },
  { listed: '10.1.2.3', address: '10.1.2.3', verdict: 'allowed' },
  { listed: '10.1.2.3', address: '10.1.2.4', verdict: 'private' },
  { listed: 'fd00:1::/32', address: 'fd00:1::5', verdict: 'allowed' },
  { listed: 'events.internal', address: '10.9.9.9', host: 'Events.Internal.', verdict: 'allowed' },
  { listed: 'events.internal', address: '10.9.9.9', host: 'other.internal', verdict: 'private' },
  { listed: 'events.internal', address: '169.254.169.254', host: 'events.internal', verdict: 'never' },
]) {
  test(`with ${listed} listed, ${address} of ${host} is ${verdict}`, () => {
    const { verdictOn } = createEgressPolicy({
      allowPrivate: [listed],
      externalUrl: () => 'https://rollcall.example.com',
    })
    assert.equal(verdictOn(address, host), verdict)
  })
}
