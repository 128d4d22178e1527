import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePath } from '../../../src/scim/patch/path.ts'
import { pathName } from '../../../src/scim/schema/attribute-path.ts'
import type { ResourceType } from '../../../src/scim/schema/resource-type.ts'
import { groupType, userType } from '../../../src/scim/schema/resource-type.ts'
import { filterText } from './filter-text.ts'

const core = 'urn:ietf:params:scim:schemas:core:2.0:User'
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

/** The target of a path: attribute, filter in brackets, sub-attribute; an extension in angle brackets. */
function pathText(text: string, resourceType: ResourceType): string {
  const path = parsePath(text, resourceType)
  if (path.kind === 'extension') return `<${path.extension}>`
  if (path.filter === undefined) return pathName(path)
  const name = pathName({ ...path, subAttribute: undefined })
  return `${name}[${filterText(path.filter)}]${path.subAttribute === undefined ? '' : `.${path.subAttribute.name}`}`
}

for (const [written, read] of [
  ['displayName', 'displayName'],
  ['DISPLAYNAME', 'displayName'],
  ['name.givenName', 'name.givenName'],
  ['NAME.givenname', 'name.givenName'],
  ['emails', 'emails'],
  ['emails.type', 'emails.type'],
  ['emails[type eq "work"]', 'emails[type eq "work"]'],
  ['Emails[Type EQ "work" and primary eq true].Value', 'emails[(type eq "work" and primary eq true)].value'],
  ['roles[primary eq "True"].value', 'roles[primary eq true].value'],
  ['emails[value eq "a.b]c\\"d[\\\\"].display', 'emails[value eq "a.b]c\\"d[\\\\"].display'],
  ['addresses[not (type eq "work")].streetAddress', 'addresses[not type eq "work"].streetAddress'],
  [`${core}:title`, 'title'],
  [`${core}:name.familyName`, 'name.familyName'],
  [`${core.toLowerCase()}:emails[type eq "work"].value`, 'emails[type eq "work"].value'],
  [`${enterprise}:department`, `${enterprise}:department`],
  [`${enterprise.toLowerCase()}:MANAGER.displayname`, `${enterprise}:manager.displayName`],
  ['urn:ietf:params:scim:schemas:extension:enterprise:2.0User:department', `${enterprise}:department`],
  ['urn:scim:schemas:extension:enterprise:1.0:department', `${enterprise}:department`],
  ['manager', `${enterprise}:manager`],
  ['manager.$ref', `${enterprise}:manager.$ref`],
  [enterprise, `<${enterprise}>`],
  [enterprise.toUpperCase(), `<${enterprise}>`],
  ['urn:scim:schemas:extension:enterprise:1.0', `<${enterprise}>`],
  ['companyName', 'companyName'],
  ['address.streetAddress', 'address.streetAddress'],
  ['offices[type eq "main"].city', 'offices[type eq "main"].city'],
  [`${core}:companyName`, 'companyName'],
  [`${core.toUpperCase()}.title`, 'title'],
  [`${core}.name.givenName`, 'name.givenName'],
  [`${core}.companyName`, 'companyName'],
  [`${enterprise}:companyName`, `${enterprise}:companyName`],
  [`${enterprise}:office.city`, `${enterprise}:office.city`],
  [`${enterprise}:roles[value eq "a"]`, `${enterprise}:roles[value eq "a"]`],
  [`${enterprise}:roles[primary eq "True"].value`, `${enterprise}:roles[primary eq true].value`],
  [`${enterprise}.department`, `${enterprise}:department`],
  [`${enterprise.toLowerCase()}.manager.value`, `${enterprise}:manager.value`],
  [`${enterprise}.companyName`, `${enterprise}:companyName`],
  ['urn:scim:schemas:extension:enterprise:1.0:companyName', `${enterprise}:companyName`],
  ['urn:acme:2.0:User:badge', 'urn:acme:2.0:User:badge'],
  ['urn:acme:2.0:User:badge.color', 'urn:acme:2.0:User:badge.color'],
  ['urn:acme:2.0:User:badges[color eq "red"].size', 'urn:acme:2.0:User:badges[color eq "red"].size'],
  ['urn:acme:2.0:User', '<urn:acme:2.0:User>'],
  ['urn:acme:scim:1.0', '<urn:acme:scim:1.0>'],
  ['name.nick', 'name.nick'],
  [`${core}:name.nick`, 'name.nick'],
  [`${enterprise}:manager.mail`, `${enterprise}:manager.mail`],
  ['phoneNumbers[type eq "work"].ext', 'phoneNumbers[type eq "work"].ext'],
  ['manager[value eq "m"]', `${enterprise}:manager[value eq "m"]`],
  [`${enterprise}:manager[value eq "m"].value`, `${enterprise}:manager[value eq "m"].value`],
  ['urn:acme:2.0:User.badge', 'urn:acme:2.0:User:badge'],
  ['urn:acme:2.0:User.badge.color', 'urn:acme:2.0:User:badge.color'],
  ['urn:acme:2.0:User.badges[color eq "red"].size', 'urn:acme:2.0:User:badges[color eq "red"].size'],
  ['urn:acme:scim:1.0.badge', 'urn:acme:scim:1.0:badge'],
  ['urn:acme:hr:CustomUser.costCenter', 'urn:acme:hr:CustomUser:costCenter'],
  ['urn:acme:hr:user:custom.sites[value eq "a"]', 'urn:acme:hr:user:custom:sites[value eq "a"]'],
] as const) {
  test(`the path ${written} means ${read}`, () => assert.equal(pathText(written, userType), read))
}

