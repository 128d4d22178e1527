import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMentions, withoutPerson } from '../../../src/privacy/mentions.ts'

const mentions = createMentions([
  'ann.lee@acme.example',
  'Zoë "Z" Lee',
  'E-4711',
  'z+tag@acme.example',
  'bob',
  '李小明',
  '-',
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
  { what: 'a word of three letters', text: 'deleted by Bob, twice' },
  { what: 'three letters in a sentence without spaces', text: '用户bob登录' },
  { what: 'a Chinese sentence', text: '负责人李小明。' },
  { what: 'a Chinese sentence without any spaces', text: '请联系李小明或张伟' },
  { what: 'a Chinese name with a joiner', text: '李小明-离职' },
  {
    what: 'Chinese in a URL that is encoded twice',
    text: '/Users?filter=%25E6%259D%258E%25E5%25B0%258F%25E6%2598%258E',
  },
  { what: 'a backslash', text: '{"home":"c:\\\\ann"}' },
]) {
  test(`a text names the person in ${what}`, () => assert.equal(mentions.isIn(text), true))
}

for (const { what, text } of [
  { what: 'a longer address', text: 'joann.lee@acme.example' },
  { what: 'an address with one more label', text: 'first.ann.lee@acme.example' },
  { what: 'an address of a longer domain', text: 'ann.lee@acme.example.org' },
  { what: 'a longer number', text: 'E-47112' },
  { what: 'a longer word', text: 'bobcat, kabob, bob2 and Bob\u0301' },
  { what: 'an address or a number that begins like a short name', text: 'bob@acme.example bob-47 the.bob' },
  { what: 'a longer Chinese word', text: '李小明明' },
  { what: 'a placeholder', text: 'a - b' },
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

for (const { what, text, isFound } of [
  { what: 'a value', text: '{"note":["by Bob"]}', isFound: true },
  { what: 'the name of an attribute', text: '{"bob":"no"}', isFound: false },
  { what: 'a name that no attribute has', text: '{"李小明":1,"x":{"ann.lee@acme.example":true}}', isFound: true },
  { what: 'a number', text: '{"id":4711}', isFound: true },
  { what: 'a small number', text: '{"version":42,"status":-42}', isFound: false },
  { what: 'a quoted short name', text: '{"note":"42"}', isFound: true },
  { what: 'a text that is no JSON', text: '{"note":"by Bob', isFound: true },
]) {
  test(`JSON ${isFound ? 'names' : 'does not name'} the person in ${what}`, () => {
    assert.equal(createMentions(['bob', '李小明', 'ann.lee@acme.example', '4711', '42']).isInJson(text), isFound)
  })
}

test('a name of one character is found as a whole value, but not in longer names', () => {
  const one = createMentions(['李'])
  assert.deepEqual(
    ['李', '姓：李。', '李小明', '经理李负责'].map((text) => one.isIn(text)),
    [true, true, false, false],
  )
})

test('words in a language without spaces are looked up a limited number of times in a text', () => {
  const some = createMentions(['李小明'])
  assert.equal(some.isIn('李小明明'.repeat(400)), false)
  assert.equal(some.isIn('李小明明'.repeat(100_000)), true)
})
