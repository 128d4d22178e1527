import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MappingDocument } from '../../../console/src/console/mapping/document.ts'
import {
  newRule,
  restOf,
  rolesIn,
  ruleIds,
  withAttributes,
  withRoles,
} from '../../../console/src/console/mapping/document.ts'
import { readDraft, textOf } from '../../../console/src/console/mapping/draft.ts'
import { mappedValueOf, newStep, readStep, stepKinds, transformOf } from '../../../console/src/console/mapping/steps.ts'
import { pathsFor, withPath, wordBefore } from '../../../console/src/console/mapping/suggestions.ts'

const whole: MappingDocument = {
  extends: 'product',
  attributes: { department: { from: ['title'], transform: ['trim', { map: { IT: 'Engineering' } }, { new: 1 }] } },
  roles: {
    mode: 'first',
    default: ['member'],
    keep_at_least: { admin: 1 },
    rules: [{ id: 'a', role: 'admin', when: { group: 'g', group_name: 'G', filter: 'active eq true' } }],
  },
}

for (const document of [{}, { roles: { rules: [{}] } }, whole, { ...whole, unknown: { kept: true } }]) {
  test(`a draft of ${JSON.stringify(document).slice(0, 40)} stays what it is`, () => {
    assert.deepEqual(readDraft(textOf(document)), { document })
  })
}

for (const [text, at] of [
  ['5', 'mapping'],
  ['[]', 'mapping'],
  ['{"extends": 1}', 'extends'],
  ['{"roles": []}', 'roles'],
  ['{"roles": {"rules": {}}}', 'roles.rules'],
  ['{"roles": {"rules": [{}, null]}}', 'roles.rules[1]'],
  ['{"roles": {"rules": [{"role": 5}]}}', 'roles.rules[0].role'],
  ['{"roles": {"rules": [{"when": {"filter": []}}]}}', 'roles.rules[0].when.filter'],
  ['{"roles": {"default": "member"}}', 'roles.default'],
  ['{"roles": {"keep_at_least": {"admin": "1"}}}', 'roles.keep_at_least.admin'],
  ['{"attributes": {"a": {"from": ["x", 1]}}}', 'attributes.a.from[1]'],
  ['{"attributes": {"a": {"from": [], "transform": "lower"}}}', 'attributes.a.transform'],
] as const) {
  test(`the form does not show ${text}: ${at} has another form`, () => {
    assert.deepEqual(readDraft(text), { problem: { at } })
  })
}

test('a text that is not JSON is a problem with the reason', () => {
  const { problem } = readDraft('{"roles": ')
  assert.equal(problem?.at, undefined)
  assert.match(problem?.message ?? '', /JSON/)
})

test('rules without an id have those that the service gives them, and a new rule has another one', () => {
  const rules = [{ id: 'r2' }, {}, { id: 'x' }, {}]
  assert.deepEqual(ruleIds({ roles: { rules } }), ['r2', 'r1', 'x', 'r3'])
  assert.equal(newRule({ roles: { rules } }).id, 'r5')
  assert.equal(newRule({}).id, 'r1')
  assert.equal(newRule({ roles: { rules: [{ id: 'r2' }] } }).id, 'r3')
})

test('changes of a part leave the others as they are; parts that become empty are left out', () => {
  assert.deepEqual(JSON.parse(textOf(withRoles(whole, { default: undefined, mode: 'all' }))), {
    ...whole,
    roles: { mode: 'all', keep_at_least: { admin: 1 }, rules: whole.roles?.rules },
  })
  assert.deepEqual(JSON.parse(textOf(withAttributes(whole, []))), { extends: 'product', roles: whole.roles })
  assert.deepEqual(
    rolesIn({ roles: { default: ['m'], rules: [{ role: 'b' }, { role: 'a' }, { role: '' }, { deny: 'c' }] } }),
    ['a', 'b', 'm'],
  )
})

test('below a mapping that extends the one of the product is what it does not replace', () => {
  const product: MappingDocument = {
    attributes: { department: { from: ['title'] }, city: { from: ['locale'] } },
    roles: { rules: [{ role: 'a' }, { id: 'x', role: 'b' }] },
  }
  const rest = restOf(product, {
    attributes: { city: { from: ['title'] } },
    roles: { rules: [{ id: 'x', role: 'c' }] },
  })
  assert.deepEqual(Object.keys(rest.attributes ?? {}), ['department'])
  assert.deepEqual(rest.roles?.rules, [{ id: 'r1', role: 'a' }])
})

for (const transform of ['lower', 'trim', { after: '@' }, { before: '' }, { map: { a: 1, b: true } }, { default: 5 }]) {
  test(`the form shows the step ${JSON.stringify(transform)}, and writes the same`, () => {
    const step = readStep(transform)
    assert.deepEqual(step && transformOf(step), transform)
  })
}

for (const transform of [
  'reverse',
  null,
  5,
  {},
  { lower: 'x' },
  { after: 5 },
  { map: [] },
  { map: { a: {} } },
  { after: 'a', before: 'b' },
]) {
  test(`the form does not show the step ${JSON.stringify(transform)}`, () => {
    assert.equal(readStep(transform), undefined)
  })
}

test('every kind of step can be begun', () => {
  for (const kind of stepKinds) assert.deepEqual(readStep(transformOf(newStep(kind))), newStep(kind))
})

for (const [text, before, after] of [
  ['12', 5, 12],
  ['-3', 5, -3],
  ['12x', 5, '12x'],
  ['12', 'a', '12'],
  ['false', true, false],
  ['no', true, 'no'],
] as const) {
  test(`${text} in place of ${JSON.stringify(before)} becomes ${JSON.stringify(after)}`, () => {
    assert.equal(mappedValueOf(text, before), after)
  })
}

test('paths are found by any part, first those that begin with it', () => {
  const paths = ['nickTitle', 'title', 'urn:x:User:titleOfOffice', 'locale'].map((path) => ({ path }))
  assert.deepEqual(
    pathsFor('TIT', paths).map(({ path }) => path),
    ['title', 'urn:x:User:titleOfOffice', 'nickTitle'],
  )
  assert.deepEqual(
    pathsFor('title', paths).map(({ path }) => path),
    ['urn:x:User:titleOfOffice', 'nickTitle'],
  )
})

for (const [filter, word, after] of [
  ['dep|', 'dep', 'PATH '],
  ['title eq "x" and us|', 'us', 'title eq "x" and PATH '],
  ['(na| eq "x")', 'na', '(PATH eq "x")'],
  ['title eq "x" |', '', 'title eq "x" PATH '],
] as const) {
  test(`a path is put in place of the word before the caret in ${filter}`, () => {
    const caret = filter.indexOf('|')
    const text = filter.replace('|', '')
    assert.equal(wordBefore(text, caret), word)
    assert.equal(withPath(text, caret, 'PATH'), after)
  })
}
