/** A list whose growth can be awaited. */
export function createObservedList<T>() {
  const items: T[] = []
  let changed = Promise.withResolvers<void>()

  function add(item: T): void {
    items.push(item)
    changed.resolve()
    changed = Promise.withResolvers()
  }

  /** Resolves when the list has `count` items. */
  async function until(count: number): Promise<T[]> {
    while (items.length < count) await changed.promise
    return items
  }

  return { items, add, until }
}
