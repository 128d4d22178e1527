import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ScimError } from '../../../src/scim/errors.ts'
import { matches } from '../../../src/scim/filter/evaluate.ts'
import { narrow } from '../../../src/scim/filter/narrow.ts'
import { parseFilter, parseFilterAcrossTypes } from '../../../src/scim/filter/parse.ts'
import type { Json, JsonObject } from '../../../src/scim/json.ts'
import { groupType, userType } from '../../../src/scim/schema/resource-type.ts'
import { anyCharacters } from '../../support/any-characters.ts'
import { cases } from '../../support/extent.ts'

/** A filter in the oracle's form, with its text. */
type Tree =
  | { readonly is: 'compare'; readonly at: Place; readonly operator: string; readonly literal: Json }
  | { readonly is: 'present'; readonly at: Place }
  | { readonly is: 'and' | 'or'; readonly left: Tree; readonly right: Tree }
  | { readonly is: 'not'; readonly inner: Tree }
  | { readonly is: 'within'; readonly at: Place; readonly inner: Tree }

/** An attribute: its spelling in the filter and its location in the resource. */
interface Place {
  readonly name: string
  readonly keys: readonly string[]
  readonly type: 'text' | 'exact' | 'boolean' | 'instant' | 'binary' | 'number'
}

const user = 'urn:ietf:params:scim:schemas:core:2.0:User'
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
const acme = 'urn:acme:2.0:User'

function place(name: string, type: Place['type'] = 'text', keys: readonly string[] = name.split('.')): Place {
  return { name, type, keys }
}

const places: readonly Place[] = [
  place('userName'),
  place(`${user}:title`, 'text', ['title']),
  place('id', 'exact'),
  place('externalId', 'exact'),
  place('active', 'boolean'),
  place('name.givenName'),
  place('emails'),
  place('emails.value'),
  place('emails.type'),
  place('emails.primary', 'boolean'),
  place('x509Certificates.value', 'binary'),
  place('meta.created', 'instant'),
  place('meta.resourceType', 'exact'),
  place('schemas'),
  place('manager', 'exact', [enterprise, 'manager']),
  place(`${enterprise}:manager.value`, 'exact', [enterprise, 'manager', 'value']),
  place(`${enterprise}:department`, 'text', [enterprise, 'department']),
  place(`${acme}:level`, 'number', [acme, 'level']),
]
const listPlace = place('emails')
const elementPlaces: readonly Place[] = [place('value'), place('type'), place('primary', 'boolean')]

const words = ['a', 'A', 'b', 'ab', 'É', 'é', '', 'work', 'say "hi"', '\u{1f600}', user, 'User'] as const
const instants = [
  '2026-11-20T08:00:00Z',
  '2026-11-20T09:00:00+01:00',
  '2026-11-20T08:00:00.001Z',
  '2026-11-20',
] as const

function operatorsFor(type: Place['type']): readonly string[] {
  const order = ['gt', 'ge', 'lt', 'le']
  if (type === 'boolean' || type === 'binary') return ['eq', 'ne']
  if (type === 'number' || type === 'instant') return ['eq', 'ne', ...order]
  return ['eq', 'ne', 'co', 'sw', 'ew', ...order]
}

function literalsFor(type: Place['type']): readonly Json[] {
  if (type === 'boolean') return [true, false]
  if (type === 'number') return [-1, 0, 2, 25]
  return type === 'instant' ? instants : words
}

function compareAt(at: Place): fc.Arbitrary<Tree> {
  const operator = fc.constantFrom(...operatorsFor(at.type))
  const literal = fc.constantFrom(...literalsFor(at.type))
  return fc.tuple(operator, literal).map(([op, value]): Tree => ({ is: 'compare', at, operator: op, literal: value }))
}

function leafAt(at: Place): fc.Arbitrary<Tree> {
  const nullOperator = fc.constantFrom('eq', 'ne')
  return fc.oneof(
    { arbitrary: compareAt(at), weight: 6 },
    { arbitrary: fc.constant<Tree>({ is: 'present', at }), weight: 1 },
    { arbitrary: nullOperator.map((operator): Tree => ({ is: 'compare', at, operator, literal: null })), weight: 1 },
  )
}

function treeOver(leaf: fc.Arbitrary<Tree>): fc.Arbitrary<Tree> {
  return fc.letrec<{ tree: Tree }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      leaf,
      fc
        .tuple(fc.constantFrom('and', 'or'), tie('tree'), tie('tree'))
        .map(([is, left, right]): Tree => ({ is, left, right })),
      tie('tree').map((inner): Tree => ({ is: 'not', inner })),
    ),
  })).tree
}

