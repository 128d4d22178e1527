import { newId } from './new-id.ts'

const suffixLength = 6
const suffixPattern = /^[0-9a-f]{6}$/

/**
 * The id of a SCIM request: a UUIDv7 that ends like the id of its directory, so that the request log of the directory
 * is found without an index of all requests.
 */
export function newRequestId(directoryId: string): string {
  const suffix = directoryId.slice(-suffixLength)
  const id = newId()
  return suffixPattern.test(suffix) ? `${id.slice(0, -suffixLength)}${suffix}` : id
}

const requestId = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{6}([0-9a-f]{6})(?:\.[0-9]+)?$/

/**
 * The end of the directory's id, from the id of the request or of an operation of a bulk request; undefined for another
 * text.
 */
export function directorySuffixIn(id: string): string | undefined {
  return requestId.exec(id)?.[1]
}
