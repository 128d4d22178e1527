/** How events go out in batches (design §7.3). */
export interface BatchMode {
  /** How many events at most in one request. */
  readonly size: number
  /** Every how many milliseconds; undefined when only a call asks for it. */
  readonly intervalMs: number | undefined
}
