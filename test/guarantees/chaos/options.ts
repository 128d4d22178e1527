import { parseArgs } from 'node:util'

export interface ChaosOptions {
  readonly isShort: boolean
  /** Determines all random choices of the run. */
  readonly seed: number
}

export const usage = `npm run chaos -- [options]

  --short       about twenty seconds instead of two minutes
  --seed NUMBER repeats the choices of an earlier run
`

/** @throws Error for unknown options */
export function parseOptions(args: readonly string[]): ChaosOptions {
  const { values } = parseArgs({
    args: [...args],
    options: { short: { type: 'boolean' }, seed: { type: 'string' } },
  })
  const seed = values.seed === undefined ? newSeed() : Number(values.seed)
  if (!Number.isInteger(seed)) throw new Error('--seed must be an integer.')
  return { isShort: values.short === true, seed }
}

export function newSeed(): number {
  return Math.floor(Math.random() * 1_000_000)
}
