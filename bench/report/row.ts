import type { EngineName } from '../engines/engine.ts'
import type { Sample } from '../load/sample.ts'

/** A figure compared with the bare engine, a small directory, or a limit. */
export interface Verdict {
  readonly value: number
  /** The figure with its unit. */
  readonly text: string
  /** The budget; undefined if there is none. */
  readonly budget?: string | undefined
  readonly isMet?: boolean | undefined
}

/** A row of the report. */
export interface Row {
  readonly engine: EngineName
  readonly what: string
  readonly connections?: number | undefined
  readonly sample?: Sample | undefined
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

export const ofBare = (value: number): string => `${value.toFixed(2)} of bare`
export const timesOff = (value: number): string => `${value.toFixed(2)} of off`
export const timesSecret = (value: number): string => `${value.toFixed(2)} of secret`
export const timesUnmapped = (value: number): string => `${value.toFixed(2)} of unmapped`
export const timesSmall = (value: number): string => `${value.toFixed(2)}× of small`
export const timesFast = (value: number): string => `${value.toFixed(2)}× of fast`
export const timesEmpty = (value: number): string => `${value.toFixed(2)}× of empty`
export const timesFewer = (value: number): string => `${value.toFixed(0)}× fewer`
export const inNumber = (value: number): string => value.toFixed(0)
export const inSeconds = (value: number): string => `${value.toFixed(2)} s`
export const inMs = (value: number): string => `${value.toFixed(2)} ms`
export const inKb = (value: number): string => `${value.toFixed(0)} KB`
export const inBytes = (value: number): string => `${value.toFixed(0)} B`
export const inMb = (value: number): string => `${value.toFixed(0)} MB`