test('the path members[value eq "x"] selects a member of a group', () => {
  assert.equal(pathText('members[value eq "a]b"]', groupType), 'members[value eq "a]b"]')
})

for (const { path, because } of [
  { path: 'emails[type eq', because: 'a closing bracket is missing' },
  { path: 'emails[type eq "work"', because: 'a closing bracket is missing' },
  { path: 'emails[type eq "work]', because: 'a closing quote is missing' },
  { path: 'emails[', because: 'a closing bracket is missing' },
  { path: '[type eq "work"]', because: 'the attribute is missing' },
  { path: 'name.', because: 'the sub-attribute is missing' },
  { path: '.name', because: 'the attribute is missing' },
  { path: 'shoe.size.eu', because: 'sub-attributes do not nest' },
  { path: 'x'.repeat(256), because: 'the name is too long' },
  { path: '__proto__', because: 'that cannot be an attribute' },
  { path: 'shoe.__proto__', because: 'nor a sub-attribute' },
  { path: 'title.nope', because: 'text has no sub-attributes' },
  { path: 'name.n/k', because: 'that cannot be a sub-attribute' },
  { path: 'emails[type eq "work"].n/k', because: 'that cannot be a sub-attribute' },
  { path: 'name.givenName.first', because: 'sub-attributes do not nest' },
  { path: `${enterprise}.department.nope`, because: 'text has no sub-attributes after a dotted URN, either' },
  { path: `${enterprise}:`, because: 'the attribute is missing' },
  { path: 'emails[type eq "work"]value', because: 'the dot is missing' },
  { path: 'emails[type eq "work"].', because: 'the sub-attribute is missing' },
  { path: 'emails[type eq "work"][primary eq true]', because: 'there are two filters' },
  { path: 'emails.value[type eq "work"]', because: 'the filter is in the wrong place' },
  { path: 'title[value eq "x"]', because: 'a title has no elements to select' },
  { path: 'name[givenName eq "x"]', because: 'name is not multi-valued' },
  { path: 'urn:acme', because: 'it is not a URN' },
  { path: 'urn:acme:2.0:User:', because: 'the attribute is missing' },
  { path: 'urn:acme:2.0:User:__proto__', because: 'that cannot be an attribute' },
  { path: 'urn:acme:2.0:User:a b', because: 'that cannot be an attribute' },
  { path: 'emails[emails[type pr]]', because: 'value paths do not nest' },
  { path: 'title eq "x"', because: 'that is a filter' },
  { path: '/title', because: 'that is not JSON Patch' },
]) {
  test(`rejects the path ${path}: ${because}`, () => {
    assert.throws(() => parsePath(path, userType), { status: 400, scimType: 'invalidPath' })
  })
}

for (const path of [
  'emails[]',
  'emails[type]',
  'emails[type xx "work"]',
  'emails[type eq work]',
  'emails[nope eq "work"]',
  'emails[type eq "work" and]',
  'emails[primary gt true].value',
]) {
  test(`rejects the filter in the path ${path}`, () => {
    assert.throws(() => parsePath(path, userType), { status: 400, scimType: 'invalidFilter' })
  })
}
