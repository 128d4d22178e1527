import type { TransformDocument } from './document.ts'
import type { MappedValue } from './mapping.ts'

/**
 * Applies the steps in order. `lower`, `upper`, `trim`, `after` and `before` change texts, and read other values as text; `after` and
 * `before` have no value where the text does not contain theirs. `map` has no value for a value that it does not list. Only
 * `default` applies to a missing value.
 */
export function transformed(
  value: MappedValue | undefined,
  steps: readonly TransformDocument[],
): MappedValue | undefined {
  return steps.reduce(step, value)
}

function step(value: MappedValue | undefined, transform: TransformDocument): MappedValue | undefined {
  if (typeof transform === 'object' && 'default' in transform) return isMissing(value) ? transform.default : value
  if (isMissing(value)) return undefined
  if (typeof transform === 'string') return changeCase(String(value), transform)
  if ('after' in transform) return after(String(value), transform.after)
  if ('before' in transform) return before(String(value), transform.before)
  return Object.hasOwn(transform.map, String(value)) ? transform.map[String(value)] : undefined
}

/** An empty text is no value, as in SCIM. */
function isMissing(value: MappedValue | undefined): value is '' | undefined {
  return value === undefined || value === ''
}

function changeCase(text: string, how: 'lower' | 'upper' | 'trim'): string {
  switch (how) {
    case 'lower':
      return text.toLowerCase()
    case 'upper':
      return text.toUpperCase()
    case 'trim':
      return text.trim()
  }
}

/** Returns the text after the first occurrence. */
function after(text: string, mark: string): string | undefined {
  const at = text.indexOf(mark)
  return at === -1 ? undefined : text.slice(at + mark.length)
}

/** Returns the text before the first occurrence. */
function before(text: string, mark: string): string | undefined {
  const at = text.indexOf(mark)
  return at === -1 ? undefined : text.slice(0, at)
}
