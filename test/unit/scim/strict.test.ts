import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { parseBulkRequest } from '../../../src/scim/bulk/messages.ts'
import type { ScimType } from '../../../src/scim/errors.ts'
import { parseFilter } from '../../../src/scim/filter/parse.ts'
import type { Json, JsonObject } from '../../../src/scim/json.ts'
import { parseSearchRequest } from '../../../src/scim/list-query.ts'
import { applyPatch } from '../../../src/scim/patch/apply.ts'
import { splitMemberOperations } from '../../../src/scim/patch/members.ts'
import { parsePatch } from '../../../src/scim/patch/parse.ts'
import { parseProjection, project } from '../../../src/scim/projection.ts'
import { parseMemberIds } from '../../../src/scim/resource/members.ts'
import { parseReplacement, parseResource } from '../../../src/scim/resource/parse-resource.ts'
import { groupTypes, userTypes } from '../../../src/scim/schema/resource-type.ts'
import { cases } from '../../support/extent.ts'
import { filterText } from './filter-text.ts'
import { core, enterprise } from './patch-cases.ts'

const user = userTypes.strict
const group = groupTypes.strict
const groupUrn = 'urn:ietf:params:scim:schemas:core:2.0:Group'
const other = 'urn:acme:2.0:User'
const oldEnterprise = 'urn:scim:schemas:extension:enterprise:1.0'
const email = { value: 'ann@example.com', type: 'work', primary: true }
const work = '[type eq "work"]'

/** A user of a strict directory, with all that it requires. */
const ann = (fields: JsonObject = {}): JsonObject => ({ schemas: [core, enterprise], userName: 'ann', ...fields })

const rejected = (scimType: ScimType) => ({ name: 'ScimError', status: 400, scimType })

interface Rule<Sent> {
  readonly why: string
  readonly sends: Sent
  readonly scimType: ScimType
}

