import { median, pairedDifference, shuffled } from './statistics.ts'
import type { Class } from './wrong-secrets.ts'
import { classes, reference } from './wrong-secrets.ts'

/** Checks a wrong secret of a class, once or several times; returns the time of one check in nanoseconds. */
export type Refuse = (which: Class) => Promise<number>

/** A place that checks a secret. */
export interface Door {
  readonly what: string
  readonly rounds: number
  readonly refuse: Refuse
}

/** A row of the table: a class at one place, compared with the reference. */
export interface Row {
  readonly door: string
  readonly against: Class
  readonly medianNs: number
  readonly differenceNs: number
  readonly lowNs: number
  readonly highNs: number
}

/** Measures one place: every class once per round, in random order, so that drift affects all of them equally. */
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

/** Formats rows as a table; a difference whose interval does not contain 0 is marked. */
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
