import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { matches } from '../../../src/scim/filter/evaluate.ts'
import { parseFilter } from '../../../src/scim/filter/parse.ts'
import { groupType, userType } from '../../../src/scim/schema/resource-type.ts'

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

const barbara = {
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', enterprise],
  id: 'Ab1',
  externalId: 'Ext-7',
  userName: 'BJensen@Example.com',
  name: { givenName: 'Barbara', familyName: 'Jensen' },
  title: 'Équipière',
  nickName: '',
  active: false,
  emails: [
    { value: 'bjensen@example.com', type: 'work', primary: true },
    { value: 'babs@jensen.org', type: 'home' },
  ],
  roles: [],
  x509Certificates: [{ value: 'MIIb' }],
  meta: { resourceType: 'User', created: '2026-11-20T08:00:00Z' },
  [enterprise]: { employeeNumber: '701984', manager: { value: 'M1' } },
  'urn:acme:2.0:User': {
    Level: 4,
    tags: ['a', 'b'],
    note: 'Hi',
    badge: { color: 'Red', value: 'b1' },
    vip: true,
    nothing: [null],
    deep: { list: ['a'] },
  },
}

describe('a filter matches', () => {
  for (const filter of [
    'userName eq "bjensen@example.com"',
    'userName eq "BJENSEN@EXAMPLE.COM"',
    'title eq "e\u0301QUIPIE\u0300RE"',
    'id eq "Ab1"',
    'externalId sw "Ext"',
    'name.familyName co "ens"',
    'name.familyName ew "SEN"',
    'userName gt "a" and userName lt "c"',
    'userName ge "BJENSEN@example.com" and userName le "bjensen@example.com"',
    'active eq false',
    'active pr',
    'active ne true',
    'emails eq "babs@jensen.org"',
    'emails co "jensen.org"',
    'emails.value ew "example.com"',
    'emails.type eq "work" and emails.value co "jensen.org"',
    'emails[type eq "work" and value co "@example.com"]',
    'emails[type eq "work"].value eq "bjensen@example.com"',
    'emails[type eq "work"].value ne "babs@jensen.org"',
    'emails[not (primary eq true)]',
    'emails.primary eq "True"',
    'name pr',
    'emails pr',
    'not (roles pr)',
    'nickName eq null',
    'roles eq null',
    'phoneNumbers eq null',
    'title ne null',
    'locale ne "en-US"',
    'emails ne "x@y"',
    'emails ne "babs@jensen.org"',
    'emails.type ne "work"',
    'emails[type eq "home" and primary eq false]',
    'emails.primary ne true',
    'roles.type ne "x"',
    'urn:acme:2.0:User:badge.size ne "big"',
    'not (nickName pr)',
    'x509Certificates.value eq "MIIb"',
    'meta.created eq "2026-11-20T09:00:00+01:00"',
    'meta.created gt "2026-11-20T09:00:00+02:00"',
    'meta.created ge "2026-11-20"',
    'meta.created lt "2026-11-20T08:00:00.001"',
    'meta.created sw "2026-11"',
    'meta.resourceType eq "User"',
    'schemas eq "urn:ietf:params:scim:schemas:core:2.0:User"',
    'manager eq "M1"',
    'manager.value eq "M1"',
    `${enterprise}:employeeNumber eq "701984"`,
    'employeeNumber eq "701984"',
    'urn:acme:2.0:user:level gt 3',
    'urn:acme:2.0:User:level eq "4"',
    'urn:acme:2.0:User:vip eq "True"',
    'urn:acme:2.0:User:level ne "5"',
    'urn:acme:2.0:User:tags eq "B"',
    'urn:acme:2.0:User:note eq "hi"',
    'urn:acme:2.0:User:badge.COLOR eq "red"',
    'urn:acme:2.0:User:badge eq "B1"',
    'urn:acme:2.0:User:badge[color eq "red"]',
    'urn:acme:2.0:User:vip eq true',
    'urn:acme:2.0:User:level lt 1e2 and urn:acme:2.0:User:level ge 40E-1',
    'name[givenName eq "barbara"]',
    'urn:acme:2.0:User:deep pr',
    'manager[value eq "M1" and not (displayName pr)]',
    'userName sw ""',
    `schemas eq "${enterprise.toUpperCase()}"`,
    'urn:other:2.0:User:note eq null',
    'urn:other:2.0:User:note ne "x"',
  ]) {
    test(filter, () => assert.equal(matches(parseFilter(filter, userType), barbara), true))
  }
})

describe('a filter does not match', () => {
  for (const filter of [
    'id eq "ab1"',
    'externalId eq "ext-7"',
    'manager eq "m1"',
    'userName eq "bjensen"',
    'userName ne "BJENSEN@example.com"',
    'active ne false',
    'active eq true',
    'emails[type eq "work" and value co "jensen.org"]',
    'emails[type eq "work"].value eq "babs@jensen.org"',
    'emails[type eq "work"].value ne "bjensen@example.com"',
    'emails[type eq "work"].value eq null',
    'emails[type eq "fax"].value pr',
    'nickName pr',
    'nickName eq ""',
    'locale eq ""',
    'locale gt "a"',
    'locale co ""',
    'title eq null',
    'roles pr',
    'roles[primary eq true]',
    'roles.primary eq false',
    'emails[type eq "home" and primary pr]',
    'emails[type eq "work" and primary ne true]',
    'meta.created gt "2026-11-20T08:00:00Z"',
    'x509Certificates.value eq "miib"',
    'urn:acme:2.0:User:note gt 3',
    'urn:acme:2.0:User:note.color eq "red"',
    'urn:other:2.0:User:note pr',
    'title pr and locale pr',
    'locale pr or roles pr',
    'name[givenName eq "b"]',
    'urn:acme:2.0:User:nothing pr',
  ]) {
    test(filter, () => assert.equal(matches(parseFilter(filter, userType), barbara), false))
  }
})

test('does not read inherited properties', () => {
  for (const name of ['constructor', 'toString', 'hasOwnProperty']) {
    assert.equal(matches(parseFilter(`urn:acme:2.0:User:${name} pr`, userType), { 'urn:acme:2.0:User': {} }), false)
  }
})

test('tolerates stored values of another type', () => {
  const odd = { userName: 5, emails: 'x', name: ['y'], active: 'true', meta: { created: 'never' }, [enterprise]: null }
  for (const filter of ['userName eq "5"', 'emails.value pr', 'name.givenName pr', 'active eq true', 'manager pr']) {
    assert.equal(matches(parseFilter(filter, userType), odd), false, filter)
  }
  assert.equal(matches(parseFilter('meta.created gt "2020-01-01"', userType), odd), false)
})

test('matches the groups of a member', () => {
  const group = { id: 'g', displayName: 'Buyers', members: [{ value: 'u1' }, { value: 'u2' }] }
  for (const filter of ['id eq "g" and members eq "u2"', 'members.value eq "u1"', 'members[value eq "u1"]']) {
    assert.equal(matches(parseFilter(filter, groupType), group), true, filter)
  }
  assert.equal(matches(parseFilter('members eq "U1"', groupType), group), false)
})
