declare const parsed: unique symbol

/**
 * JSON kept as text because it is stored, sent and returned more often than read. The type parameter is what it parses
 * to; the text is never empty.
 */
export type JsonText<T> = string & { readonly [parsed]: T }

/** Writes a value as JSON text. */
export function toJsonText<T>(value: T): JsonText<T> {
  return JSON.stringify(value) as JsonText<T>
}

/** Parses JSON text that this service wrote itself. Text from outside is parsed and checked at the edge. */
export function fromJsonText<T>(text: JsonText<T>): T {
  return JSON.parse(text) as T
}
