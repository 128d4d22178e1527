import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { narrow } from '../../../src/scim/filter/narrow.ts'
import { parseFilter, parseFilterAcrossTypes } from '../../../src/scim/filter/parse.ts'
import type { ResourceType } from '../../../src/scim/schema/resource-type.ts'
import { groupType, userType } from '../../../src/scim/schema/resource-type.ts'
import { filterText } from './filter-text.ts'

/** The equalities as `attribute=value` and the rest, as text. */
function narrowed(filter: string, resourceType: ResourceType) {
  const narrowest = narrow(parseFilter(filter, resourceType), resourceType)
  if (narrowest === 'nothing') return narrowest
  const { equalities, rest } = narrowest
  const texts = equalities.map(({ attribute, value }) => `${attribute}=${value}`)
  return { equalities: texts.join(' '), rest: rest && filterText(rest) }
}

for (const { filter, equalities, rest } of [
  { filter: 'userName eq "Ann@X"', equalities: 'userName=Ann@X' },
  { filter: 'urn:ietf:params:scim:schemas:core:2.0:User:USERNAME eq "a"', equalities: 'userName=a' },
  { filter: 'id eq "u" and externalId eq "e" and active eq "True"', equalities: 'id=u externalId=e active=true' },
  { filter: 'id eq "u" and (userName eq "a" and active eq false)', equalities: 'id=u userName=a active=false' },
  { filter: 'emails eq "a@b"', equalities: 'emails=a@b' },
  { filter: 'emails.value eq "a@b"', equalities: 'emails=a@b' },
  { filter: 'emails[value eq "a@b"]', equalities: 'emails=a@b' },
  {
    filter: 'emails[type eq "work"].value eq "a@b"',
    equalities: 'emails=a@b',
    rest: 'emails[(type eq "work" and value eq "a@b")]',
  },
  {
    filter: 'emails[value eq "a@b" and type eq "work" and primary eq true] and active eq true',
    equalities: 'emails=a@b active=true',
    rest: 'emails[((value eq "a@b" and type eq "work") and primary eq true)]',
  },
  { filter: 'groups eq "g" and groups.value eq "h"', equalities: 'groups=g groups=h' },
  {
    filter: 'id eq "u" and manager eq "m"',
    equalities: 'id=u',
    rest: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager eq "m"',
  },
  {
    filter: 'title pr and userName eq "a" and locale pr and title sw "x"',
    equalities: 'userName=a',
    rest: '((title pr and locale pr) and title sw "x")',
  },
  { filter: 'userName eq "a" or id eq "b"', rest: '(userName eq "a" or id eq "b")' },
  { filter: 'not (userName eq "a")', rest: 'not userName eq "a"' },
  { filter: 'emails[value eq "a" or type eq "work"]', rest: 'emails[(value eq "a" or type eq "work")]' },
  { filter: 'emails[type eq "work"].value ne "a"', rest: 'not emails[(type eq "work" and value eq "a")]' },
  { filter: 'emails.type eq "work"', rest: 'emails.type eq "work"' },
  { filter: 'displayName eq "Ann"', rest: 'displayName eq "Ann"' },
  { filter: 'userName ne "a" and userName sw "b"', rest: '(userName ne "a" and userName sw "b")' },
  { filter: 'active eq null', rest: 'active eq null' },
  { filter: 'externalId eq null', rest: 'externalId eq null' },
  { filter: 'urn:acme:2.0:User:id eq "x"', rest: 'urn:acme:2.0:User:id eq "x"' },
]) {
  test(`narrows users by ${equalities ?? 'nothing'} for ${filter}`, () => {
    assert.deepEqual(narrowed(filter, userType), { equalities: equalities ?? '', rest })
  })
}

for (const { filter, equalities, rest } of [
  { filter: 'displayName eq "Field Ops"', equalities: 'displayName=Field Ops' },
  { filter: 'id eq "g" and members eq "u"', equalities: 'id=g members=u' },
  { filter: 'members.value eq "u" and members[value eq "v"]', equalities: 'members=u members=v' },
  {
    filter: 'members[value eq "u" and type eq "User"]',
    equalities: 'members=u',
    rest: 'members[(value eq "u" and type eq "User")]',
  },
  { filter: 'members.display eq "Ann"', rest: 'members.display eq "Ann"' },
]) {
  test(`narrows groups by ${equalities ?? 'nothing'} for ${filter}`, () => {
    assert.deepEqual(narrowed(filter, groupType), { equalities: equalities ?? '', rest })
  })
}

