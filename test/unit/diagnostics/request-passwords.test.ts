import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { maxBodyLength, withoutPasswords } from '../../../src/diagnostics/requests/passwords.ts'
import { recordedPath } from '../../../src/diagnostics/requests/path.ts'

const secret = 's3cr3t-of-maya'
const user = 'urn:ietf:params:scim:schemas:core:2.0:User'
const patch = (...Operations: readonly unknown[]) => ({ Operations })

const bodies: readonly { readonly what: string; readonly body: unknown; readonly kept?: unknown }[] = [
  { what: 'a user', body: { userName: 'maya', password: secret }, kept: { userName: 'maya' } },
  { what: 'another letter case', body: { PassWord: secret, PASSWD: secret, userPassword: secret }, kept: {} },
  { what: 'letters of another width', body: { ｐａｓｓｗｏｒｄ: secret }, kept: {} },
  { what: 'spaces around the name', body: { ' password ': secret }, kept: {} },
  { what: 'an object instead of a text', body: { password: { value: secret } }, kept: {} },
  { what: 'a name with its URN', body: { [`${user}:password`]: secret }, kept: {} },
  { what: 'the schema as an object', body: { [user]: { password: secret } }, kept: { [user]: {} } },
  { what: 'a list', body: [{ logins: [[{ password: secret }]] }], kept: [{ logins: [[{}]] }] },
  {
    what: 'the path of a PATCH',
    body: patch({ op: 'replace', path: 'password', value: secret }),
    kept: patch({ op: 'replace', path: 'password' }),
  },
  {
    what: 'a path of another letter case beside a list of values',
    body: patch({ OP: 'add', PATH: 'PassWord', VALUE: [{ value: secret }] }),
    kept: patch({ OP: 'add', PATH: 'PassWord' }),
  },
  {
    what: 'a path with a URN',
    body: patch({ op: 'add', path: `${user}:password`, value: secret }),
    kept: patch({ op: 'add', path: `${user}:password` }),
  },
  { what: 'a path with dots', body: patch({ op: 'add', path: 'login.password.value', value: secret }) },
  { what: 'a path with a filter', body: patch({ op: 'remove', path: `emails[password eq "${secret}"]` }) },
  { what: 'a path in a list', body: patch({ op: 'add', path: ['password'], value: secret }) },
  { what: 'a path with escapes', body: patch({ op: 'add', path: 'pass%77ord', value: secret }) },
  { what: 'a path of another width', body: patch({ op: 'add', path: 'ｐａｓｓｗｏｒｄ', value: secret }) },
  {
    what: 'no path',
    body: patch({ op: 'replace', value: { password: secret, title: 'CEO' } }),
    kept: patch({ op: 'replace' }),
  },
  {
    what: 'a misspelt value',
    body: patch({ op: 'replace', path: 'password', values: secret }),
    kept: patch({ op: 'replace', path: 'password' }),
  },
  {
    what: 'values in a list',
    body: patch({ op: 'replace', path: 'password', list: [secret], schemas: [user] }),
    kept: patch({ op: 'replace', path: 'password', schemas: [user] }),
  },
  { what: 'other names', body: patch({ operation: 'replace', attribute: 'password', val: secret }), kept: patch({}) },
  { what: 'a name and a text', body: patch({ name: 'password', text: secret }), kept: patch({}) },
  {
    what: 'an operation of any other names',
    body: patch({ target: 'new password', to: secret }, { target: ['password'], to: [secret] }),
    kept: patch({}, {}),
  },
  {
    what: 'one operation in place of a list',
    body: { Operations: { do: 'set password', to: secret } },
    kept: { Operations: {} },
  },
  { what: 'an operation that is a list', body: patch(['replace', ['password'], secret]), kept: patch([]) },
  { what: 'a list that names it beside an object', body: ['password', { is: secret }], kept: [] },
  { what: 'an object that names it by any key', body: { attributeName: `${user}:password`, is: secret }, kept: {} },
  { what: 'an object with a list that names it', body: { attributes: ['password'], values: [secret] }, kept: {} },
  { what: 'an invisible character in the path', body: patch({ op: 'add', path: 'pass\u200bword', value: secret }) },
  { what: 'a soft hyphen in a name', body: { 'pass\u00adword': secret }, kept: {} },
  { what: 'a control character in a name', body: { 'pass\u0000word': secret }, kept: {} },
  { what: 'an escaped invisible character', body: patch({ op: 'add', path: 'pass%E2%80%8Bword', value: secret }) },
  { what: 'an escaped escape', body: patch({ op: 'add', path: 'pass%2577ord', value: secret }) },
  {
    what: 'a path in a list with the value',
    body: patch({ op: 'add', path: ['password', secret] }),
    kept: patch({ op: 'add' }),
  },
  { what: 'the path beside a method', body: patch({ op: 'add', method: 'x', path: 'password', value: secret }) },
  { what: 'the path beside a method only', body: patch({ method: 'x', path: 'password', value: secret }) },
  {
    what: 'a value deep in an operation',
    body: patch({ op: 'add', path: 'x', value: [{ a: { b: ['password'] } }, secret] }),
  },
  {
    what: 'the beginning of a text that is mentioned again',
    body: { filter: `pass%77ord eq "${secret}" and password eq "x"` },
  },
  { what: 'no path and a URN', body: patch({ op: 'replace', value: { [`${user}:PASSWORD`]: secret } }) },
  { what: 'no path and a dotted name', body: patch({ op: 'replace', value: { 'login.password': secret } }) },
  {
    what: 'operations in bulk',
    body: patch(
      { method: 'POST', path: '/Users', bulkId: 'b', data: { userName: 'maya', password: secret } },
      { method: 'PATCH', path: '/Users/1', data: patch({ op: 'add', path: 'password', value: secret }) },
      { method: 'PATCH', path: '/Users/1', data: { operations: [{ target: 'new password', to: secret }] } },
      { method: 'PUT', path: `/Users/1?filter=pass%77ord+eq+"${secret}"`, data: { [user]: { password: secret } } },
    ),
  },
  { what: 'JSON in a text', body: { data: `{"password": "${secret}"}` } },
  { what: 'JSON in JSON in a text', body: { data: JSON.stringify(`{"password": "${secret}"}`) } },
  { what: 'JSON with escapes in a text', body: { data: `{"\\u0070assword": "${secret}"}` } },
  { what: 'the filter of a search', body: { filter: `userName eq "maya" and password eq "${secret}"` } },
  { what: 'a filter of another width', body: { filter: `ｐａｓｓｗｏｒｄ eq "${secret}"` } },
  { what: 'text instead of an object', body: `password=${secret}` },
]