describe('in the body of a strict directory', () => {
  const rules: readonly Rule<JsonObject>[] = [
    { why: 'an unknown attribute', sends: { helmetSize: 7 }, scimType: 'invalidSyntax' },
    { why: 'an unknown attribute that is null', sends: { helmetSize: null }, scimType: 'invalidSyntax' },
    { why: 'a password', sends: { password: 'pw' }, scimType: 'invalidSyntax' },
    { why: 'an unknown sub-attribute', sends: { name: { initials: 'A' } }, scimType: 'invalidSyntax' },
    {
      why: 'an unknown sub-attribute of an element',
      sends: { emails: [{ ...email, size: 1 }] },
      scimType: 'invalidSyntax',
    },
    { why: 'an unknown extension', sends: { [other]: { size: 1 } }, scimType: 'invalidSyntax' },
    { why: 'an unknown attribute of an extension', sends: { [enterprise]: { size: 1 } }, scimType: 'invalidSyntax' },
    { why: 'the extension by an older URN', sends: { [oldEnterprise]: { division: 'A' } }, scimType: 'invalidSyntax' },
    { why: 'an attribute of the extension without its URN', sends: { department: 'A' }, scimType: 'invalidSyntax' },
    { why: 'an object under the URN of the core schema', sends: { [core]: { title: 'A' } }, scimType: 'invalidSyntax' },
    { why: 'a name with its URN', sends: { [`${core}:title`]: 'A' }, scimType: 'invalidSyntax' },
    { why: 'a dotted name', sends: { 'name.givenName': 'Ann' }, scimType: 'invalidSyntax' },
    {
      why: 'a dotted name in an extension',
      sends: { [enterprise]: { 'manager.value': 'm' } },
      scimType: 'invalidSyntax',
    },
    { why: 'schemas with an unknown URN', sends: { schemas: [core, other] }, scimType: 'invalidSyntax' },
    { why: 'schemas without the core schema', sends: { schemas: [enterprise] }, scimType: 'invalidSyntax' },
    { why: 'schemas of another type of resource', sends: { schemas: [groupUrn] }, scimType: 'invalidSyntax' },
    { why: 'schemas that are text', sends: { schemas: core }, scimType: 'invalidSyntax' },
    { why: 'schemas with something else than text', sends: { schemas: [core, 7] }, scimType: 'invalidSyntax' },
    { why: 'empty schemas', sends: { schemas: [] }, scimType: 'invalidSyntax' },
    { why: 'a boolean as text', sends: { active: 'True' }, scimType: 'invalidValue' },
    { why: 'a boolean as empty text', sends: { active: '' }, scimType: 'invalidValue' },
    { why: 'a number for text', sends: { title: 7 }, scimType: 'invalidValue' },
    { why: 'a number for an externalId', sends: { externalId: 7 }, scimType: 'invalidValue' },
    { why: 'a list of one for text', sends: { title: ['A'] }, scimType: 'invalidValue' },
    { why: 'an object with a value for text', sends: { title: { value: 'A' } }, scimType: 'invalidValue' },
    { why: 'an empty list for text', sends: { title: [] }, scimType: 'invalidValue' },
    { why: 'text for an object', sends: { name: 'Ann Archer' }, scimType: 'invalidValue' },
    { why: 'empty text for an object', sends: { name: '' }, scimType: 'invalidValue' },
    { why: 'a list of one for an object', sends: { name: [{ givenName: 'Ann' }] }, scimType: 'invalidValue' },
    { why: 'an object for a list', sends: { emails: email }, scimType: 'invalidValue' },
    { why: 'text for a list', sends: { emails: 'ann@example.com' }, scimType: 'invalidValue' },
    { why: 'a list of texts for one of objects', sends: { roles: ['admin'] }, scimType: 'invalidValue' },
    { why: 'a list as JSON text', sends: { emails: JSON.stringify([email]) }, scimType: 'invalidValue' },
    {
      why: 'a boolean as text in an element',
      sends: { emails: [{ ...email, primary: 'true' }] },
      scimType: 'invalidValue',
    },
    { why: 'an id for the manager', sends: { [enterprise]: { manager: 'm' } }, scimType: 'invalidValue' },
    { why: 'text for an extension', sends: { [enterprise]: 'A' }, scimType: 'invalidValue' },
    { why: 'empty text for an extension', sends: { [enterprise]: '' }, scimType: 'invalidValue' },
    {
      why: 'a user without userName, with an email address',
      sends: { userName: null, emails: [email] },
      scimType: 'invalidValue',
    },
  ]
  for (const { why, sends, scimType } of rules) {
    test(`${why} is ${scimType}`, () => {
      assert.throws(() => parseResource(user, ann(sends)), rejected(scimType))
      assert.throws(() => parseReplacement(user, ann(sends)), rejected(scimType))
    })
  }

  test('no schemas at all are invalidSyntax', () => {
    for (const parse of [parseResource, parseReplacement])
      assert.throws(() => parse(user, { userName: 'ann' }), rejected('invalidSyntax'))
  })

  test('a PUT without a required attribute is invalidValue', () => {
    assert.throws(() => parseReplacement(user, { schemas: [core], title: 'A' }), rejected('invalidValue'))
    assert.throws(() => parseReplacement(group, { schemas: [groupUrn], externalId: 'A' }), rejected('invalidValue'))
  })

  test('what the schemas define is accepted in any letter case, read-only attributes are ignored, and null means no value', () => {
    const sent = {
      SCHEMAS: [core.toUpperCase(), enterprise],
      USERNAME: 'ann',
      externalId: '7',
      active: true,
      title: null,
      nickName: '',
      name: { givenName: 'Ann', middleName: null },
      emails: [email],
      groups: [{ value: 'g' }],
      id: 'mine',
      meta: { created: 'then' },
      [enterprise]: { department: 'Tours', manager: { value: 'm', displayName: 'ignored' } },
    }
    assert.deepEqual(parseResource(user, sent), {
      schemas: [core, enterprise],
      userName: 'ann',
      externalId: '7',
      active: true,
      name: { givenName: 'Ann' },
      emails: [email],
      [enterprise]: { department: 'Tours', manager: { value: 'm' } },
    })
  })
})

const patchOp = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
const patchOf = (...operations: Json[]): JsonObject => ({ schemas: [patchOp], Operations: operations })

function patched(from: JsonObject, ...operations: Json[]): JsonObject {
  return applyPatch(user, parseResource(user, ann(from)), parsePatch(patchOf(...operations), user))
}

