/** Milliseconds of the machine's clock that never goes back: the same in every process. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6
}
