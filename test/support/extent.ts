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