describe('in a PATCH of a strict directory', () => {
  const add = (path: string, value: Json): Json => ({ op: 'add', path, value })
  const rules: readonly Rule<Json>[] = [
    { why: 'a path to an unknown attribute', sends: add('helmetSize', 'x'), scimType: 'invalidPath' },
    { why: 'a path to a password', sends: add('password', 'x'), scimType: 'invalidPath' },
    { why: 'a path to an unknown sub-attribute', sends: add('name.initials', 'x'), scimType: 'invalidPath' },
    { why: 'an unknown sub-attribute behind a filter', sends: add(`emails${work}.size`, 'x'), scimType: 'invalidPath' },
    {
      why: 'an unknown attribute in a filter',
      sends: add('emails[size eq "x"].value', 'x'),
      scimType: 'invalidFilter',
    },
    {
      why: 'a boolean as text in a filter',
      sends: add('emails[primary eq "True"].value', 'x'),
      scimType: 'invalidFilter',
    },
    {
      why: 'a filter on the manager',
      sends: add(`${enterprise}:manager[value eq "m"].value`, 'x'),
      scimType: 'invalidPath',
    },
    { why: 'a path into an unknown schema', sends: add(`${other}:size`, 'x'), scimType: 'invalidPath' },
    { why: 'an unknown schema as a path', sends: add(other, { size: 'x' }), scimType: 'invalidPath' },
    { why: 'a dot after the URN', sends: add(`${enterprise}.department`, 'x'), scimType: 'invalidPath' },
    { why: 'an attribute of the extension without its URN', sends: add('department', 'x'), scimType: 'invalidPath' },
    { why: 'an older URN of the extension', sends: add(`${oldEnterprise}:department`, 'x'), scimType: 'invalidPath' },
    { why: 'a boolean as text', sends: add('active', 'False'), scimType: 'invalidValue' },
    { why: 'a boolean as empty text', sends: add('active', ''), scimType: 'invalidValue' },
    { why: 'a number for text', sends: add('title', 7), scimType: 'invalidValue' },
    { why: 'a list of one for text', sends: add('title', ['x']), scimType: 'invalidValue' },
    { why: 'text for an object', sends: add('name', 'Ann'), scimType: 'invalidValue' },
    { why: 'empty text for an object', sends: add('name', ''), scimType: 'invalidValue' },
    { why: 'an object for a list', sends: add('emails', email), scimType: 'invalidValue' },
    { why: 'text for a list', sends: add('emails', 'x'), scimType: 'invalidValue' },
    { why: 'a list for a filtered element', sends: add(`emails${work}`, [email]), scimType: 'invalidValue' },
    { why: 'an unknown sub-attribute in a value', sends: add('name', { initials: 'A' }), scimType: 'invalidSyntax' },
    {
      why: 'an unknown sub-attribute in an element',
      sends: add(`emails${work}`, { size: 1 }),
      scimType: 'invalidSyntax',
    },
    { why: 'an unknown attribute of an extension', sends: add(enterprise, { size: 'x' }), scimType: 'invalidSyntax' },
    {
      why: 'a dotted name in an extension',
      sends: add(enterprise, { 'manager.value': 'm' }),
      scimType: 'invalidSyntax',
    },
    { why: 'text for an extension', sends: add(enterprise, 'x'), scimType: 'invalidValue' },
    {
      why: 'no path for an object',
      sends: { op: 'add', value: { name: { givenName: 'A' } } },
      scimType: 'invalidSyntax',
    },
    { why: 'no path for a list', sends: { op: 'replace', value: { emails: [email] } }, scimType: 'invalidSyntax' },
    { why: 'no path for an extension', sends: { op: 'add', value: { [enterprise]: {} } }, scimType: 'invalidSyntax' },
    { why: 'no path for an unknown attribute', sends: { op: 'add', value: { size: 'x' } }, scimType: 'invalidSyntax' },
    {
      why: 'no path for a dotted name',
      sends: { op: 'add', value: { 'name.givenName': 'A' } },
      scimType: 'invalidSyntax',
    },
    {
      why: 'no path for a value path',
      sends: { op: 'add', value: { [`emails${work}.value`]: 'x' } },
      scimType: 'invalidSyntax',
    },
    {
      why: 'no path for a boolean as text',
      sends: { op: 'replace', value: { active: 'False' } },
      scimType: 'invalidValue',
    },
    {
      why: 'a filter that matches nothing',
      sends: { op: 'replace', path: `emails${work}.value`, value: 'x' },
      scimType: 'noTarget',
    },
    { why: 'remove without a path', sends: { op: 'remove' }, scimType: 'noTarget' },
  ]
  for (const { why, sends, scimType } of rules) {
    test(`${why} is ${scimType}`, () => assert.throws(() => patched({}, sends), rejected(scimType)))
  }

  for (const schemas of [undefined, null, [], [core], [patchOp, core], patchOp]) {
    test(`schemas of ${JSON.stringify(schemas)} are invalidSyntax`, () => {
      const body = { ...(schemas === undefined ? {} : { schemas }), Operations: [add('title', 'x')] }
      assert.throws(() => parsePatch(body, user), rejected('invalidSyntax'))
    })
  }

  test('simple attributes are taken without a path, and read-only ones ignored', () => {
    const { title, active, id } = patched({}, { op: 'replace', value: { id: 'mine', TITLE: 'Guide', active: false } })
    assert.deepEqual([title, active, id], ['Guide', false, undefined])
  })

  test('paths of every kind change what they name', () => {
    const after = patched(
      { emails: [email] },
      add('name.givenName', 'Ann'),
      { op: 'replace', path: `emails${work}.value`, value: 'b@example.com' },
      add('emails[type eq "home"].value', 'home@example.com'),
      add(`${enterprise}:department`, 'Tours'),
      add(enterprise, { costCenter: '7' }),
      { op: 'replace', path: `emails${work}`, value: { value: 'c@example.com', primary: true } },
      { op: 'remove', path: 'nickName' },
    )
    assert.deepEqual(after['name'], { givenName: 'Ann' })
    assert.deepEqual(after['emails'], [
      { type: 'work', value: 'c@example.com', primary: true },
      { type: 'home', value: 'home@example.com' },
    ])
    assert.deepEqual(after[enterprise], { department: 'Tours', costCenter: '7' })
  })
})

