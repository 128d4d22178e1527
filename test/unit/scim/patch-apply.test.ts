import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Json } from '../../../src/scim/json.ts'
import { applyPatch } from '../../../src/scim/patch/apply.ts'
import { parsePatch } from '../../../src/scim/patch/parse.ts'
import { groupType } from '../../../src/scim/schema/resource-type.ts'
import { acme, core, enterprise, patch, user, work } from './patch-cases.ts'

describe('a request is rejected', () => {
  const from = user({ emails: [work], title: 'A' })
  for (const { operations, scimType, because } of [
    { operations: [{ op: 'remove', path: 'userName' }], scimType: 'mutability', because: 'userName is required' },
    { operations: [{ op: 'replace', path: 'userName', value: '' }], scimType: 'invalidValue', because: 'it is empty' },
    { operations: [{ op: 'replace', path: 'userName', value: null }], scimType: 'invalidValue', because: 'it is null' },
    {
      operations: [{ op: 'replace', path: 'userName', value: true }],
      scimType: 'invalidValue',
      because: 'it is a boolean',
    },
    {
      operations: [{ op: 'replace', path: 'active', value: 'no' }],
      scimType: 'invalidValue',
      because: 'it is not a boolean',
    },
    { operations: [{ op: 'replace', path: 'title', value: ['a', 'b'] }], scimType: 'invalidValue', because: 'of two' },
    {
      operations: [{ op: 'replace', path: 'name', value: 'Tomas' }],
      scimType: 'invalidValue',
      because: 'a name has parts',
    },
    {
      operations: [{ op: 'replace', path: enterprise, value: 'x' }],
      scimType: 'invalidValue',
      because: 'it is an object',
    },
    {
      operations: [{ op: 'replace', path: 'emails[type eq "work"]', value: [{ value: 'a' }, { value: 'b' }] }],
      scimType: 'invalidValue',
      because: 'of two objects',
    },
    {
      operations: [{ op: 'replace', path: 'emails[type ne "work"].value', value: 'a' }],
      scimType: 'noTarget',
      because: 'ne does not say what to create',
    },
    {
      operations: [{ op: 'add', path: 'emails[type eq "a" or type eq "b"].value', value: 'a' }],
      scimType: 'noTarget',
      because: 'or does not say what to create',
    },
    ...['value eq "gone@example.com"', 'type eq "work" and value eq "gone@example.com"', 'display eq "T"'].flatMap(
      (filter) =>
        ['add', 'replace'].map((op) => ({
          operations: [{ op, path: `emails[${filter}].primary`, value: true }],
          scimType: 'noTarget',
          because: 'the element that it selects is gone',
        })),
    ),
    {
      operations: [{ op: 'replace', path: 'emails[value eq "gone@example.com"]', value: null }],
      scimType: 'noTarget',
      because: 'there is nothing to clear',
    },
    ...[
      ['Tomas', 'Tom'],
      [{ givenName: 'Tomas' }, { familyName: 'Weber' }],
    ].map((value) => ({
      operations: [{ op: 'replace', path: typeof value[0] === 'string' ? 'userName' : 'name', value }],
      scimType: 'invalidValue',
      because: 'it is a list of two',
    })),
    ...[' ', '\t\n', '\u00a0\u2003'].map((value) => ({
      operations: [{ op: 'replace', path: 'userName', value }],
      scimType: 'invalidValue',
      because: 'it is only white space',
    })),
    ...['urn:x', 'urn:x:y:a', 'urn:acme:a b:c', `urn:acme:${'x'.repeat(250)}:a`].map((path) => ({
      operations: [{ op: 'add', path, value: 1 }],
      scimType: 'invalidPath',
      because: 'it is no URN of an extension',
    })),
    {
      operations: [{ op: 'replace', path: 'emails[type eq "fax"].type', value: 'home' }],
      scimType: 'noTarget',
      because: 'the new element would not match the filter',
    },
  ]) {
    test(`${JSON.stringify(operations)}: ${because}`, () => {
      assert.throws(() => patch(from, operations), { status: 400, scimType })
    })
  }

  test('as a whole: changes before the error are discarded', () => {
    const before = structuredClone(from)
    assert.throws(() => patch(from, [{ op: 'replace', path: 'title', value: 'lost' }, { op: 'remove' }]))
    assert.throws(() =>
      patch(from, [
        { op: 'replace', path: 'title', value: 'lost' },
        { op: 'add', path: 'active', value: 'no' },
      ]),
    )
    assert.deepEqual(from, before)
  })

  test('for a missing required attribute only after the last operation', () => {
    const operations = [
      { op: 'remove', path: 'userName' },
      { op: 'add', path: 'userName', value: 'new' },
    ]
    assert.equal(patch(from, operations)['userName'], 'new')
  })
})

