/** A map of a bounded size, with text keys. It drops the entries that were set first. */
export interface BoundedMap<V> extends Iterable<[string, V]> {
  get(key: string): V | undefined
  has(key: string): boolean
  /** Adds or replaces an entry, which becomes the newest one. */
  set(key: string, value: V): void
  delete(key: string): void
}

/** Creates a map of at most `maxSize` entries. */
export function createBoundedMap<V>(maxSize: number): BoundedMap<V> {
  const entries = new Map<string, V>()
  return {
    get: (key) => entries.get(key),
    has: (key) => entries.has(key),
    set(key, value) {
      entries.delete(key)
      entries.set(key, value)
      if (entries.size > maxSize) entries.delete(entries.keys().next().value ?? '')
    },
    delete: (key) => void entries.delete(key),
    [Symbol.iterator]: () => entries.entries(),
  }
}
