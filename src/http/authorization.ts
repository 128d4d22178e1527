/** The credential of an `Authorization` header of one scheme, in any letter case; undefined for another scheme or none. */
export function credential(header: string | undefined, scheme: 'Bearer' | 'Api-Key'): string | undefined {
  if (header === undefined) return undefined
  const start = header.slice(0, scheme.length + 1)
  return start.toLowerCase() === `${scheme.toLowerCase()} ` ? header.slice(scheme.length + 1).trim() : undefined
}
