/** A place in a list: so many items were before it, whatever has happened to them since. */
export interface PagePlace {
  /** What is listed, and how: a token is good for the same parameters only. */
  readonly list: string
  readonly offset: number
  /** From 1. */
  readonly page: number
  /** When the walk began, in Unix milliseconds. */
  readonly begun: number
  /** Tokens of an earlier generation have been forgotten. */
  readonly generation: number
}

/** A token for a place. It has characters that must be encoded in a query, as Google's has. */
export function writePageToken({ list, offset, page, begun, generation }: PagePlace): string {
  return `~!${Buffer.from(JSON.stringify([list, offset, page, begun, generation])).toString('base64')}==`
}

/** The place of a token; undefined when it is none of ours. */
export function readPageToken(token: string): PagePlace | undefined {
  const parts = parsed(Buffer.from(token.slice(2, -2), 'base64').toString())
  if (!Array.isArray(parts)) return undefined
  const [list, offset, page, begun, generation]: unknown[] = parts
  if (typeof list !== 'string' || typeof offset !== 'number' || typeof page !== 'number') return undefined
  if (typeof begun !== 'number' || typeof generation !== 'number') return undefined
  return { list, offset, page, begun, generation }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Which page of its walk a token asks for: the first without one. */
export function pageNumberOf(token: string | undefined): number {
  return (token === undefined ? undefined : readPageToken(token)?.page) ?? 1
}
