import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Json, JsonObject } from '../../../src/scim/json.ts'
import type { PatchOperation } from '../../../src/scim/patch/operation.ts'
import { parsePatch } from '../../../src/scim/patch/parse.ts'
import { pathName } from '../../../src/scim/schema/attribute-path.ts'
import type { ResourceType } from '../../../src/scim/schema/resource-type.ts'
import { groupType, userType } from '../../../src/scim/schema/resource-type.ts'
import { filterText } from './filter-text.ts'

const core = 'urn:ietf:params:scim:schemas:core:2.0:User'
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

/** Each operation as `op path value`. */
function texts(operations: Json, resourceType: ResourceType = userType): string[] {
  return parsePatch({ Operations: operations }, resourceType).map(operationText)
}

function operationText({ op, path, value }: PatchOperation): string {
  const name = path.kind === 'extension' ? path.extension : pathName(path)
  const filter = path.kind === 'attribute' && path.filter ? ` where ${filterText(path.filter)}` : ''
  return `${op} ${name}${filter} ${value === undefined ? 'nothing' : JSON.stringify(value)}`
}

describe('the body of a PATCH request', () => {
  const operations = [{ op: 'replace', path: 'title', value: 'A' }]
  for (const { body, because } of [
    { body: { Operations: operations }, because: 'without schemas' },
    { body: { schemas: ['urn:scim:schemas:core:1.0'], Operations: operations }, because: 'with a legacy schema' },
    { body: { schemas: null, operations }, because: 'with lower-case operations' },
    { body: { OPERATIONS: operations }, because: 'with upper-case operations' },
    { body: { Operations: [{ OP: 'rePLACE', PATH: 'TITLE', VALUE: 'A' }] }, because: 'with names in capitals' },
    { body: { Operations: [{ op: 'replace', path: ' title ', value: 'A' }] }, because: 'with blanks around a path' },
    { body: { Operations: operations, operations: [] }, because: 'with two spellings, of which the exact one is used' },
  ]) {
    test(`is accepted ${because}`, () => {
      assert.deepEqual(parsePatch(body, userType).map(operationText), ['replace title "A"'])
    })
  }

  for (const { body, because } of [
    { body: null, because: 'it is null' },
    { body: 'text', because: 'it is text' },
    { body: operations, because: 'it is a list' },
    { body: {}, because: 'Operations is missing' },
    { body: { Operations: [] }, because: 'Operations is empty' },
    { body: { Operations: { op: 'replace' } }, because: 'Operations is an object' },
    { body: { Operations: ['replace'] }, because: 'an operation is text' },
    { body: { Operations: [null] }, because: 'an operation is null' },
    { body: { Operations: [{ op: 'move', path: 'title', value: 'A' }] }, because: 'there is no op move' },
    { body: { Operations: [{ path: 'title', value: 'A' }] }, because: 'op is missing' },
    { body: { Operations: [{ op: null, path: 'title', value: 'A' }] }, because: 'op is null' },
    { body: { Operations: [{ op: 5, path: 'title', value: 'A' }] }, because: 'op is a number' },
    { body: { schemas: ['urn:scim:schemas:core:1.0'], members: [{ value: 'u' }] }, because: 'it is SCIM 1.1' },
  ]) {
    test(`is rejected when ${because}`, () => {
      assert.throws(() => parsePatch(body, userType), { status: 400, scimType: 'invalidSyntax' })
    })
  }

  test('has a limited number of operations', () => {
    const many = (count: number) => Array.from({ length: count }, () => operations[0] ?? {})
    assert.equal(texts(many(1000)).length, 1000)
    assert.throws(() => texts(many(1001)), { status: 400, scimType: 'invalidValue' })
  })

  test('has a limited number of attributes', () => {
    const value = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`x${index}`, 1]))
    const acme = 'urn:acme:2.0:User'
    const add = (fields: JsonObject) => ({ op: 'add', ...fields })
    assert.equal(texts([add({ value: value(600) }), add({ value: { [acme]: value(400) } })]).length, 601)
    for (const many of [
      [add({ value: value(1001) })],
      [add({ value: value(600) }), add({ path: acme, value: value(401) })],
    ]) {
      assert.throws(() => texts(many), { status: 400, scimType: 'invalidValue' })
    }
  })
})

