import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { countTerms } from '../../../src/scim/filter/ast.ts'
import { matches } from '../../../src/scim/filter/evaluate.ts'
import { parseFilter, parseFilterAcrossTypes, parseValueFilter } from '../../../src/scim/filter/parse.ts'
import { groupType, userType } from '../../../src/scim/schema/resource-type.ts'
import { attribute, complex } from '../../../src/scim/schema/schema.ts'
import { userSchema } from '../../../src/scim/schema/user.ts'
import { filterText } from './filter-text.ts'

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

for (const [written, read] of [
  ['userName eq "bjensen"', 'userName eq "bjensen"'],
  [
    'USERNAME  EQ  "lin.zhao@example.com"  AND  Active eq true',
    '(userName eq "lin.zhao@example.com" and active eq true)',
  ],
  ['title pr', 'title pr'],
  ['\ttitle  PR ', 'title pr'],
  ['title eq "a" or title eq "b" and title eq "c"', '(title eq "a" or (title eq "b" and title eq "c"))'],
  ['title eq "a" and title eq "b" or title eq "c"', '((title eq "a" and title eq "b") or title eq "c")'],
  ['(title eq "a" or title eq "b") and title eq "c"', '((title eq "a" or title eq "b") and title eq "c")'],
  ['title pr or locale pr or active pr', '((title pr or locale pr) or active pr)'],
  ['not (title pr) and active pr', '(not title pr and active pr)'],
  ['not(title pr)', 'not title pr'],
  ['NOT (NOT (title pr))', 'not not title pr'],
  ['((title pr))', 'title pr'],
  ['displayName eq "say \\"hi\\""', 'displayName eq "say \\"hi\\""'],
  ['displayName eq "o\'hara (and) [x] or \\u00e9"', 'displayName eq "o\'hara (and) [x] or é"'],
  ['userName eq "Équipe Réseau"', 'userName eq "Équipe Réseau"'],
  ['userName eq""', 'userName eq ""'],
  ['active eq "True"', 'active eq true'],
  ['active ne FALSE', 'active ne false'],
  ['active eq tRuE or active eq "FALSE"', '(active eq true or active eq false)'],
  ['title eq "\\ud83d\\ude00 \\u0000\\n"', 'title eq "\u{1f600} \\u0000\\n"'],
  ['title sw ""', 'title sw ""'],
  ['name[givenName eq "a"]', 'name[givenName eq "a"]'],
  ['manager[value eq "a"]', `${enterprise}:manager[value eq "a"]`],
  ['urn:ietf:params:scim:schemas:core:2.0:User:emails[type eq "work"]', 'emails[type eq "work"]'],
  ['title eq NULL', 'title eq null'],
  ['name eq null', 'name eq null'],
  ['name.familyName co "O\'Malley"', 'name.familyName co "O\'Malley"'],
  ['urn:ietf:params:scim:schemas:core:2.0:User:userName sw "J"', 'userName sw "J"'],
  [`${enterprise}:employeeNumber eq "701984"`, `${enterprise}:employeeNumber eq "701984"`],
  [`${enterprise.toUpperCase()}:MANAGER.VALUE eq "x"`, `${enterprise}:manager.value eq "x"`],
  ['manager eq "26118915"', `${enterprise}:manager eq "26118915"`],
  ['manager.$ref pr', `${enterprise}:manager.$ref pr`],
  ['urn:acme:2.0:User:level gt 3', 'urn:acme:2.0:User:level gt 3'],
  ['urn:acme:2.0:User:level eq -1.5e2', 'urn:acme:2.0:User:level eq -150'],
  ['emails[type eq "work"]', 'emails[type eq "work"]'],
  ['emails[type eq "work" and value co "@example.com"]', 'emails[(type eq "work" and value co "@example.com")]'],
  ['emails[not (type eq "work")]', 'emails[not type eq "work"]'],
  ['emails[type eq "work"].value eq "x"', 'emails[(type eq "work" and value eq "x")]'],
  ['emails[type eq "work"].value pr', 'emails[(type eq "work" and value pr)]'],
  ['emails[type eq "work"].value ne "x"', 'not emails[(type eq "work" and value eq "x")]'],
  ['emails[type eq "work"].value eq null', 'not emails[(type eq "work" and value pr)]'],
  ['emails[type eq "work"].value ne null', 'emails[(type eq "work" and value ne null)]'],
  ['roles[primary eq "True"] and active eq true', '(roles[primary eq true] and active eq true)'],
  ['emails co "example.com"', 'emails co "example.com"'],
  ['companyName eq "x"', 'companyName eq "x"'],
  ['address.streetAddress co "Main"', 'address.streetAddress co "Main"'],
  ['offices[type eq "main"].city eq "x"', 'offices[(type eq "main" and city eq "x")]'],
  [`${enterprise}:companyName pr`, `${enterprise}:companyName pr`],
  [`${enterprise}.department eq "D"`, `${enterprise}:department eq "D"`],
  ['urn:ietf:params:scim:schemas:core:2.0:User.title eq "T"', 'title eq "T"'],
  ['schemas eq "urn:x"', 'schemas eq "urn:x"'],
  ['meta.lastModified gt "2011-05-13T04:42:34Z"', 'meta.lastModified gt "2011-05-13T04:42:34Z"'],
  ['meta.resourceType eq "User"', 'meta.resourceType eq "User"'],
] as const) {
  test(`parses ${written}`, () => assert.equal(filterText(parseFilter(written, userType)), read))
}

