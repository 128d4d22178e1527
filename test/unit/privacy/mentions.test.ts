import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMentions, withoutPerson } from '../../../src/privacy/mentions.ts'

const mentions = createMentions([
  'ann.lee@acme.example',
  'Zoë "Z" Lee',
  'E-4711',
  'z+tag@acme.example',
  'ann',
  'C:\\ann',
])

for (const { what, text } of [
  { what: 'the text itself, in another case', text: 'mail to Ann.Lee@ACME.example, please' },
  { what: 'a URL', text: '/Users?filter=userName%20eq%20%22ann.lee%40acme.example%22' },
  { what: 'a URL with a plus sign of its own', text: '/Users?filter=userName%20eq%20%22z+tag%40acme.example%22' },
  { what: 'a form with both', text: 'q=z%2Btag%40acme.example+and+more' },
  { what: 'a form, with + for spaces', text: 'q=Zo%C3%AB+%22Z%22+Lee' },
  { what: 'JSON', text: '{"displayName":"Zoë \\"Z\\" Lee"}' },
  { what: 'JSON with escaped letters', text: '{"displayName":"Zo\\u00eb \\u0022Z\\u0022 Lee"}' },
  { what: 'JSON in JSON', text: '{"filter":"displayName eq \\"Zoë \\\\\\"Z\\\\\\" Lee\\""}' },
  { what: 'JSON in a URL', text: 'filter=displayName%20eq%20%22Zo%C3%AB%20%5C%22Z%5C%22%20Lee%22' },
  { what: 'another composition of its letters', text: 'Zoe\u0308 "Z" Lee' },
  { what: 'a path', text: '/Users/E-4711/manager' },
  { what: 'the end of a sentence', text: 'The user is E-4711.' },
  { what: 'a backslash', text: '{"home":"c:\\\\ann"}' },
]) {
  test(`a text names the person in ${what}`, () => assert.equal(mentions.isIn(text), true))
}

for (const { what, text } of [
  { what: 'a longer address', text: 'joann.lee@acme.example' },
  { what: 'an address with one more label', text: 'first.ann.lee@acme.example' },
  { what: 'an address of a longer domain', text: 'ann.lee@acme.example.org' },
  { what: 'a longer number', text: 'E-47112' },
  { what: 'a term that is too short', text: 'ann' },
  { what: 'nothing at all', text: '' },
  { what: 'broken encodings', text: '%E0%A4%A and \\u12 and \\' },
]) {
  test(`a text does not name the person in ${what}`, () => assert.equal(mentions.isIn(text), false))
}

test('a reference to the person keeps only the id, and other texts are replaced', () => {
  const manager = { value: 'id-1', displayName: 'Zoë "Z" Lee', $ref: '../Users/E-4711' }
  const value = { manager, note: 'reports to ann.lee@acme.example', floor: '5', list: ['E-4711', 7, null, true] }
  assert.deepEqual(withoutPerson(value, mentions, new Set(['id-1'])), {
    ...{ manager: { value: 'id-1' }, note: '(erased)', floor: '5', list: ['(erased)', 7, null, true] },
  })
})
