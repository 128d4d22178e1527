/** Resolves a JSON pointer (RFC 6901); undefined if there is nothing. */
export function atPointer(value: unknown, pointer: string): unknown {
  const segments = pointer.split('/').slice(1)
  return segments.reduce<unknown>((at, segment) => {
    const name = segment.replaceAll('~1', '/').replaceAll('~0', '~')
    return typeof at === 'object' && at !== null && Object.hasOwn(at, name) ? Reflect.get(at, name) : undefined
  }, value)
}
