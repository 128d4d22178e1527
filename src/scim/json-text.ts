declare const parsed: unique symbol

/**
 * JSON that is kept as text because it is stored, sent and returned more often than it is looked into. The type
 * parameter says what it parses to; the text was made by `JSON.stringify` and so is never empty.
 */
export type JsonText<T> = string & { readonly [parsed]: T }

/** Writes a value as JSON text. */
export function toJsonText<T>(value: T): JsonText<T> {
  return JSON.stringify(value) as JsonText<T>
}

/** Reads JSON text that this service wrote itself; text from outside is parsed at the edge. */
export function fromJsonText<T>(text: JsonText<T>): T {
  return JSON.parse(text) as T
}
