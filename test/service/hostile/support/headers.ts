import fc from 'fast-check'
import { anyCharacters } from '../../../support/any-characters.ts'

/** The valid headers of a service, by name. */
export interface RightHeaders {
  readonly apiKey: string
  readonly managedKey: string
  readonly scim: string
  readonly threePart: string
  readonly bearer: string
  readonly login: string
}

const schemes = [
  ...[
    'Api-Key ',
    'api-key ',
    'ApiKey ',
    'Bearer ',
    'bearer ',
    'Basic ',
    'Digest ',
    'Negotiate ',
    'Token ',
    'Api-Key\t',
  ],
  ...['Bearer\t', 'Bearer', 'token=', 'id=', 'admin_token=', 'Bearer token=', 'AWS4-HMAC-SHA256 ', ' ', ''],
]
/** Letters that look like others. */
const lookAlikes: Readonly<Record<string, string>> = {
  ...{ a: 'а', e: 'е', o: 'о', p: 'р', c: 'с', i: 'і', k: '\u212a', '-': '‐', '=': '＝', ' ': '\u00a0', _: '＿' },
  ...{ A: 'Α', B: 'Β', '.': '․', '0': '０', '1': '１', t: 'ｔ' },
}

/** A text as HTTP can send it: its UTF-8 bytes as characters, without control characters. */
export function asHeader(text: string): string {
  const bytes = Buffer.from(text, 'utf8').toString('latin1')
  return bytes.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '?').replaceAll(/^[ \t]+|[ \t]+$/g, '')
}

/** The secrets in valid headers. */
function secretsOf(right: RightHeaders): string[] {
  return Object.values<string>({ ...right }).flatMap((header) =>
    header.split(/[ =]/).filter((part) => part.length > 20),
  )
}

/** Characters to insert. */
const anyCharacter = fc.oneof(
  fc.constantFrom(...' \t=.,;:"\'-_/\\%&?#aA0éß€'),
  fc.string({ minLength: 1, maxLength: 1 }),
)

function changed(header: string): fc.Arbitrary<string> {
  const place = fc.nat(Math.max(0, header.length - 1))
  const cut = (from: number, to: number, between = '') => header.slice(0, from) + between + header.slice(to)
  return fc.oneof(
    fc.tuple(place, anyCharacter).map(([at, character]) => cut(at, at + 1, character)),
    fc.tuple(place, anyCharacter).map(([at, character]) => cut(at, at, character)),
    place.map((at) => cut(at, at + 1)),
    place.map((at) => header.slice(0, at)),
    place.map((at) => header.slice(at)),
    fc.tuple(place, place).map(([a, b]) => cut(a, a, header.slice(Math.min(a, b), Math.max(a, b)))),
    fc.tuple(place, place).map(([a, b]) => cut(Math.min(a, b), Math.max(a, b))),
    fc.constantFrom(' ', ', ', ',', ';', '').map((between) => header + between + header),
    fc.constantFrom('  ', '\t', ' \t ', '+', '%20', ',').map((blank) => header.replaceAll(' ', blank)),
    fc.constantFrom('  ', '\t', '\t ', '\u00a0').map((blank) => header.replace(/ (?=[^ ]*$)/, blank)),
    fc.constantFrom(...Object.entries(lookAlikes)).map(([letter, other]) => header.replace(letter, other)),
    fc.constantFrom(...Object.entries(lookAlikes)).map(([letter, other]) => header.replaceAll(letter, other)),
    fc.constantFrom(
      ...[header.toUpperCase(), header.toLowerCase(), [...header].reverse().join(''), `"${header}"`, `${header}\u200b`],
      ...[header.split(' ').toReversed().join(' '), encodeURIComponent(header), Buffer.from(header).toString('base64')],
      ...[`${header}=`, `${header}.`, `${header}\u00a0`, `\ufeff${header}`, header.replace(/[ =]/, ':')],
    ),
    fc.tuple(fc.integer({ min: 100, max: 14_000 }), fc.boolean()).map(([length, isBehind]) => {
      const padding = 'x'.repeat(length)
      return isBehind ? header + padding : padding + header
    }),
  )
}

/** Random headers and headers that are almost valid. */
export function anyWrongHeader(right: RightHeaders): fc.Arbitrary<string> {
  const nearly = fc.constantFrom(...Object.values<string>({ ...right })).chain(changed)
  const elsewhere = fc
    .tuple(fc.constantFrom(...schemes), fc.constantFrom(...secretsOf(right)), fc.constantFrom('', ' ', ':', '=', ' x'))
    .map(([scheme, secret, rest]) => scheme + secret + rest)
  const anything = fc
    .tuple(fc.constantFrom(...schemes), anyCharacters({ maxLength: 200 }))
    .map(([scheme, rest]) => scheme + rest)
  return fc
    .oneof({ weight: 6, arbitrary: nearly }, { weight: 2, arbitrary: elsewhere }, { weight: 2, arbitrary: anything })
    .map(asHeader)
}

/** A second implementation of the documented rules, which knows the secrets. */
export function isRight(header: string, right: RightHeaders, door: 'admin' | 'api' | 'scim'): boolean {
  const secretOf = (one: string) => one.slice(one.indexOf(' ') + 1)
  const named = header.slice(0, Math.max(0, header.indexOf(' '))).toLowerCase()
  const secret = secretOf(header).replace(/^ +/, '')
  const isJwt = named === 'bearer' && sameJwt(secretOf(header), secretOf(right.bearer))
  const isAdmin = header === right.threePart || isJwt
  if (door === 'admin') return isAdmin
  if (door === 'scim') return named === 'bearer' && secret === secretOf(right.scim)
  return isAdmin || (named === 'api-key' && [right.apiKey, right.managedKey].map(secretOf).includes(secret))
}

/** The last character of a signature has two unused bits. */
function sameJwt(a: string, b: string): boolean {
  const [ours, theirs] = [a, b].map((jwt) => ({
    signed: jwt.slice(0, jwt.lastIndexOf('.')),
    signature: Buffer.from(jwt.slice(jwt.lastIndexOf('.') + 1), 'base64url').toString('hex'),
  }))
  return ours?.signed === theirs?.signed && ours?.signature === theirs?.signature && a.length === b.length
}