const within = treeOver(fc.oneof(...elementPlaces.map(leafAt))).map(
  (inner): Tree => ({
    is: 'within',
    at: listPlace,
    inner,
  }),
)
const tree = treeOver(fc.oneof({ arbitrary: within, weight: 3 }, ...places.map(leafAt)))

/** Writes a tree with as few parentheses as precedence allows; a list of numbers determines letter case and blanks. */
function written(of: Tree, dial: readonly number[]): string {
  let turn = 0
  const next = () => dial[turn++ % dial.length] ?? 0
  const inCase = (word: string) => [word, word.toUpperCase(), word.toLowerCase()][next() % 3] ?? word
  const blank = () => ' '.repeat(1 + (next() % 2))
  const literal = (value: Json) => (typeof value === 'boolean' ? inCase(String(value)) : JSON.stringify(value))
  const grouped = (inner: Tree) => `(${write(inner)})`
  const side = (inner: Tree, isTight: boolean) => (isTight || next() % 4 === 0 ? grouped(inner) : write(inner))
  const write = (one: Tree): string => {
    switch (one.is) {
      case 'compare':
        return [inCase(one.at.name), inCase(one.operator), literal(one.literal)].join(blank())
      case 'present':
        return `${inCase(one.at.name)}${blank()}${inCase('pr')}`
      case 'not':
        return `${inCase('not')}${next() % 2 === 0 ? ' ' : ''}${grouped(one.inner)}`
      case 'within':
        return `${inCase(one.at.name)}[${write(one.inner)}]`
      default: {
        const left = side(one.left, one.is === 'and' && one.left.is === 'or')
        const right = side(one.right, one.is === 'and' && one.right.is === 'or')
        return `${left}${blank()}${inCase(one.is)}${blank()}${right}`
      }
    }
  }
  return write(of)
}

/** Evaluates a tree on an object, as a simple implementation of RFC 7644 §3.4.2.2. */
function fulfils(of: Tree, object: JsonObject): boolean {
  switch (of.is) {
    case 'and':
      return fulfils(of.left, object) && fulfils(of.right, object)
    case 'or':
      return fulfils(of.left, object) || fulfils(of.right, object)
    case 'not':
      return !fulfils(of.inner, object)
    case 'present':
      return valuesAt(of.at.keys, object).some(isAssigned)
    case 'within':
      return valuesAt(of.at.keys, object).some((value) => fulfils(of.inner, value as JsonObject))
    case 'compare':
      return compares(of.at, of.operator, of.literal, object)
  }
}

function compares(at: Place, operator: string, literal: Json, object: JsonObject): boolean {
  if (literal === null) return valuesAt(at.keys, object).some(isAssigned) === (operator === 'ne')
  const parts = partsAt(at.keys, object).map((part) => part ?? (at.keys.at(-1) === 'primary' ? false : undefined))
  const compared = (part: Json | undefined, by: string) =>
    holds(comparable(at, part === undefined ? undefined : simple(part)), by, comparable(at, literal))
  if (operator === 'ne') return parts.length === 0 || parts.some((part) => !compared(part, 'eq'))
  return parts.some((part) => compared(part, operator))
}

/** Every value at a place; undefined for each object that lacks the last of the keys. */
function partsAt(keys: readonly string[], from: Json): (Json | undefined)[] {
  if (Array.isArray(from)) return from.flatMap((one) => partsAt(keys, one))
  const [key, ...rest] = keys
  if (key === undefined) return [from]
  const part = (from as JsonObject)[key]
  if (part === undefined) return rest.length === 0 ? [undefined] : []
  return partsAt(rest, part)
}

function valuesAt(keys: readonly string[], from: Json | undefined): Json[] {
  if (Array.isArray(from)) return from.flatMap((one) => valuesAt(keys, one))
  const [key, ...rest] = keys
  if (from === undefined) return []
  return key === undefined ? [from] : valuesAt(rest, (from as JsonObject)[key])
}

/** A complex value is compared by its `value`. */
function simple(value: Json): Json | undefined {
  return typeof value === 'object' ? (value as JsonObject)['value'] : value
}

function isAssigned(value: Json): boolean {
  return value !== '' && (typeof value !== 'object' || Object.values(value ?? {}).some(isAssigned))
}

function comparable({ type }: Place, value: Json | undefined): string | number | undefined {
  if (value === undefined || value === '') return undefined
  if (type === 'instant') return new Date(String(value)).getTime()
  if (type === 'number') return Number(value)
  return type === 'text' ? String(value).toLowerCase() : String(value)
}