for (const { filter, at, because } of [
  { filter: '', at: 1, because: 'it is empty' },
  { filter: '   ', at: 4, because: 'it is blank' },
  { filter: 'userName xx "a"', at: 10, because: 'there is no such operator' },
  { filter: 'userName', at: 9, because: 'the operator is missing' },
  { filter: 'userName eq', at: 12, because: 'the value is missing' },
  { filter: 'userName eq a', at: 13, because: 'text must be in quotes' },
  { filter: "userName eq 'a'", at: 13, because: 'quotes must be double' },
  { filter: 'userName eq "a', at: 13, because: 'a closing quote is missing' },
  { filter: 'userName eq "a\\', at: 13, because: 'the string ends in a backslash' },
  { filter: 'userName eq "\\x"', at: 13, because: 'it is not a JSON escape' },
  { filter: 'userName eq "a\nb"', at: 13, because: 'control characters must be escaped' },
  { filter: 'active lt "true"', at: 8, because: 'booleans have no order, in quotes or not' },
  { filter: 'x509Certificates.value gt "MII"', at: 24, because: 'binary has no order' },
  { filter: 'not not (title pr)', at: 5, because: 'not needs parentheses' },
  { filter: 'not emails[type pr]', at: 5, because: 'not needs parentheses' },
  { filter: 'userName eq "a" "b"', at: 17, because: 'something follows' },
  { filter: 'userName eq "a" and', at: 20, because: 'nothing follows and' },
  { filter: 'and userName eq "a"', at: 1, because: 'nothing precedes and' },
  { filter: '(userName eq "a"', at: 17, because: 'the parenthesis is not closed' },
  { filter: 'userName eq "a")', at: 16, because: 'the parenthesis is not open' },
  { filter: 'not userName eq "a"', at: 5, because: 'not needs parentheses' },
  { filter: 'shoe.size.eu eq 43', at: 1, because: 'sub-attributes do not nest' },
  { filter: 'name.nope eq "a"', at: 1, because: 'there is no such sub-attribute' },
  { filter: `${enterprise}:manager.nope eq "a"`, at: 1, because: 'there is no such sub-attribute in the extension' },
  { filter: '__proto__ pr', at: 1, because: 'that cannot be an attribute' },
  { filter: 'urn:acme:2.0:User:__proto__ pr', at: 1, because: 'that cannot be an attribute' },
  { filter: 'emails[type eq "work"', at: 22, because: 'a closing bracket is missing' },
  { filter: 'emails[type eq "work"].nope eq "x"', at: 23, because: 'emails has no such sub-attribute' },
  { filter: 'emails[type eq "work"].value', at: 29, because: 'the comparison is missing' },
  { filter: 'emails[emails[type pr]]', at: 8, because: 'value paths do not nest' },
  { filter: 'emails.value[type pr]', at: 1, because: 'a sub-attribute has no elements to select' },
  { filter: 'title[value pr]', at: 1, because: 'text has no sub-attributes' },
  { filter: 'active eq "yes"', at: 11, because: 'it is not a boolean' },
  { filter: 'active gt true', at: 8, because: 'booleans have no order' },
  { filter: 'active co "tr"', at: 8, because: 'a boolean is not text' },
  { filter: 'x509Certificates.value sw "MII"', at: 24, because: 'binary is not text' },
  { filter: 'userName eq 5', at: 13, because: 'a number is not text' },
  { filter: 'userName co true', at: 13, because: 'contains needs text' },
  { filter: 'urn:acme:2.0:User:level co 3', at: 28, because: 'contains needs text' },
  { filter: 'userName gt null', at: 13, because: 'null has no order' },
  { filter: 'meta.created gt "yesterday"', at: 17, because: 'it is not a date' },
  { filter: 'name eq "a"', at: 6, because: 'a name has no value' },
  { filter: 'addresses eq "a"', at: 11, because: 'an address has no value' },
  { filter: 'password eq "secret"', at: 1, because: 'a password is never returned' },
  { filter: 'password pr', at: 1, because: 'a password is never returned' },
  { filter: 'userName eq 1e', at: 13, because: 'it is not a number' },
]) {
  test(`rejects ${JSON.stringify(filter)}: ${because}`, () => {
    const message = new RegExp(`at character ${at}:`)
    assert.throws(() => parseFilter(filter, userType), { status: 400, scimType: 'invalidFilter', message })
  })
}