describe('an operation', () => {
  for (const { operation, scimType, because } of [
    { operation: { op: 'remove' }, scimType: 'noTarget', because: 'remove needs a path' },
    { operation: { op: 'remove', path: '' }, scimType: 'noTarget', because: 'remove needs a path' },
    { operation: { op: 'remove', value: { title: 'A' } }, scimType: 'noTarget', because: 'remove needs a path' },
    { operation: { op: 'add', path: 'title' }, scimType: 'invalidValue', because: 'add needs a value' },
    { operation: { op: 'replace', path: 'title' }, scimType: 'invalidValue', because: 'replace needs a value' },
    { operation: { op: 'add' }, scimType: 'invalidValue', because: 'add needs a value' },
    { operation: { op: 'replace', value: null }, scimType: 'invalidValue', because: 'null is not an object' },
    { operation: { op: 'replace', value: 'x' }, scimType: 'invalidValue', because: 'text is not an object' },
    { operation: { op: 'replace', value: [] }, scimType: 'invalidValue', because: 'there is no object' },
    { operation: { op: 'replace', value: [{}, {}] }, scimType: 'invalidValue', because: 'there are two objects' },
    { operation: { op: 'replace', path: 5, value: 'A' }, scimType: 'invalidPath', because: 'a path is text' },
    {
      operation: { op: 'replace', path: 'title.nope', value: 'A' },
      scimType: 'invalidPath',
      because: 'a title has no parts',
    },
    {
      operation: { op: 'replace', path: 'emails[type eq', value: 'A' },
      scimType: 'invalidPath',
      because: 'it is open',
    },
    { operation: { op: 'replace', path: 'emails[x pr]', value: 'A' }, scimType: 'invalidFilter', because: 'no x' },
    { operation: { op: 'replace', path: 'id', value: 'A' }, scimType: 'mutability', because: 'id is read-only' },
    { operation: { op: 'remove', path: 'id' }, scimType: 'mutability', because: 'id is read-only' },
    { operation: { op: 'replace', path: 'meta', value: {} }, scimType: 'mutability', because: 'meta is read-only' },
    {
      operation: { op: 'add', path: 'meta.version', value: '1' },
      scimType: 'mutability',
      because: 'meta is read-only',
    },
    { operation: { op: 'add', path: 'groups', value: [] }, scimType: 'mutability', because: 'groups is read-only' },
    {
      operation: { op: 'remove', path: 'groups[value eq "g"]' },
      scimType: 'mutability',
      because: 'groups is read-only',
    },
    {
      operation: { op: 'replace', path: 'manager.displayName', value: 'Ann' },
      scimType: 'mutability',
      because: "the manager's name is read-only",
    },
    { operation: { op: 'add', value: { 'title.nope': 1 } }, scimType: 'invalidPath', because: 'text has no parts' },
    {
      operation: { op: 'add', value: { [`urn:acme:${'x'.repeat(241)}:level`]: {} } },
      scimType: 'invalidPath',
      because: 'the URN is too long',
    },
    { operation: { op: 'add', value: { 'urn:x': 1 } }, scimType: 'invalidPath', because: 'it is not a URN' },
  ]) {
    test(`${JSON.stringify(operation)} is rejected: ${because}`, () => {
      assert.throws(() => texts([operation]), { status: 400, scimType })
    })
  }

  for (const { operation, read } of [
    { operation: { op: 'Remove', path: 'title' }, read: ['remove title nothing'] },
    { operation: { op: 'Add', path: 'title', value: null }, read: ['add title null'] },
    {
      operation: { op: 'replace', path: 'emails[type eq "work"].value', value: 'a@b' },
      read: ['replace emails.value where type eq "work" "a@b"'],
    },
    { operation: { op: 'replace', value: { active: false } }, read: ['replace active false'] },
    { operation: { op: 'add', value: { active: false } }, read: ['add active false'] },
    { operation: { op: 'add', path: '', value: { ACTIVE: false } }, read: ['add active false'] },
    { operation: { op: 'replace', path: null, value: [{ nickName: 'Z' }] }, read: ['replace nickName "Z"'] },
    { operation: { op: 'replace', path: core, value: { title: 'A' } }, read: ['replace title "A"'] },
    { operation: { op: 'replace', value: { [core]: { title: 'A' } } }, read: ['replace title "A"'] },
    {
      operation: { op: 'replace', value: { [core]: { Title: 'A', active: true } } },
      read: ['replace active true', 'replace title "A"'],
    },
    { operation: { op: 'replace', value: { 'name.nick.first': 'A' } }, read: ['replace name.nick {"first":"A"}'] },
    {
      operation: { op: 'replace', value: { 'manager.$ref': '../Users/m', 'manager.value': 'm' } },
      read: [`replace ${enterprise}:manager.value "m"`, `replace ${enterprise}:manager.$ref "../Users/m"`],
    },
    { operation: { op: 'replace', value: { [`${core}:title`]: 'A' } }, read: ['replace title "A"'] },
    { operation: { op: 'replace', value: {} }, read: [] },
    {
      operation: {
        op: 'replace',
        value: { 'name.familyName': 'B', [`${enterprise}:employeeNumber`]: '2', title: 'A' },
      },
      read: ['replace title "A"', `replace ${enterprise}:employeeNumber "2"`, 'replace name.familyName "B"'],
    },
    {
      operation: { op: 'add', value: { 'name.givenName': 'A', name: { givenName: 'B' }, NAME: { familyName: 'C' } } },
      read: ['add name {"familyName":"C"}', 'add name {"givenName":"B"}', 'add name.givenName "A"'],
    },
    {
      operation: { op: 'replace', value: { 'emails[type eq "work"].value': 'a@b', emails: [] } },
      read: ['replace emails []', 'replace emails.value where type eq "work" "a@b"'],
    },
    {
      operation: { op: 'add', value: { [enterprise]: { department: 'D' } } },
      read: [`add ${enterprise} {"department":"D"}`],
    },
    {
      operation: { op: 'add', value: { 'urn:okta:app:2.0:user:custom': { a: 1 } } },
      read: ['add urn:okta:app:2.0:user:custom {"a":1}'],
    },
    { operation: { op: 'add', value: { 'urn:acme:2.0:User:a': 1 } }, read: ['add urn:acme:2.0:User:a 1'] },
    { operation: { op: 'replace', value: { manager: 'm' } }, read: [`replace ${enterprise}:manager "m"`] },
    { operation: { op: 'replace', value: { shoeSize: 43 } }, read: ['replace shoeSize 43'] },
    { operation: { op: 'replace', value: { 'shoe.size': 43 } }, read: ['replace shoe.size 43'] },
    { operation: { op: 'replace', value: { 'http://x.example/a': 1 } }, read: ['replace http://x.example/a 1'] },
    {
      operation: {
        op: 'replace',
        value: {
          id: 'x',
          meta: {},
          groups: [],
          schemas: [],
          'meta.version': '',
          'manager.displayName': 'A',
          title: 'A',
        },
      },
      read: ['replace title "A"'],
    },
    { operation: { op: 'replace', value: { password: 'secret' } }, read: [] },
    { operation: { op: 'replace', path: 'password', value: 'secret' }, read: [] },
    { operation: { op: 'add', path: 'PassWord' }, read: [] },
    { operation: { op: 'remove', path: 'password' }, read: [] },
    { operation: { op: 'add', path: 'schemas', value: ['urn:x'] }, read: [] },
  ]) {
    test(`${JSON.stringify(operation)} is parsed as ${read.join(', ') || 'nothing'}`, () => {
      assert.deepEqual(texts([operation]), read)
    })
  }

  test('does not let a name touch the prototype', () => {
    const value = JSON.parse('{"__proto__":{"admin":true},"title":"A"}')
    assert.deepEqual(texts([{ op: 'add', value }]), ['add title "A"'])
  })

  test('on a group accepts a filter on members without a value', () => {
    assert.deepEqual(texts([{ op: 'add', path: 'members[value eq "u"]' }], groupType), [
      'add members where value eq "u" null',
    ])
  })

  test('on a group can contain its id', () => {
    assert.deepEqual(texts([{ op: 'replace', value: { id: 'g', displayName: 'Field Ops' } }], groupType), [
      'replace displayName "Field Ops"',
    ])
  })
})
