// Linear: a text that begins with a quote and fails contains no other quote.
const listedTags = /(?:W\/)?(?:"([^"]*)"|([^\s,"]+))/gi

/**
 * The entity tag of a resource, as in `ETag` and `meta.version` (RFC 7644 §3.14).
 *
 * @param version the stored version
 * @param computed a fingerprint of the computed part of the response, such as a user's groups; empty for none
 */
export function entityTag(version: number, computed = ''): string {
  return computed === '' ? `W/"${version}"` : `W/"${version}-${computed}"`
}

/**
 * Returns whether an `If-None-Match` header contains the tag, or is `*`. Weak and strong tags compare equal, and quotes are
 * optional.
 */
export function matchesTag(header: string, tag: string): boolean {
  const [current] = opaqueTags(tag)
  return isAny(header) || opaqueTags(header).some((listed) => listed === current)
}

/**
 * Returns whether an `If-Match` header contains the stored version. Weak tags are accepted, as in the RFC's own examples, and
 * the computed part of a tag is ignored, because it does not matter for a change.
 */
export function matchesVersion(header: string, version: number): boolean {
  return isAny(header) || opaqueTags(header).some((listed) => listed.split('-', 1)[0] === String(version))
}

function isAny(header: string): boolean {
  return header.trim() === '*'
}

function opaqueTags(header: string): string[] {
  return [...header.matchAll(listedTags)].map(([, quoted, bare]) => quoted ?? bare ?? '')
}