test('limits the length of a filter', () => {
  const filter = (length: number) => `title eq "${'a'.repeat(length - 11)}"`
  assert.doesNotThrow(() => parseFilter(filter(65_536), userType))
  assert.throws(() => parseFilter(filter(65_537), userType), { scimType: 'invalidFilter' })
})

test('limits the nesting of a filter', () => {
  const filter = (depth: number) => `${'('.repeat(depth)}title pr${')'.repeat(depth)}`
  assert.doesNotThrow(() => parseFilter(filter(50), userType))
  assert.throws(() => parseFilter(filter(51), userType), { scimType: 'invalidFilter' })
  assert.throws(() => parseFilter('('.repeat(8000), userType), { scimType: 'invalidFilter' })
})

test('limits the number of conditions of a filter', () => {
  const filter = (terms: number) => Array.from({ length: terms }, () => 'title pr').join(' or ')
  assert.doesNotThrow(() => parseFilter(filter(1500), userType))
  assert.throws(() => parseFilter(filter(1501), userType), { scimType: 'invalidFilter' })
})

test('knows the attributes of groups', () => {
  assert.equal(filterText(parseFilter('members eq "u"', groupType)), 'members eq "u"')
  assert.throws(() => parseFilter('members.nope eq "a"', groupType), { scimType: 'invalidFilter' })
})

test('parses numbers for numeric attributes', () => {
  const sizes = complex('sizes', 'Sizes.', [attribute('value', 'A number.', { type: 'integer' })], {
    multiValued: true,
  })
  assert.equal(filterText(parseValueFilter('value ge -1.5E+1', sizes)), 'value ge -15')
  for (const text of ['value eq "5"', 'value co "5"', 'value gt true', 'value eq 05', 'value eq 1.']) {
    assert.throws(() => parseValueFilter(text, sizes), { scimType: 'invalidFilter' }, text)
  }
})

test('parses the filter in brackets over the sub-attributes', () => {
  const emails = userSchema.attributes.get('emails')
  assert.ok(emails)
  assert.equal(
    filterText(parseValueFilter('TYPE eq "work" and Primary eq "True"', emails)),
    '(type eq "work" and primary eq true)',
  )
  for (const text of ['', 'emails.type eq "work"', 'userName pr', 'type eq "work"]', 'type[value pr]']) {
    assert.throws(() => parseValueFilter(text, emails), { scimType: 'invalidFilter' }, text)
  }
})

