import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Compile } from 'typebox/schema'
import type { Schema } from '../../../src/inputs/json-schema.ts'
import { Type } from '../../../src/inputs/json-schema.ts'
import { matches } from '../../../src/inputs/json-schema-check.ts'

const nested = Type.Object(
  { id: Type.Integer({ minimum: 1, maximum: 3 }), note: Type.Optional(Type.Union([Type.String(), Type.Null()])) },
  { additionalProperties: false },
)
const schemas: Readonly<Record<string, Schema>> = {
  text: Type.String(),
  'text of 1 to 2 characters': Type.String({ minLength: 1, maxLength: 2 }),
  'text without control characters': Type.String({ pattern: '^[^\\p{Cc}]*$' }),
  'a whole number': Type.Integer(),
  'a whole number in a range': Type.Integer({ minimum: -1, maximum: 2 }),
  'a boolean': Type.Boolean(),
  null: Type.Null(),
  anything: Type.Unknown(),
  'one text': Type.Literal('a'),
  'one of two': Type.Enum(['a', 'b']),
  'text or null': Type.Union([Type.String({ maxLength: 1 }), Type.Null()]),
  'a list': Type.Array(Type.Enum(['a', 'b']), { minItems: 1, maxItems: 2, uniqueItems: true }),
  'an object': Type.Object({ name: Type.String(), nested: Type.Optional(nested) }),
  'an object without other fields': nested,
  'a schema written as JSON': Type.Unsafe({ type: 'string', enum: ['a', 'b'] }),
}

const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(
      '',
      'a',
      'b',
      '😀',
      '😀😀',
      '😀😀😀',
      '\n',
      'aaa',
      -2,
      -1,
      0,
      1,
      2,
      3,
      4,
      1.5,
      Number.POSITIVE_INFINITY,
      true,
      false,
      null,
    ),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.record(
      { id: tie('value'), note: tie('value'), name: tie('value'), nested: tie('value'), toString: tie('value') },
      { requiredKeys: [] },
    ),
  ),
})).value

for (const [title, schema] of Object.entries(schemas)) {
  test(`checks ${title} as a complete JSON Schema validator does`, () => {
    const validator = Compile(JSON.parse(JSON.stringify(schema)))
    fc.assert(fc.property(value, (one) => assert.equal(matches(schema, one), validator.Check(one))))
  })
}

test('a property that is undefined counts as missing', () => {
  assert.equal(matches(nested, { id: 1, note: undefined, other: undefined }), true)
  assert.equal(matches(nested, { id: undefined }), false)
})

test('a text with half of a surrogate pair matches no schema: it would be stored as another text', () => {
  assert.equal(matches(Type.String(), 'a\ud800'), false)
  assert.equal(matches(Type.String(), 'a\u{1f600}\ufffd'), true)
})
