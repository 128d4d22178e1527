/** The problem with a field of an input, and its solution. */
export interface FieldProblem {
  readonly field: string
  readonly message: string
}

/** The maximum number of reported fields: an input may have thousands of unknown ones. */
const maxReported = 5
const maxShownLength = 60

/** The unknown fields of an input, each with the known name that was probably meant. */
export function unknownFields(known: readonly string[], input: object): FieldProblem[] {
  const names = Object.entries(input).flatMap(([name, value]) =>
    value === undefined || known.includes(name) ? [] : [name],
  )
  return names.slice(0, maxReported).map((name) => ({ field: shown(name), message: unknownFieldMessage(name, known) }))
}

function unknownFieldMessage(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known)
  if (nearest !== undefined) return `${shown(name)}: unknown; did you mean ${nearest}?`
  const instead = known.length === 0 ? '' : `, or send one of ${known.join(', ')}`
  return `${shown(name)}: unknown; remove it${instead}.`
}

function shown(name: string): string {
  return name.length <= maxShownLength ? name : `${name.slice(0, maxShownLength)}…`
}

/**
 * The known name that was probably meant: the same words in another notation (`webhookUrl`, `webhook_url`), the same
 * characters in another order, or a few mistyped ones. Undefined when no name is similar.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > maxShownLength) return undefined
  const written = lettersOf(name)
  const byDistance = known
    .map((candidate) => ({ candidate, distance: distanceOf(written, lettersOf(candidate)) }))
    .filter(({ candidate, distance }) => distance <= Math.floor(lettersOf(candidate).length / 3))
  return byDistance.sort((a, b) => a.distance - b.distance)[0]?.candidate
}

function lettersOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
}

function distanceOf(a: string, b: string): number {
  const isReordered = a.length === b.length && [...a].sort().join('') === [...b].sort().join('')
  return Math.min(editDistance(a, b), isReordered ? 1 : Number.POSITIVE_INFINITY)
}

/** The minimum number of characters to insert, delete or replace to turn one text into the other (Levenshtein). */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [i, character] of [...a].entries()) {
    const next = [i + 1]
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (character === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
