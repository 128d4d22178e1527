import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createJsonParts } from '../../../src/http/json-parts.ts'
import { createJsonScan } from '../../../src/http/json-scan.ts'

const limits = { depth: 1000, values: 100_000, shapes: 100_000, stringLength: 100_000 }

/** Parses a text in parts of at least `length` bytes, scanned in steps of `step` bytes. Undefined for a text that is not JSON. */
function parseInParts(text: string, length: number, step: number): { value: unknown } | undefined {
  try {
    const json = Buffer.from(text)
    const parts = createJsonParts(json, length, () => {})
    const scan = createJsonScan(json, limits, parts)
    while (scan.advance(step) === undefined);
    return { value: parts.value() }
  } catch (error) {
    assert.ok(error instanceof SyntaxError, String(error))
    return undefined
  }
}

function parseWhole(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

const lengths = fc.integer({ min: 0, max: 12 })
const steps = fc.integer({ min: 1, max: 9 })

/**
 * Names that repeat, that are numbers, and the one that is special to objects. None has a backslash: `JSON.parse` of V8 13 takes
 * the name `"` for such a name that it has met before.
 */
const names = fc
  .oneof(fc.constantFrom('a', 'b', '', '1', '0', '__proto__', 'a"b'), fc.string({ maxLength: 3 }))
  .map((name) => name.replaceAll('\\', '/'))

const { value: values } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, 0, -1.5e3, '', ',', '[', '{"a":1}', '"', '\u2028'),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.array(fc.tuple(names, tie('value')), { maxLength: 5 }).map((entries) => Object.fromEntries(entries)),
  ),
}))

/** Valid texts, also with white space and with the same name twice. */
const texts = fc
  .tuple(values, fc.constantFrom(undefined, 1, '\t'), fc.constantFrom('a', '1'), names)
  .map(([value, space, from, to]) =>
    JSON.stringify(value, null, space).replaceAll(`"${from}":`, `${JSON.stringify(to)} :`),
  )

test('a text parsed in parts has the same value as parsed at once, with its members in the same order', () => {
  fc.assert(
    fc.property(texts, lengths, steps, (text, length, step) => {
      const [parts, whole] = [parseInParts(text, length, step), parseWhole(text)]
      assert.deepEqual(parts, whole)
      assert.equal(JSON.stringify(parts?.value), JSON.stringify(whole?.value))
    }),
    { numRuns: 2000 },
  )
})

test('a text made of random pieces of JSON is parsed or rejected in parts as it is at once', () => {
  const pieces = fc.constantFrom(
    '[',
    ']',
    '{',
    '}',
    ',',
    ':',
    '"a"',
    '"a":',
    '"',
    '1',
    'null',
    ' ',
    '\u00a0',
    '\\',
    '[1,2]',
    '{"b":3}',
  )
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 16 }), lengths, steps, (found, length, step) => {
      const text = found.join('')
      assert.deepEqual(parseInParts(text, length, step), parseWhole(text))
    }),
    { numRuns: 5000 },
  )
})

test('a text with a character removed, inserted or replaced is parsed or rejected in parts as it is at once', () => {
  const inserted = fc.constantFrom('', ',', ']', '}', '[', '"', ' ')
  const replacements = fc.tuple(fc.nat(), fc.constantFrom(0, 1), inserted)
  fc.assert(
    fc.property(texts, replacements, lengths, steps, (text, [at, removed, insertion], length, step) => {
      // Often the last character, which closes everything.
      const index = Math.max(0, text.length - 1 - (at % (2 * text.length)))
      const changed = text.slice(0, index) + insertion + text.slice(index + removed)
      assert.deepEqual(parseInParts(changed, length, step), parseWhole(changed))
    }),
    { numRuns: 5000 },
  )
})

test('the name __proto__ is an attribute of its own wherever a part ends', () => {
  const text = '{"__proto__":{"a":1,"b":2},"__proto__":[1,2],"c":{"__proto__":3,"d":4}}'
  for (let length = 0; length < text.length; length += 1) {
    const parsed = parseInParts(text, length, 5)
    assert.equal(JSON.stringify(parsed?.value), '{"__proto__":[1,2],"c":{"__proto__":3,"d":4}}')
  }
})
