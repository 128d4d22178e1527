import type { AdminListPart } from './list-part.ts'

type Place = Exclude<AdminListPart['after'], undefined>

/** A place in a list in the order of creation, as a page token holds it. */
export function placeText({ createdAt, id }: Place): readonly [number, string] {
  return [createdAt, id]
}

/** Whether a page token holds such a place. */
export function isPlaceText(value: unknown): value is readonly [number, string] {
  if (!Array.isArray(value) || value.length !== 2) return false
  const [createdAt, id] = value as unknown[]
  return Number.isSafeInteger(createdAt) && typeof id === 'string' && /^[\w-]{1,100}$/.test(id)
}

/** The part of the list behind such a place, or its beginning. */
export function partBehind(place: readonly [number, string] | undefined, limit: number): AdminListPart {
  return place === undefined ? { limit } : { after: { createdAt: place[0], id: place[1] }, limit }
}