test('attributes that are not named are kept, including id and meta', () => {
  const meta = { resourceType: 'User', version: 'W/"3"' }
  assert.deepEqual(patch(user({ meta }), [{ op: 'replace', value: { id: 'x', meta: {} } }]), user({ meta }))
})

test('schemas are computed from the extensions present', () => {
  const from = { ...user({ [enterprise]: { division: 'D' } }), schemas: ['urn:scim:schemas:core:1.0'] }
  assert.deepEqual(patch(from, [{ op: 'add', path: `${acme}:a`, value: 1 }])['schemas'], [core, enterprise, acme])
})

test('the order of schemas does not depend on the order of attributes', () => {
  const from = user({ 'urn:bb:1.0': { x: 1 }, [acme]: { level: 1 } })
  const value = { [acme]: { level: null }, [`${acme}:level`]: 2, [enterprise]: { division: 'D' } }
  const once = patch(from, [{ op: 'replace', value }])
  assert.deepEqual(once['schemas'], [core, enterprise, acme, 'urn:bb:1.0'])
  assert.deepEqual(patch(once, [{ op: 'replace', value }]), once)
})

test('the number of attributes of a resource and of its objects is limited', () => {
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`x${index}`, index]))
  const tooMany = { status: 400, scimType: 'invalidValue' }
  const full = user({ [acme]: many(1000), name: many(1000) })
  assert.deepEqual(patch(full, [{ op: 'replace', path: `${acme}:x5`, value: 5 }]), full)
  assert.throws(() => patch(full, [{ op: 'add', path: `${acme}:y`, value: 1 }]), tooMany)
  assert.throws(() => patch(full, [{ op: 'add', path: 'name', value: { givenName: 'A' } }]), tooMany)
  const overfull = user(many(999))
  assert.deepEqual(patch(overfull, [{ op: 'replace', value: { x5: 6 } }]), { ...overfull, x5: 6 })
  assert.throws(() => patch(user(many(995)), [{ op: 'add', value: { y: 1, z: 1, a: 1, b: 1 } }]), tooMany)
})

test('a group can be renamed but not left without a name', () => {
  const group = { schemas: [groupType.schema.id], id: 'g', displayName: 'Buyers' }
  const renamed = (operation: Json) => {
    return applyPatch(groupType, group, parsePatch({ Operations: [operation] }, groupType))
  }
  const to = { ...group, displayName: 'Field Ops' }
  assert.deepEqual(renamed({ op: 'replace', value: { id: 'g', displayName: 'Field Ops' } }), to)
  assert.deepEqual(renamed({ op: 'Replace', path: 'displayName', value: 'Field Ops' }), to)
  assert.throws(() => renamed({ op: 'remove', path: 'displayName' }), { scimType: 'mutability' })
  assert.throws(() => renamed({ op: 'replace', value: { displayName: '' } }), { scimType: 'invalidValue' })
})

test('no name touches the prototype', () => {
  const evil = JSON.parse(
    `{"__proto__":{"x":1},"constructor":{"prototype":{"x":1}},"${acme}":{"__proto__":{"x":1},"a":1}}`,
  )
  const patched = patch(user(), [{ op: 'add', value: evil }])
  assert.deepEqual(patched, user({ constructor: { prototype: { x: 1 } }, [acme]: { a: 1 } }))
  assert.equal(Object.getPrototypeOf(patched[acme]), Object.prototype)
  assert.ok(!('x' in {}))
})
