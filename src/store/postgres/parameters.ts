/** Parameters that hold a column each, numbered from `first`, to be unnested together. */
export function arrayParameters(first: number, types: readonly ('text' | 'int8' | 'int4')[]): string {
  return types.map((type, index) => `$${first + index}::${type}[]`).join(', ')
}

/** Replaces each `?` of a condition by a numbered parameter, from `first` on. */
export function numberParameters(sql: string, first: number): string {
  let next = first
  return sql.replace(/\?/g, () => `$${next++}`)
}

/** Text as PostgreSQL can hold it: without the NUL character. */
export function withoutNul(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '') : text
}