describe('the members of a group of a strict directory', () => {
  const attribute = group.attributes.get('members')
  const operations = (...sent: Json[]) => splitMemberOperations(parsePatch(patchOf(...sent), group))
  const rules: readonly Rule<Json>[] = [
    { why: 'text', sends: 'u1', scimType: 'invalidValue' },
    { why: 'a single member', sends: { value: 'u1' }, scimType: 'invalidValue' },
    { why: 'a list of ids', sends: ['u1'], scimType: 'invalidValue' },
    { why: 'a number as an id', sends: [{ value: 7 }], scimType: 'invalidValue' },
    { why: 'a member without an id', sends: [{ type: 'User' }], scimType: 'invalidValue' },
    { why: 'an unknown sub-attribute', sends: [{ value: 'u1', role: 'admin' }], scimType: 'invalidSyntax' },
  ]
  for (const { why, sends, scimType } of rules) {
    test(`${why} is ${scimType}`, () => {
      assert.throws(() => parseMemberIds(sends, attribute), rejected(scimType))
      assert.throws(() => operations({ op: 'add', path: 'members', value: sends }), rejected(scimType))
    })
  }

  test('a member that is named by a path alone is rejected', () => {
    assert.throws(() => operations({ op: 'add', path: 'members[value eq "u1"]' }), rejected('invalidValue'))
  })

  test('members without a path are rejected', () => {
    assert.throws(() => operations({ op: 'add', value: { members: [{ value: 'u1' }] } }), rejected('invalidSyntax'))
  })

  test('a list of objects is accepted, with what a directory returns', () => {
    const sent = [{ value: 'u1', type: 'User', display: 'Ann', $ref: '../Users/u1' }, { VALUE: 'u2' }]
    assert.deepEqual(parseMemberIds(sent, attribute), new Set(['u1', 'u2']))
    assert.deepEqual(operations({ op: 'remove', path: 'members[value eq "u1"]' }).members, [
      { op: 'remove', ids: new Set(['u1']) },
    ])
  })
})

