import { createBoundedMap } from './bounded-map.ts'

/** A cache of recently read records, so that requests in quick succession read them once. */
export interface ReadCache<T> {
  /** Returns the cached record, or reads it. Missing records are not cached. */
  find(key: string, read: () => Promise<T | undefined>): Promise<T | undefined>
  /** Drops a record. The result of a read in progress is used, but not cached. */
  forget(key: string): void
  /** Drops every record that meets the condition, in the same way. */
  forgetWhere(isForgotten: (record: T) => boolean): void
}

export interface ReadCacheOptions {
  /** Lifetime of a record in the cache, in milliseconds. */
  readonly keepMs: number
  readonly maxRecords: number
  readonly clock: () => number
}

export function createReadCache<T>({ keepMs, maxRecords, clock }: ReadCacheOptions): ReadCache<T> {
  const kept = createBoundedMap<{ readonly record: T; readonly readAt: number }>(maxRecords)
  let forgotten = 0
  return {
    async find(key, read) {
      const found = kept.get(key)
      if (found !== undefined && clock() - found.readAt < keepMs) return found.record
      const [readAt, before] = [clock(), forgotten]
      const record = await read()
      if (forgotten !== before) return record
      if (record === undefined) kept.delete(key)
      else kept.set(key, { record, readAt })
      return record
    },
    forget(key) {
      forgotten += 1
      kept.delete(key)
    },
    forgetWhere(isForgotten) {
      forgotten += 1
      for (const [key, { record }] of kept) if (isForgotten(record)) kept.delete(key)
    },
  }
}
