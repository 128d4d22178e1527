import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { InvalidAddress, parsePostgresAddress } from '../../../src/store/postgres-address.ts'
import { cases } from '../../support/extent.ts'

const hostsOf = (url: string) => parsePostgresAddress(url).hosts.map(({ host, port }) => `${host}:${port}`)

for (const [url, hosts] of [
  ['postgres://db/rollcall', ['db:5432']],
  ['postgresql://u:p@db:6432/rollcall', ['db:6432']],
  ['postgres://a:5433,b,c:5434/rollcall', ['a:5433', 'b:5432', 'c:5434']],
  ['postgres://u@[::1]:5433,[2001:db8::1]/rollcall', ['::1:5433', '2001:db8::1:5432']],
  ['postgres://%2Fvar%2Frun%2Fpostgresql/rollcall', ['/var/run/postgresql:5432']],
  ['postgres://u@/rollcall?host=/tmp&port=5433', ['/tmp:5433']],
  ['postgres:///rollcall?host=a,b&port=1,2', ['a:1', 'b:2']],
  ['postgres:///rollcall?host=a,b&port=6432', ['a:6432', 'b:6432']],
  ['postgres:///rollcall', ['undefined:5432']],
] as const) {
  test(`finds the hosts of ${url}`, () => assert.deepEqual(hostsOf(url), hosts))
}

const part = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
const host = fc.domain()
const port = fc.integer({ min: 1, max: 65_535 })

test('finds every part of a URL, whatever characters it contains', () => {
  const hosts = fc.array(fc.record({ host, port }, { noNullPrototype: true }), { minLength: 1, maxLength: 3 })
  const property = fc.property(hosts, part, part, part, part, (listed, user, password, database, options) => {
    const list = listed.map((one) => `${one.host}:${one.port}`).join(',')
    const [u, p, d, o] = [user, password, database, options].map(encodeURIComponent)
    const address = parsePostgresAddress(`postgres://${u}:${p}@${list}/${d}?options=${o}`)
    assert.deepEqual(
      { ...address, tls: undefined },
      {
        ...{ hosts: listed, user, password, database, options, target: 'any', tls: undefined },
        ...{ connectTimeoutMs: undefined, applicationName: undefined },
      },
    )
  })
  fc.assert(property)
})

test('parses any text or rejects it with a message that contains no part of it', () => {
  const secret = 'hunter2'
  const texts = fc.string({ unit: fc.constantFrom(...'ab1:/?@,&=%[]#', secret, 'sslmode', 'host'), maxLength: 20 })
  const property = fc.property(texts, (text) => {
    try {
      parsePostgresAddress(`postgres://u:${secret}${text}`)
    } catch (error) {
      assert(error instanceof InvalidAddress)
      assert.doesNotMatch(error.message, /hunter2/)
    }
  })
  fc.assert(property, { numRuns: cases(1000) })
})

test('reads the parameters of a connection', () => {
  const { target, tls, connectTimeoutMs, applicationName } = parsePostgresAddress(
    'postgres://a,b/db?target_session_attrs=read-write&sslmode=verify-ca&sslrootcert=/ca.pem&sslcert=/c.pem&sslkey=/k.pem&connect_timeout=3&application_name=sync+1',
  )
  assert.deepEqual(tls, { mode: 'verify-ca', rootCertificate: '/ca.pem', certificate: '/c.pem', key: '/k.pem' })
  assert.deepEqual([target, connectTimeoutMs, applicationName], ['read-write', 3_000, 'sync+1'])
})

for (const [query, mode] of [
  ['', 'disable'],
  ['ssl=true', 'require'],
  ['sslmode=prefer', 'prefer'],
  ['sslmode=verify-full&sslrootcert=system', 'verify-full'],
]) {
  test(`connects with sslmode ${mode} for "${query}"`, () => {
    assert.equal(parsePostgresAddress(`postgres://db/rollcall?${query}`).tls.mode, mode)
  })
}

for (const [url, reason] of [
  ['postgres://', /^must begin with postgres:\/\/, followed by a host$/],
  ['postgres://u:pa%ss@db/rollcall', /write it as %25$/],
  ['postgres://u:pa/ss@db/rollcall', /^must have ports from 1 to 65535; in a password, write \/ as %2F/],
  ['postgres://db:0/rollcall', /^must have ports/],
  ['postgres://a,,b/rollcall', /^must not have an empty host/],
  ['postgres:///rollcall?host=a,b,c&port=1,2', /^must have one port, or as many ports as hosts/],
  ['postgres://db/rollcall?sslmode=no-verify', /^has an unknown sslmode: write one of disable, allow, prefer, require/],
  ['postgres://db/rollcall?ssl=1', /write sslmode instead$/],
  ['postgres://db/rollcall?sslmode=verify-ca', /needs sslrootcert=<file>/],
  ['postgres://db/rollcall?sslmode=require&sslrootcert=system', /needs sslmode=verify-full$/],
  ['postgres://db/rollcall?sslcert=/c.pem', /^must have both sslcert and sslkey/],
  ['postgres://db/rollcall?connect_timeout=0', /^must have a connect_timeout from 1 to 600 seconds$/],
  [
    'postgres://db/rollcall?target_session_attrs=prefer-standby',
    /because Rollcall writes: write read-write, primary or any$/,
  ],
  ['postgres://db/rollcall?target_session_attrs=master', /^has an unknown target_session_attrs: write read-write/],
  [
    'postgres://db/rollcall?channel_binding=require',
    /^has the parameter channel_binding, which is not known: remove it/,
  ],
] as const) {
  test(`rejects ${url}`, () => assert.throws(() => parsePostgresAddress(url), { message: reason }))
}
