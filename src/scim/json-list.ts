import { listText } from './json-text.ts'

/** JSON text, whole or in pieces. */
export type JsonBody = string | AsyncIterable<string>

/** The items of a list as JSON, in order: all of them, or in parts that are in memory one at a time. */
export type JsonItems = readonly JsonBody[] | AsyncIterable<readonly JsonBody[]>

/**
 * A list in JSON: one text when all items are available as texts, otherwise pieces.
 *
 * @param before the text before the first item
 * @param after the text after the last item
 * @param count the number of items, if known: a first part that has all of them is sent as one text
 */
export async function jsonList(before: string, items: JsonItems, after: string, count?: number): Promise<JsonBody> {
  if ('length' in items && areTexts(items)) return listText(before, items, after)
  const parts = 'length' in items ? inOnePart(items) : items
  const rest = parts[Symbol.asyncIterator]()
  const first = await rest.next()
  const part = first.done === true ? [] : first.value
  return part.length === count && areTexts(part)
    ? listText(before, part, after)
    : listPieces(part, rest, { before, after })
}

/** The items one by one. */
export async function* eachItem(items: JsonItems): AsyncGenerator<JsonBody, void, undefined> {
  if ('length' in items) yield* items
  else for await (const part of items) yield* part
}

/** JSON text as a whole. */
export async function wholeText(body: JsonBody): Promise<string> {
  return typeof body === 'string' ? body : (await Array.fromAsync(body)).join('')
}

/** The items of several lists, one list after the other. */
export function concatItems(lists: readonly JsonItems[]): JsonItems {
  const atHand = lists.filter((items) => 'length' in items)
  return atHand.length === lists.length ? atHand.flat() : partsOf(lists)
}

async function* partsOf(lists: readonly JsonItems[]): AsyncGenerator<readonly JsonBody[], void, undefined> {
  for (const items of lists) {
    if ('length' in items) yield items
    else yield* items
  }
}

function areTexts(items: readonly JsonBody[]): items is readonly string[] {
  return items.every((item) => typeof item === 'string')
}

async function* inOnePart(items: readonly JsonBody[]): AsyncGenerator<readonly JsonBody[], void, undefined> {
  yield items
}

async function* listPieces(
  first: readonly JsonBody[],
  rest: AsyncIterator<readonly JsonBody[]>,
  { before, after }: { readonly before: string; readonly after: string },
): AsyncGenerator<string, void, undefined> {
  let separator = ''
  yield before
  for (let part = first; ; ) {
    for (const item of part) {
      if (typeof item === 'string') yield separator + item
      else {
        yield separator
        yield* item
      }
      separator = ','
    }
    const next = await rest.next()
    if (next.done === true) break
    part = next.value
  }
  yield after
}
