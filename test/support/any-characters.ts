import fc from 'fast-check'

const maxCodePoint = 0x10ffff

/** Any character, half a surrogate pair excluded; letters of ASCII and of the common scripts more often than others. */
const anyCharacter = fc.oneof(fc.nat(0x7f), fc.nat(0xd7ff), fc.integer({ min: 0xe000, max: maxCodePoint })).map(
  (code) => String.fromCodePoint(code),
  // with this, fast-check adds names such as `__proto__`
  (character) => (typeof character === 'string' ? (character.codePointAt(0) ?? 0) : 0),
)

/**
 * Any text, names that JavaScript objects inherit included. The binary strings of fast-check contain the same, but it takes
 * a second to prepare them.
 *
 * @param length the number of characters
 */
export function anyCharacters(length: fc.StringSharedConstraints = {}): fc.Arbitrary<string> {
  return fc.string({ ...length, unit: anyCharacter })
}
