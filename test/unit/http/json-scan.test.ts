import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { findExceededLimit } from '../../../src/http/json-scan.ts'

const limits = { depth: 3, values: 6, shapes: 4, stringLength: 17 }

for (const { text, exceeded, because } of [
  { text: '[1,2,3,4,5,6]', exceeded: undefined, because: 'six values fit' },
  { text: '[1,2,3,4,5,6,7]', exceeded: 'values', because: 'there are too many elements' },
  { text: '{"a":[],"b":[{}]}', exceeded: undefined, because: 'empty lists and objects count once' },
  { text: '[[],[],[],[]]', exceeded: 'values', because: 'lists are values' },
  { text: '"[[[[,,,,,,,,{{{{"', exceeded: undefined, because: 'brackets and commas in a string do not count' },
  { text: String.raw`"\"[[[[,,,,,,,,"`, exceeded: undefined, because: 'an escaped quote does not end a string' },
  {
    text: String.raw`["\\",1,2,3,4,5,6]`,
    exceeded: 'values',
    because: 'an escaped backslash does not escape the quote',
  },
  { text: '["a","b","c"]', exceeded: undefined, because: 'three short strings fit' },
  { text: '["a","b","c",1]', exceeded: 'values', because: 'a short string counts twice' },
  { text: '{"ab":0,"cd":0,"ef":0,"gh":0}', exceeded: undefined, because: 'names do not count twice' },
  { text: '["12345678901",2,3,4,5,6]', exceeded: undefined, because: 'a longer string counts once' },
  { text: '["éééééééé!"]', exceeded: undefined, because: 'a string of 17 bytes fits' },
  { text: '["ééééééééé"]', exceeded: 'stringLength', because: 'a string has 18 bytes' },
  { text: String.raw`["\u0041\u0041\u0041"]`, exceeded: 'stringLength', because: 'an escape sequence has six bytes' },
  { text: '{"a name of 18 chars":1}', exceeded: 'stringLength', because: 'names are strings' },
  { text: '[[[]]]', exceeded: undefined, because: 'three levels fit' },
  { text: '[[[[', exceeded: 'depth', because: 'there are four levels, closed or not' },
  { text: '[[],[[]]]', exceeded: undefined, because: 'a closed list no longer counts' },
  { text: '{"a":1,"b":2,"c":3,"d":4}', exceeded: undefined, because: 'four names fit' },
  { text: '{"a":1,"b":2,"c":3,"d":4,"e":5}', exceeded: 'shapes', because: 'there are five names' },
  { text: '[{"a":1},{"a":2},{"a":3}]', exceeded: undefined, because: 'equal objects have one shape' },
  { text: '[{"a":1,"b":1},{"b":1,"a":1}]', exceeded: undefined, because: 'two orders of two names are four shapes' },
  {
    text: '{"a":{"a":{"b":1},"c":1},"d":1 }',
    exceeded: undefined,
    because: 'an inner object may begin like its outer one',
  },
  { text: '{"a":{"a":{"b":1},"c":1},"d":{"e":1} }', exceeded: 'shapes', because: 'the names of all objects count' },
  { text: '{"a"  \n:1,"b":"c","d":"e"}', exceeded: undefined, because: 'only names count, not strings' },
  { text: '"open', exceeded: undefined, because: 'parsing rejects an open string' },
  { text: ']]]]{{{', exceeded: undefined, because: 'parsing rejects what is closed too often' },
] as const) {
  test(`${text}: ${because}`, () => assert.equal(findExceededLimit(Buffer.from(text), limits), exceeded))
}

/**
 * The number of values as the limit counts them: an empty array or object is one value, as are its brackets and commas.
 */
function countValues(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(JSON.stringify(value)) <= 12 ? 1 : 0
  if (typeof value !== 'object' || value === null) return 0
  const parts = Object.values(value)
  return 1 + Math.max(0, parts.length - 1) + parts.reduce((sum, part) => sum + countValues(part), 0)
}

test('the limit of values is exact for any JSON', () => {
  const wide = { depth: 99, shapes: 999_999, stringLength: 999_999 }
  fc.assert(
    fc.property(fc.json(), (text) => {
      const value: unknown = JSON.parse(text)
      const compact = Buffer.from(JSON.stringify(value))
      const values = countValues(value)
      const problem = (limit: number) => findExceededLimit(compact, { ...wide, values: limit })
      fc.pre(problem(Number.POSITIVE_INFINITY) === undefined)
      assert.equal(problem(values), undefined)
      if (values > 0) assert.equal(problem(values - 1), 'values')
    }),
  )
})