const user = 'urn:ietf:params:scim:schemas:core:2.0:User'
const group = 'urn:ietf:params:scim:schemas:core:2.0:Group'
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
const everything = { equalities: '', rest: undefined }

for (const filter of [
  'meta.resourceType eq "User"',
  'META.RESOURCETYPE ne "Group" and meta.resourceType sw "U"',
  `schemas eq "${user}"`,
  `schemas eq "${user.toUpperCase()}" and not (schemas eq "${group}")`,
  `schemas ne "${group}" or title pr`,
  `title pr or schemas eq "${user}"`,
]) {
  test(`every user matches ${filter}`, () => assert.deepEqual(narrowed(filter, userType), everything))
}

for (const filter of [
  'meta.resourceType eq "Group"',
  'meta.resourceType eq "user"',
  `userName eq "a" and schemas eq "${group}"`,
  `schemas eq "${group}" and userName eq "a"`,
  `not (schemas eq "${user}") or meta.resourceType eq null`,
  'not (meta.resourceType eq "User")',
]) {
  test(`no user matches ${filter}`, () => assert.equal(narrowed(filter, userType), 'nothing'))
}

for (const { filter, equalities, rest } of [
  { filter: `schemas eq "${user}" and userName eq "a"`, equalities: 'userName=a' },
  { filter: `schemas ne "${user}" or meta.resourceType eq null`, rest: `schemas ne "${user}"` },
  { filter: `userName eq "a" and schemas eq "${user}"`, equalities: 'userName=a' },
  { filter: `userName eq "a" or schemas eq "${group}"`, equalities: 'userName=a' },
  { filter: `schemas eq "${group}" or userName eq "a"`, equalities: 'userName=a' },
  { filter: 'not (not (userName eq "a") or meta.resourceType eq "Group")', rest: 'not not userName eq "a"' },
  { filter: `schemas eq "${enterprise}"`, rest: `schemas eq "${enterprise}"` },
  { filter: `schemas co "${user}"`, rest: `schemas co "${user}"` },
  { filter: 'schemas eq null', rest: 'schemas eq null' },
  { filter: 'meta.created pr', rest: 'meta.created pr' },
]) {
  test(`keeps the part of ${filter} that the type does not decide`, () => {
    assert.deepEqual(narrowed(filter, userType), { equalities: equalities ?? '', rest })
  })
}

describe('a filter across resource types', () => {
  for (const { filter, users, groups } of [
    { filter: 'userName eq "a"', users: 'userName=a', groups: 'nothing' },
    { filter: 'displayName eq "a" and members eq "u"', users: 'nothing', groups: 'displayName=a members=u' },
    {
      filter: 'userName eq "a" or displayName eq "b"',
      users: '(userName eq "a" or displayName eq "b")',
      groups: 'displayName=b',
    },
    { filter: 'userName ne "a"', users: 'userName ne "a"', groups: '' },
    { filter: 'meta.resourceType eq "User" and externalId eq "e"', users: 'externalId=e', groups: 'nothing' },
    { filter: 'nobody pr', users: 'nobody pr', groups: 'nobody pr' },
    { filter: 'title.nobody pr', users: 'nothing', groups: 'nothing' },
    { filter: 'not (title.nobody pr)', users: '', groups: '' },
  ]) {
    test(`${filter} keeps what each type can match`, () => {
      assert.equal(narrowedOfAny(filter, userType), users)
      assert.equal(narrowedOfAny(filter, groupType), groups)
    })
  }
})

function narrowedOfAny(filter: string, resourceType: ResourceType): string {
  const narrowest = narrow(parseFilterAcrossTypes(filter, resourceType), resourceType)
  if (narrowest === 'nothing') return narrowest
  const { equalities, rest } = narrowest
  const texts = equalities.map(({ attribute, value }) => `${attribute}=${value}`)
  return [...texts, ...(rest === undefined ? [] : [filterText(rest)])].join(' ')
}
