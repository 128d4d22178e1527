import fc from 'fast-check'

const maxCodePoint = 0x10ffff

/**
 * Any character except half a surrogate pair. Letters of ASCII and of the common scripts are more frequent than others.
 */
const anyCharacter = fc.oneof(fc.nat(0x7f), fc.nat(0xd7ff), fc.integer({ min: 0xe000, max: maxCodePoint })).map(
  (code) => String.fromCodePoint(code),
  // with this, fast-check adds names such as `__proto__`
  (character) => (typeof character === 'string' ? (character.codePointAt(0) ?? 0) : 0),
)

/**
 * Any text, including names that JavaScript objects inherit. The binary strings of fast-check contain the same, but
 * take a second to prepare.
 *
 * @param length the number of characters
 */
export function anyCharacters(length: fc.StringSharedConstraints = {}): fc.Arbitrary<string> {
  return fc.string({ ...length, unit: anyCharacter })
}
