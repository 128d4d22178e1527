/** A list that can be waited for. */
export function createGathering<T>() {
  const items: T[] = []
  let changed = Promise.withResolvers<void>()

  function add(item: T): void {
    items.push(item)
    changed.resolve()
    changed = Promise.withResolvers()
  }

  /** Resolves when there are so many. */
  async function until(count: number): Promise<T[]> {
    while (items.length < count) await changed.promise
    return items
  }

  return { items, add, until }
}
