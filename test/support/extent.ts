/** Whether all tests run (`npm run test:all`), rather than those of `npm test`. */
export const runsAll: boolean = process.env['TEST_ALL'] === 'true'

const wanted = process.env['TEST_CASES']

/**
 * How many cases a property is tried with: all of them in `npm run test:all`, at most 200 in `npm test`, or fewer where a
 * case takes long. `TEST_CASES` sets another number, to search for a rare failure.
 */
export function cases(all: number, most = 200): number {
  if (wanted !== undefined) return Number(wanted)
  return runsAll ? all : Math.min(all, most)
}

/**
 * The combinations of two lists that a test tries: all of them in `npm run test:all`; in `npm test` as many as the longer
 * list has items, so that each item of both is tried at least once, the same in every run.
 */
export function pairs<A, B>(some: readonly A[], others: readonly B[]): readonly (readonly [A, B])[] {
  return some.flatMap((one, n) =>
    others.filter((_, m) => runsAll || n % others.length === m % some.length).map((other) => [one, other] as const),
  )
}
