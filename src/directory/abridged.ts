import type { TimeSlices } from '../concurrency/time-slices.ts'
import type { JsonObject } from '../scim/json.ts'
import type { JsonText } from '../scim/json-text.ts'

/**
 * The longest `raw` that a list contains, in bytes of UTF-8. Lists have up to a thousand resources, and each could be
 * thirty times as long: larger ones are read by themselves when they are needed.
 */
export const maxListedRawBytes = 8192

/** A resource in a list: `raw` is undefined when it is longer than `maxListedRawBytes`. */
export type Abridged<T extends { readonly raw: JsonText<JsonObject> }> = Omit<T, 'raw'> & {
  readonly raw: JsonText<JsonObject> | undefined
}

/** Returns whether the resource is complete in the list. */
export function isComplete<T extends { readonly raw: JsonText<JsonObject> | undefined }>(item: T): item is Complete<T> {
  return item.raw !== undefined
}

/** A resource as a list contains it. */
export function abridge<T extends { readonly raw: JsonText<JsonObject> }>(item: T): Abridged<T> {
  // A character has one to three bytes.
  const isSmall = item.raw.length <= maxListedRawBytes && Buffer.byteLength(item.raw) <= maxListedRawBytes
  return isSmall ? item : { ...item, raw: undefined }
}

/** A resource with its complete `raw`. */
export type Complete<T> = T & { readonly raw: JsonText<JsonObject> }

/**
 * The length of the resources that are parsed in one slice of the process's time, in characters: it takes about a
 * millisecond.
 */
const maxPartLength = 100_000

/** Returns whether the resources are short enough in total to be parsed in one go. */
export function isOnePart(items: readonly { readonly raw: JsonText<JsonObject> }[]): boolean {
  return items.reduce((length, { raw }) => length + raw.length, 0) <= maxPartLength
}

/**
 * The items of a list with their complete `raw`, in parts that are short enough to be parsed in one time slice each.
 * Items that the list abridged are read one by one; those that were deleted meanwhile are left out.
 */
export async function* completeInParts<
  T extends { readonly id: string; readonly raw: JsonText<JsonObject> | undefined },
>(
  items: readonly T[],
  read: (id: string) => Promise<{ readonly raw: JsonText<JsonObject> } | undefined>,
  slices: TimeSlices,
): AsyncGenerator<Complete<T>[], void, undefined> {
  let part: Complete<T>[] = []
  let length = 0
  for (const item of items) {
    if (isComplete(item)) {
      part.push(item)
      length += item.raw.length
      if (length <= maxPartLength) continue
    }
    if (part.length > 0) yield part
    part = []
    length = 0
    await slices.next()
    if (isComplete(item)) continue
    const found = await read(item.id)
    if (found !== undefined) yield [{ ...item, ...found }]
  }
  if (part.length > 0) yield part
}
