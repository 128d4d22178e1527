import { median, pairedDifference, shuffled } from './statistics.ts'
import type { Class } from './wrong-secrets.ts'
import { classes, reference } from './wrong-secrets.ts'

/** Refuses a wrong secret of a class, once or several times; answers how long one refusal took, in nanoseconds. */
export type Refuse = (which: Class) => Promise<number>

/** Something that takes a secret. */
export interface Door {
  readonly what: string
  readonly rounds: number
  readonly refuse: Refuse
}

/** A row of the table: a class at a door, against the reference. */
export interface Row {
  readonly door: string
  readonly against: Class
  readonly medianNs: number
  readonly differenceNs: number
  readonly lowNs: number
  readonly highNs: number
}

/** Measures a door: in each round every class once, in a random order, so that drift hits all of them alike. */
export async function measure({ what, rounds, refuse }: Door): Promise<Row[]> {
  for (let round = 0; round < Math.ceil(rounds / 10); round += 1) for (const which of classes) await refuse(which)
  const times = Object.fromEntries(classes.map((which) => [which, []])) as unknown as Record<Class, number[]>
  for (let round = 0; round < rounds; round += 1) {
    for (const which of shuffled(classes)) times[which].push(await refuse(which))
  }
  return classes
    .filter((which) => which !== reference)
    .map((which) => {
      const { median: differenceNs, low: lowNs, high: highNs } = pairedDifference(times[which], times[reference])
      return { door: what, against: which, medianNs: median(times[which]), differenceNs, lowNs, highNs }
    })
}

/** Rows as an aligned table; a difference whose interval does not hold 0 is marked. */
export function tableOf(rows: readonly Row[]): string {
  const inUnit = (ns: number) => (Math.abs(ns) < 10_000 ? `${ns.toFixed(1)} ns` : `${(ns / 1000).toFixed(1)} µs`)
  const cells = rows.map(({ door, against, medianNs, differenceNs, lowNs, highNs }) => [
    ...[door, against, inUnit(medianNs), inUnit(differenceNs), `${inUnit(lowNs)} … ${inUnit(highNs)}`],
    lowNs > 0 || highNs < 0 ? 'differs' : '',
  ])
  const head = ['door', 'wrong secret', 'median', `against "${reference}"`, '95 % interval', '']
  const widths = head.map((_, column) => Math.max(...[head, ...cells].map((row) => (row[column] ?? '').length)))
  return [head, ...cells]
    .map((row) =>
      row
        .map((cell, n) => cell.padEnd(widths[n] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
