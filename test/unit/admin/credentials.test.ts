import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseCredentials } from '../../../src/admin/accounts/credentials.ts'
import { anyCharacters } from '../../support/any-characters.ts'
import { cases } from '../../support/extent.ts'
import { openTestManagement, rootToken } from './support/management.ts'

const token = 't'.repeat(43)
const right = `id=a-1 token=${token} admin_token=root`

for (const { header, is, expected } of [
  { is: 'the root token', header: 'token=root', expected: { kind: 'login', rootToken: 'root' } },
  { is: 'a root token with "="', header: 'token=a=b', expected: { kind: 'login', rootToken: 'a=b' } },
  {
    is: 'the three parts',
    header: right,
    expected: { kind: 'three-part', id: 'a-1', token, rootToken: 'root' },
  },
  { is: 'a JWT', header: 'Bearer a.b.c', expected: { kind: 'bearer', jwt: 'a.b.c' } },
]) {
  test(`parses ${is}`, () => assert.deepEqual(parseCredentials(header), expected))
}

for (const [why, header] of [
  ['nothing', undefined],
  ['an empty text', ''],
  ['an empty root token', 'token='],
  ['a blank in front', ' token=root'],
  ['a blank behind', 'token=root '],
  ['a line break behind', 'token=root\n'],
  ['another name', 'Token=root'],
  ['a scheme in front', 'Bearer token=root'],
  ['a double blank', right.replace(' ', '  ')],
  ['a tab', right.replace(' ', '\t')],
  ['a no-break space', right.replace(' ', '\u00a0')],
  ['a comma', right.replace(' ', ',')],
  ['another order', `token=${token} id=a-1 admin_token=root`],
  ['a part twice', `id=a-1 id=a-2 token=${token} admin_token=root`],
  ['the last part twice', `${right} admin_token=root`],
  ['a part missing', `id=a-1 token=${token}`],
  ['an empty part', `id= token=${token} admin_token=root`],
  ['a token that is too short', right.replace(token, token.slice(1))],
  ['a token that is too long', right.replace(token, `${token}t`)],
  ['letters that only look alike', right.replace('id', 'і\u0064')],
  ['a null character', `token=ro\0ot`],
  ['a JWT of two parts', 'Bearer a.b'],
  ['a JWT without a signature', 'Bearer a.b.'],
  ['a JWT of five parts', 'Bearer a.b.c.d.e'],
  ['two blanks before a JWT', 'Bearer  a.b.c'],
  ['an API key', 'Api-Key rck_a'],
  ['Basic', 'Basic YTpi'],
  ['more than 8 KB', `token=${'a'.repeat(8192)}`],
] as const) {
  test(`a header with ${why} has no credentials`, () => assert.equal(parseCredentials(header), undefined))
}

/** Random texts and combinations of the parts of real headers. */
const pieces = fc.constantFrom(
  ...['id=', 'token=', 'admin_token=', 'Bearer ', ' ', '  ', '\t', '.', '=', rootToken, token, 'eyJhbGciOiJub25lIn0'],
)
const random = fc.oneof(
  anyCharacters({ maxLength: 200 }),
  fc.array(fc.oneof(pieces, fc.string({ maxLength: 10 })), { maxLength: 12 }).map((parts) => parts.join('')),
)

test('3,000 random headers are all rejected without an error', async () => {
  const unlimited = { count: 100_000, perMs: 1000 }
  await using test = await openTestManagement({ failureLimit: { total: unlimited, perAddress: unlimited } })
  const property = fc.asyncProperty(random, async (header) => {
    assert.equal(await test.admins.authenticate(header), undefined)
  })
  await fc.assert(property, { numRuns: cases(3000) })
})