describe('a filter of a strict directory', () => {
  for (const filter of [
    'helmetSize eq "x"',
    'password pr',
    'name.initials eq "A"',
    'emails[size eq "x"]',
    'emails[type eq "work"].value eq "x"',
    'department eq "x"',
    `${enterprise}.department eq "x"`,
    `${other}:size eq "x"`,
    'active eq "True"',
    'title eq 7',
  ]) {
    test(`${filter} is invalidFilter`, () => assert.throws(() => parseFilter(filter, user), rejected('invalidFilter')))
  }

  test('what the schemas define is compared as in a tolerant one', () => {
    for (const filter of [
      'USERNAME eq "ann" and externalId eq "7"',
      'emails[type eq "work" and value eq "x"]',
      `${enterprise}:department eq "x" or ${core}:name.givenName sw "A"`,
      'active eq false and not (meta.created gt "2026-01-01T00:00:00Z")',
    ]) {
      assert.equal(filterText(parseFilter(filter, user)), filterText(parseFilter(filter, userTypes.tolerant)))
    }
  })
})

describe('the attributes that a request of a strict directory selects', () => {
  for (const name of [
    ...['helmetSize', 'password', 'name.initials', 'department', other, `${other}:size`, oldEnterprise],
    ...[`${enterprise}:size`, `${enterprise}.department`],
  ]) {
    for (const parameter of ['attributes', 'excludedAttributes']) {
      test(`${name} in ${parameter} is invalidSyntax`, () => {
        assert.throws(() => parseProjection({ [parameter]: `userName,${name}` }, user), rejected('invalidSyntax'))
        assert(parseProjection({ [parameter]: `userName,${name}` }, userTypes.tolerant))
      })
    }
  }

  test('what the schemas define is selected, in any letter case', () => {
    const resource = ann({ title: 'Guide', name: { givenName: 'Ann' }, [enterprise]: { department: 'Tours' } })
    const selected = (attributes: string) => project(resource, parseProjection({ attributes }, user), user)
    const { schemas } = resource
    assert.deepEqual(selected(`TITLE,${core}:name.givenName,meta.location,id`), {
      ...{ schemas: schemas ?? null, title: 'Guide', name: { givenName: 'Ann' } },
    })
    for (const name of [enterprise, enterprise.toUpperCase(), `${enterprise}:department`])
      assert.deepEqual(selected(name), { schemas, [enterprise]: { department: 'Tours' } })
    assert.deepEqual(selected(core), { schemas, userName: 'ann', title: 'Guide', name: { givenName: 'Ann' } })
    assert.deepEqual(selected('members'), { schemas }, 'a name that only groups have selects nothing')
  })
})

for (const { what, urn, parse } of [
  { what: 'a search', urn: 'urn:ietf:params:scim:api:messages:2.0:SearchRequest', parse: parseSearchRequest },
  { what: 'a bulk request', urn: 'urn:ietf:params:scim:api:messages:2.0:BulkRequest', parse: parseBulkRequest },
]) {
  test(`${what} of a strict directory needs its schemas`, () => {
    assert.throws(() => parse({ Operations: [] }, 'strict'), rejected('invalidSyntax'))
    assert.throws(() => parse({ schemas: [core], Operations: [] }, 'strict'), rejected('invalidSyntax'))
    assert(parse({ schemas: [urn], Operations: [] }, 'strict'))
    assert(parse({ Operations: [] }, 'tolerant'))
  })
}

test('what a strict directory accepts means the same in a tolerant one', () => {
  const text = fc.constantFrom('a', 'b', '', ' ', 'True', '[]')
  const simple = fc.oneof(text, fc.boolean(), fc.integer(), fc.constant(null))
  const element = fc.dictionary(fc.constantFrom('value', 'type', 'primary', 'TYPE', 'size'), simple, { maxKeys: 3 })
  const value = fc.oneof(simple, element, fc.array(fc.oneof(element, simple), { maxLength: 3 }))
  const name = fc.constantFrom('title', 'active', 'Active', 'name', 'emails', 'roles', 'userName', 'size', enterprise)
  fc.assert(
    fc.property(fc.dictionary(name, value, { maxKeys: 4 }), (fields) => {
      const sent = JSON.parse(JSON.stringify(ann(fields as JsonObject)))
      let strict: JsonObject
      try {
        strict = parseResource(user, sent)
      } catch {
        return
      }
      assert.deepEqual(strict, parseResource(userTypes.tolerant, sent))
    }),
    { numRuns: cases(5000) },
  )
})
