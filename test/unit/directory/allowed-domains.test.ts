import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  changedDomains,
  domainAllowed,
  isOutsideDetail,
  refuseOutside,
} from '../../../src/directory/allowed-domains.ts'
import { userFrom } from '../../../src/directory/user.ts'

const rules = { allowed: ['acme.com', 'xn--bcher-kva.de'], outside: 'refuse' } as const
const user = (userName: string, emails: readonly string[] = [], active = true) =>
  userFrom(
    { userName, active, emails: emails.map((value) => ({ value })) },
    { id: 'u1', version: 1, createdAt: 1, updatedAt: 1 },
  )

for (const { address, because } of [
  { address: 'maya@acme.com', because: 'it is in the domain' },
  { address: 'Maya@ACME.Com', because: 'letter case does not count' },
  { address: 'maya@bücher.de', because: 'the name is the same in ASCII' },
  { address: 'maya@xn--bcher-kva.de', because: 'it is the ASCII name' },
  { address: 'maya+tag@acme.com', because: 'the local part does not count' },
]) {
  test(`${address} is allowed: ${because}`, () =>
    assert.equal(domainAllowed(rules, user('maya', [address])), undefined))
}

for (const { address, because } of [
  { address: 'maya@other.example', because: 'it is another domain' },
  { address: 'maya@mail.acme.com', because: 'it is a subdomain' },
  { address: 'maya@notacme.com', because: 'the domain only ends alike' },
  { address: 'maya@acme.com.other.example', because: 'the domain only begins alike' },
  { address: 'maya@acme.com/other.example', because: 'what follows a slash would be dropped' },
  { address: 'maya@acme.com:25', because: 'a port is no part of a domain' },
  { address: 'maya@acme.com.', because: 'the dot at its end is not' },
  { address: 'maya@аcme.com', because: 'the first letter is Cyrillic' },
  { address: 'victim@other.example,maya@acme.com', because: 'it is a list, whose first address may be used' },
  { address: 'victim@other.example <maya@acme.com>', because: 'it has two addresses' },
  { address: '"victim@other.example"@acme.com', because: 'it is quoted' },
  { address: 'victim@other.example@acme.com', because: 'it has two at signs' },
  { address: 'victim＠other.example', because: 'a wide at sign may be read as one' },
  { address: 'maya', because: 'it has no domain' },
]) {
  test(`${address} is outside: ${because}`, () => assert.equal(domainAllowed(rules, user('maya', [address])), false))
}

test('every address is judged, and the userName only without addresses, if it may be one', () => {
  assert.equal(domainAllowed(rules, user('maya', ['maya@acme.com', 'victim@other.example'])), false)
  assert.equal(domainAllowed(rules, user('victim@other.example', ['maya@acme.com'])), undefined)
  assert.equal(domainAllowed(rules, user('victim@other.example')), false)
  assert.equal(domainAllowed(rules, user('victim＠other.example')), false)
  assert.equal(domainAllowed(rules, user('svc-backup')), undefined)
})

const refusal = {
  name: 'ScimError',
  status: 400,
  scimType: 'invalidValue',
  message:
    /^emails\.value: Victim@other\.example is not in an allowed domain of this directory \(acme\.com, xn--bcher-kva\.de\)/,
}
const inside = user('maya', ['maya@acme.com'])
const outsider = user('maya', ['Victim@other.example'])
const inactive = user('maya', ['Victim@other.example'], false)

for (const { what, before, after } of [
  { what: 'a new user', before: undefined, after: outsider },
  { what: 'a new inactive user', before: undefined, after: inactive },
  { what: 'a new address', before: inside, after: outsider },
  {
    what: 'a new address with a deactivation, as the product may deactivate whose address it is',
    before: inside,
    after: inactive,
  },
  { what: 'an activation', before: inactive, after: outsider },
]) {
  test(`refuses ${what} outside the domains`, () => assert.throws(() => refuseOutside(rules, before, after), refusal))
}

for (const { what, before, after } of [
  { what: 'the deactivation of a user who was there', before: outsider, after: inactive },
  { what: 'another change of a user who was there', before: outsider, after: outsider },
  { what: 'a return to the domains', before: outsider, after: inside },
]) {
  test(`accepts ${what}`, () => refuseOutside(rules, before, after))
}

test('a directory that marks users refuses none, nor does one without domains', () => {
  refuseOutside({ ...rules, outside: 'flag' }, undefined, outsider)
  refuseOutside({ allowed: [], outside: 'refuse' }, undefined, outsider)
  refuseOutside(undefined, undefined, outsider)
})

test('the detail of such a refusal is recognized', () => {
  assert.throws(
    () => refuseOutside(rules, undefined, user('victim@other.example')),
    (error: Error) => isOutsideDetail(error.message) && error.message.startsWith('userName: victim@other.example'),
  )
  assert.equal(isOutsideDetail('userName is missing: send a non-empty string.'), false)
  assert.equal(isOutsideDetail(null), false)
})

test('domains are kept in ASCII and lower case, each once; omitted fields keep their value', () => {
  const changed = changedDomains({ allowed_domains: ['Acme.COM', 'acme.com', 'Bücher.de'] }, undefined)
  assert.deepEqual(changed, { allowed: ['acme.com', 'xn--bcher-kva.de'], outside: 'flag' })
  assert.deepEqual(changedDomains({ outside_domains: 'refuse' }, changed), { ...changed, outside: 'refuse' })
  assert.deepEqual(changedDomains({ allowed_domains: null }, rules), { allowed: [], outside: 'refuse' })
  assert.equal(changedDomains({ allowed_domains: [] }, changed), undefined)
})

for (const domain of [
  '',
  'acme',
  '@acme.com',
  '*.acme.com',
  'maya@acme.com',
  'acme.com/x',
  'https://acme.com',
  'a b.com',
  'acme.com.',
  '.acme.com',
  'xn--iñvalid.com',
]) {
  test(`refuses ${JSON.stringify(domain)} as a domain`, () => {
    assert.throws(() => changedDomains({ allowed_domains: [domain] }, undefined), {
      code: 'invalid-input',
      message: /is not a domain: send names like acme\.com/,
    })
  })
}
