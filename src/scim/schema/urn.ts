import { maxUrnLength } from '../limits.ts'

const colon = ':'.charCodeAt(0)

/** Returns whether a name is a URN or starts with one. */
export function isUrn(name: string): boolean {
  return name.charCodeAt(3) === colon && name.slice(0, 3).toLowerCase() === 'urn'
}

/** `urn:<namespace>:<specific>` (RFC 8141 §2), without the optional components that begin with `?` or `#`. */
const syntax =
  /^urn:[a-z0-9][a-z0-9-]{0,30}[a-z0-9]:(?:[a-z0-9._~!$&'()*+,;=:@-]|%[0-9a-f]{2})(?:[a-z0-9._~!$&'()*+,;=:@/-]|%[0-9a-f]{2})*$/i

/** Returns whether a name can be the URN of an extension: valid, and of at most `maxUrnLength` characters. */
export function isExtensionUrn(name: string): boolean {
  return name.length <= maxUrnLength && syntax.test(name)
}
