import type { JsonObject } from '../../src/scim/json.ts'

/** A response before it is sent. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const notKept = { 'cache-control': 'no-cache, no-store, max-age=0, must-revalidate' }

/** A JSON response with Google's headers. */
export function jsonReply(status: number, body: JsonObject, headers: Readonly<Record<string, string>> = {}): Reply {
  const contentType = { 'content-type': 'application/json; charset=UTF-8' }
  return { status, headers: { ...contentType, ...notKept, ...headers }, body: JSON.stringify(body) }
}

/** An HTML page, as proxies and Google's consent pages return for errors. */
export function htmlReply(status: number, text: string): Reply {
  const body = `<!DOCTYPE html><html><head><title>${text}</title></head><body><p>${text}</p></body></html>\n`
  return { status, headers: { 'content-type': 'text/html; charset=UTF-8', ...notKept }, body }
}

export function redirectReply(location: string): Reply {
  return { status: 302, headers: { location, ...notKept }, body: '' }
}
