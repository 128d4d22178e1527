const listedTags = /(?:W\/)?(?:"([^"]*)"|([^\s,"]+))/gi

/** The entity tag of a resource's state, as in `ETag` and `meta.version` (RFC 7644 §3.14). */
export function entityTag(version: number): string {
  return `W/"${version}"`
}

/**
 * Whether an `If-Match` or `If-None-Match` header names a version: `*` names every one. Weak and strong tags are the
 * same here, as SCIM's own examples send weak ones in `If-Match`; a tag that lacks its quotes is understood.
 */
export function matchesTag(header: string, version: number): boolean {
  if (header.trim() === '*') return true
  const current = String(version)
  return [...header.matchAll(listedTags)].some(([, quoted, bare]) => (quoted ?? bare) === current)
}
