const listedTags = /(?:W\/)?(?:"([^"]*)"|([^\s,"]+))/gi

/**
 * The entity tag of a resource's state, as in `ETag` and `meta.version` (RFC 7644 §3.14).
 *
 * @param version of what is stored
 * @param computed stands for what an answer shows beside it, such as a user's groups; empty for nothing
 */
export function entityTag(version: number, computed = ''): string {
  return computed === '' ? `W/"${version}"` : `W/"${version}-${computed}"`
}

/**
 * Whether an `If-None-Match` header names a tag: `*` names every one. Weak and strong tags are the same here; a tag that
 * lacks its quotes is understood.
 */
export function matchesTag(header: string, tag: string): boolean {
  const [current] = opaqueTags(tag)
  return isAny(header) || opaqueTags(header).some((listed) => listed === current)
}

/**
 * Whether an `If-Match` header names a version of what is stored. SCIM's own examples send weak tags there, and what is
 * only computed does not stand in the way of a change.
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