for (const { what, body, kept } of bodies) {
  test(`passwords are removed from a body: ${what}`, () => {
    const { text, hadPasswords } = withoutPasswords(body)
    assert.equal(text?.includes(secret), false, text)
    assert.equal(hadPasswords, true)
    if (kept !== undefined) assert.deepEqual(JSON.parse(text ?? ''), kept)
  })
}

test('a body without passwords is kept as it is, up to a length', () => {
  const json = fc.jsonValue().filter((value) => !/passw|%|\\/i.test(JSON.stringify(value)))
  fc.assert(
    fc.property(json, (body) => {
      const { text, hadPasswords } = withoutPasswords(body)
      assert.deepEqual(JSON.parse(text ?? ''), JSON.parse(JSON.stringify(body)))
      assert.equal(hadPasswords, false)
    }),
  )
  assert.equal(withoutPasswords({ a: 'x'.repeat(maxBodyLength - 20) }).text?.length, maxBodyLength - 12)
  assert.deepEqual(withoutPasswords({ a: 'x'.repeat(maxBodyLength) }), { text: undefined, hadPasswords: true })
})

test('a password is removed wherever it is in a body', () => {
  const secretBody = fc.letrec((tie) => ({
    body: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(
        { password: secret },
        { path: 'password', value: secret },
        { value: { [`${user}:password`]: secret } },
      ),
      fc.array(tie('body'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('value', 'data', 'Operations', user, '__proto__'), tie('body')),
    ),
  })).body
  fc.assert(fc.property(secretBody, (body) => !withoutPasswords(body).text?.includes(secret)))
})

test('an object that mentions a password but names no attribute keeps its other values', () => {
  const body = { userName: 'maya', name: { givenName: 'Maya' }, title: 'Password manager', password: secret }
  const kept = { userName: 'maya', name: { givenName: 'Maya' }, title: 'Password …' }
  assert.deepEqual(JSON.parse(withoutPasswords(body).text ?? ''), kept)
})

// Takes minutes if what is not kept is looked at, or if a text is looked at again from each of its characters.
for (const part of [
  'passwd',
  'password ',
  '%41',
  '%70%61',
  '\\u0070',
  'ｐ',
  '\u200b',
  'p\u200b',
  '\uff01',
  '%',
  '\u0f71\u0f74',
]) {
  test(`bodies and paths of any length are redacted at once: ${JSON.stringify(part)}`, () => {
    const repeated = (length: number) => part.repeat(Math.ceil(length / part.length))
    for (const length of [maxBodyLength - 100, 20_000_000]) {
      const text = repeated(length)
      for (const body of [
        { displayName: text },
        { [text]: 1 },
        { Operations: [{ op: 'add', path: text, value: text }] },
      ])
        withoutPasswords(body)
      recordedPath(`/Users?filter=${text}`)
    }
    let nested: unknown = repeated(maxBodyLength / 2)
    for (let n = 0; n < 60; n += 1) nested = { type: 'a', list: [nested] }
    withoutPasswords(nested)
  })
}

for (const [path, kept] of [
  ['/Users?count=1&startIndex=2', '/Users?count=1&startIndex=2'],
  [`/Users?filter=password+eq+"${secret}"`, '/Users?filter=password%20%E2%80%A6'],
  [`/Users?FILTER=title%20pr%20and%20Pass%77ord%20eq%20%22${secret}%22&count=1`, undefined],
  [`/Users?filter=pass%2577ord%20eq%20%22${secret}%22`, '/Users?filter=%E2%80%A6'],
  [`/Users?filter=${encodeURIComponent(`ｐａｓｓｗｏｒｄ eq "${secret}"`)}`, '/Users?filter=%E2%80%A6'],
  [`/Users?filter=passwd[value%20eq%20%22${secret}%22]`, '/Users?filter=passwd%20%E2%80%A6'],
  [`/Users?filter=password%ZZ${secret}`, '/Users?filter=…'],
  [`/Users?token=${secret}&cursor=${secret}&${secret}`, '/Users?token=…&cursor=…&…'],
] as const) {
  test(`secrets are removed from the path ${path}`, () => {
    const recorded = recordedPath(path)
    assert.equal(recorded.includes(secret), false, recorded)
    if (kept !== undefined) assert.equal(recorded, kept)
  })
}