function holds(value: string | number | undefined, operator: string, literal: string | number | undefined): boolean {
  if (value === undefined) return false
  const [text, part] = [String(value), String(literal ?? '')]
  const [size, other] = [value, literal ?? '']
  const responses: Record<string, boolean> = {
    eq: size === other,
    co: text.includes(part),
    sw: text.startsWith(part),
    ew: text.endsWith(part),
    gt: size > other,
    ge: size >= other,
    lt: size < other,
    le: size <= other,
  }
  return responses[operator] ?? false
}

const word = fc.constantFrom(...words)
const element = fc.record(
  { value: word, type: word, primary: fc.boolean() },
  { requiredKeys: [], noNullPrototype: true },
)
const resource: fc.Arbitrary<JsonObject> = fc.record(
  {
    schemas: fc.constant([user, enterprise]),
    meta: fc.constantFrom(...instants).map((created) => ({ resourceType: 'User', created })),
    id: word,
    userName: word,
    externalId: word,
    title: word,
    active: fc.boolean(),
    name: fc.record({ givenName: word }),
    emails: fc.array(element, { maxLength: 3 }),
    x509Certificates: fc.array(fc.record({ value: word }), { maxLength: 1 }),
    [enterprise]: fc.record({ department: word, manager: fc.record({ value: word }) }, { requiredKeys: [] }),
    [acme]: fc.record({ level: fc.integer({ min: -2, max: 30 }) }),
  },
  { requiredKeys: ['schemas', 'meta'], noNullPrototype: true },
)
const dial = fc.array(fc.nat(11), { minLength: 1, maxLength: 12 })

test('3,000 random filters match as in a simple reference implementation', () => {
  fc.assert(
    fc.property(tree, dial, resource, (of, turns, object) => {
      const text = written(of, turns)
      const filter = parseFilter(text, userType)
      const expected = fulfils(of, object)
      assert.equal(matches(filter, object), expected, text)
      assert.equal(matches(parseFilterAcrossTypes(text, userType), object), expected, text)
      const narrowed = narrow(filter, userType)
      if (narrowed === 'nothing') assert.equal(expected, false, text)
      else if (narrowed.rest !== undefined && expected) assert.equal(matches(narrowed.rest, object), true, text)
    }),
    { numRuns: cases(3000) },
  )
})

/** The outcome of parsing and evaluating a text as a filter: a result, or an `invalidFilter` error. */
function answersOrRefuses(text: string, object: JsonObject): void {
  for (const parse of [parseFilter, parseFilterAcrossTypes]) {
    for (const resourceType of [userType, groupType]) {
      try {
        const filter = parse(text, resourceType)
        narrow(filter, resourceType)
        assert.equal(typeof matches(filter, object), 'boolean')
      } catch (error) {
        assert.ok(
          error instanceof ScimError && error.status === 400 && error.scimType === 'invalidFilter',
          String(error),
        )
        assert.match(error.message, /at character \d+: /)
      }
    }
  }
}

const splinters = [
  '"',
  '\\',
  '(',
  ')',
  '[',
  ']',
  '.',
  ' ',
  ':',
  '$',
  '-',
  'not',
  ' eq ',
  'null',
  '1e5',
  '\u0000',
  '\ud800',
]
const mutation = fc.tuple(fc.nat(300), fc.nat(3), fc.constantFrom('', ...splinters))

test('2,000 damaged filters are evaluated or rejected', () => {
  fc.assert(
    fc.property(tree, dial, fc.array(mutation, { minLength: 1, maxLength: 3 }), resource, (of, turns, all, object) => {
      const damaged = all.reduce(
        (text, [at, length, splinter]) => {
          const start = at % (text.length + 1)
          return text.slice(0, start) + splinter + text.slice(start + length)
        },
        written(of, turns),
      )
      answersOrRefuses(damaged, object)
    }),
    { numRuns: cases(2000) },
  )
})

const wildWord = fc.constantFrom(
  ...splinters,
  ...places.map(({ name }) => name),
  'and',
  'or',
  'pr',
  'gt',
  'co',
  '"a"',
  'urn:',
)
const wild = fc.oneof(
  anyCharacters({ maxLength: 40 }),
  fc.array(wildWord, { maxLength: 15 }).map((all) => all.join(' ')),
  fc.array(wildWord, { maxLength: 15 }).map((all) => all.join('')),
)

test('2,000 random texts are evaluated or rejected', () => {
  fc.assert(fc.property(wild, resource, answersOrRefuses), { numRuns: cases(2000) })
})
