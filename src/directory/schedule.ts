/** Runs a function once, after a delay in milliseconds; what it gives back cancels that. */
export type Schedule = (run: () => void, delayMs: number) => () => void

/** Timers of Node.js that do not keep the process alive: what waits for them is on disk. */
export const schedule: Schedule = (run, delayMs) => {
  const timer = setTimeout(run, delayMs)
  timer.unref()
  return () => clearTimeout(timer)
}