describe('a filter across resource types', () => {
  for (const [written, ofUsers, ofGroups] of [
    ['userName eq "a"', 'userName eq "a"', 'none'],
    ['members[value eq "u"]', 'none', 'members[value eq "u"]'],
    ['displayName sw "a" and title pr', '(displayName sw "a" and title pr)', '(displayName sw "a" and none)'],
    ['userName ne "a" or userName eq null', '(userName ne "a" or userName eq null)', '(all or all)'],
    ['userName ne null', 'userName ne null', 'none'],
    ['not (nickName pr)', 'not nickName pr', 'not none'],
    ['active eq "True"', 'active eq true', 'none'],
    ['name.givenName sw "a"', 'name.givenName sw "a"', 'none'],
    ['name.nope eq 5', 'none', 'none'],
    ['title.nope pr', 'none', 'none'],
    ['members.nope ne "a"', 'all', 'all'],
    ['emails[type eq "work" and nope eq "x"]', 'emails[(type eq "work" and none)]', 'none'],
    ['emails[type eq "work"].value eq "a"', 'emails[(type eq "work" and value eq "a")]', 'none'],
    ['emails[type eq "work"].value ne "a"', 'not emails[(type eq "work" and value eq "a")]', 'all'],
    ['emails[type eq "work"].nope eq "a"', 'emails[(type eq "work" and none)]', 'none'],
    ['emails[type eq "work"].nope ne "a"', 'not emails[(type eq "work" and none)]', 'all'],
    ['employeeNumber pr', `${enterprise}:employeeNumber pr`, 'none'],
    [`${enterprise}:nope pr`, `${enterprise}:nope pr`, 'none'],
    [`${enterprise.toUpperCase()}:department pr`, `${enterprise}:department pr`, 'none'],
    ['urn:ietf:params:scim:schemas:core:2.0:User:title pr', 'title pr', 'none'],
    ['urn:acme:2.0:User:level eq 1', 'urn:acme:2.0:User:level eq 1', 'urn:acme:2.0:User:level eq 1'],
    ['nope[value eq "x"] and id pr', '(nope[value eq "x"] and id pr)', '(nope[value eq "x"] and id pr)'],
  ] as const) {
    test(`parses ${written}`, () => {
      assert.equal(filterText(parseFilterAcrossTypes(written, userType)), ofUsers)
      assert.equal(filterText(parseFilterAcrossTypes(written, groupType)), ofGroups)
    })
  }

  for (const { filter, at, because } of [
    { filter: 'no/pe eq "a"', at: 1, because: 'that cannot be an attribute' },
    { filter: '5 eq "a"', at: 1, because: 'a name begins with a letter' },
    { filter: 'a.b.c eq "a"', at: 1, because: 'names have at most two parts' },
    { filter: 'name. eq "a"', at: 1, because: 'the sub-attribute is missing' },
    { filter: 'urn:x pr and urn:x:__proto__ pr', at: 14, because: 'that cannot be an attribute' },
    { filter: 'emails[a.b eq "x"]', at: 8, because: 'sub-attributes have no parts' },
    { filter: 'title[value eq "x"]', at: 1, because: 'text has no sub-attributes' },
    { filter: 'nope xx "a"', at: 6, because: 'there is no such operator' },
    { filter: 'nope eq', at: 8, because: 'the value is missing' },
    { filter: 'nope gt null', at: 9, because: 'null has no order' },
    { filter: 'active eq "yes"', at: 11, because: 'it is not a boolean' },
    { filter: 'password pr', at: 1, because: 'a password is never returned' },
  ]) {
    test(`rejects ${filter}: ${because}`, () => {
      const message = new RegExp(`at character ${at}:`)
      const parse = () => parseFilterAcrossTypes(filter, userType)
      assert.throws(parse, { status: 400, scimType: 'invalidFilter', message })
    })
  }

  test('treats an unknown attribute as absent even when a value is stored', () => {
    const odd = { id: 'g', userName: 'a', displayName: 'A' }
    assert.equal(matches(parseFilterAcrossTypes('userName eq "a"', groupType), odd), false)
    assert.equal(matches(parseFilterAcrossTypes('userName ne "a" and displayName eq "a"', groupType), odd), true)
  })
})

for (const { filter, terms } of [
  { filter: 'title pr', terms: 1 },
  { filter: 'title pr and not (userName sw "a" or active eq true)', terms: 3 },
  { filter: 'emails[type eq "work" and value co "@"] or title pr', terms: 3 },
]) {
  test(`${filter} has ${terms} conditions`, () => assert.equal(countTerms(parseFilter(filter, userType)), terms))
}
