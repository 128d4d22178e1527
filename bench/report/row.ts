import type { EngineName } from '../engines/engine.ts'

/** A figure that is compared with something, or with a limit. */
export interface Verdict {
  readonly value: number
  /** The figure with its unit. */
  readonly text: string
  /** The budget; undefined if there is none. */
  readonly budget?: string | undefined
  readonly isMet?: boolean | undefined
}

/** A row of the report: work, or a bound, or the comparison of one with another. */
export interface Row {
  readonly engine: EngineName
  readonly what: string
  readonly connections?: number | undefined
  /** CPU time of service and database for 1,000 requests, in milliseconds. */
  readonly workMs?: number | undefined
  readonly verdict?: Verdict | undefined
}

/** A figure with a minimum. */
export function atLeast(least: number | undefined, value: number, word: (value: number) => string): Verdict {
  if (least === undefined) return { value, text: word(value) }
  return { value, text: word(value), budget: `≥ ${word(least)}`, isMet: value >= least }
}

/** A figure with a maximum. */
export function atMost(most: number | undefined, value: number, word: (value: number) => string): Verdict {
  if (most === undefined) return { value, text: word(value) }
  return { value, text: word(value), budget: `≤ ${word(most)}`, isMet: value <= most }
}

/** Words a ratio: `1.20× of bare`. */
export const timesOf =
  (other: string) =>
  (value: number): string =>
    `${value.toFixed(2)}× of ${other}`
export const timesFewer = (value: number): string => `${value.toFixed(0)}× fewer`
export const inNumber = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 0 })
export const inSeconds = (value: number): string => `${value.toFixed(2)} s`
export const inMs = (value: number): string => `${value.toFixed(value < 10 ? 2 : 0)} ms`
export const inKb = (value: number): string => `${value.toFixed(0)} KB`
export const inBytes = (value: number): string => `${inNumber(value)} B`
export const inMb = (value: number): string => `${value.toFixed(0)} MB`
