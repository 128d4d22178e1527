declare const parsed: unique symbol

/**
 * JSON kept as text, because it is stored, sent and returned more often than read. The type parameter is the parsed
 * type; the text is never empty.
 */
export type JsonText<T> = string & { readonly [parsed]: T }

/** Writes a value as JSON text. */
export function toJsonText<T>(value: T): JsonText<T> {
  return JSON.stringify(value) as JsonText<T>
}

/**
 * Joins items with commas between two texts. `Array.join` would copy a long list once more, as the result is copied
 * when it is sent.
 */
export function listText(before: string, items: readonly string[], after: string): string {
  let text = before
  let separator = ''
  for (const item of items) {
    text += separator + item
    separator = ','
  }
  return text + after
}

/** Parses JSON text that this service wrote itself. Text from outside is parsed and checked at the edge. */
export function fromJsonText<T>(text: JsonText<T>): T {
  return JSON.parse(text) as T
}
