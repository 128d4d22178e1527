import { parseArgs } from 'node:util'

export interface ChaosOptions {
  /** Duration of the faults, with and without hostile tenants together; undefined for the short run of `npm test`. */
  readonly seconds: number | undefined
  /** Determines all random choices of the run. */
  readonly seed: number
}

const defaultSeconds = 600
const minSeconds = 60

export const usage = `npm run chaos -- [options]

  --seconds NUMBER  how long faults happen (default: ${defaultSeconds}, at least ${minSeconds}): the first half with silent
                    hostile tenants, the second half with active ones
  --short           a few seconds with few directories, as in npm test
  --seed NUMBER     repeats the choices of an earlier run
`

/** @throws Error for unknown or invalid options */
export function parseOptions(args: readonly string[]): ChaosOptions {
  const { values } = parseArgs({
    args: [...args],
    options: { short: { type: 'boolean' }, seconds: { type: 'string' }, seed: { type: 'string' } },
  })
  const seed = values.seed === undefined ? newSeed() : Number(values.seed)
  if (!Number.isInteger(seed)) throw new Error('--seed must be an integer.')
  const seconds = values.seconds === undefined ? defaultSeconds : Number(values.seconds)
  if (!(seconds >= minSeconds)) throw new Error(`--seconds must be a number, at least ${minSeconds}.`)
  return { seconds: values.short === true ? undefined : seconds, seed }
}

export function newSeed(): number {
  return Math.floor(Math.random() * 1_000_000)
}
