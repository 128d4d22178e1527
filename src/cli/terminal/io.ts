import type { Readable } from 'node:stream'

/** An output for text, such as `process.stdout`. */
export interface TextOutput {
  /** Returns false if the caller should wait for `drain` before writing more. */
  write(text: string): unknown
  /** `error`: the reader has closed its end. */
  on?(event: 'drain' | 'error', listener: () => void): unknown
  readonly isTTY?: boolean | undefined
  readonly columns?: number | undefined
}

/** The parts of its process that a command uses. */
export interface CommandIo {
  readonly stdout: TextOutput
  readonly stderr: TextOutput
  /** Opens the standard input. */
  stdin(): Readable
  readonly env: Readonly<Record<string, string | undefined>>
  /** Aborted by Ctrl-C or SIGTERM; then the reason is `terminated`. */
  readonly signal?: AbortSignal | undefined
}

/** The reason of a signal that SIGTERM has aborted: a process manager stops the process, not a person at a terminal. */
export const terminated = 'SIGTERM'

/** Resolves when the signal is aborted; never without a signal. */
export function whenAborted(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) resolve()
    signal?.addEventListener('abort', () => resolve(), { once: true })
  })
}
