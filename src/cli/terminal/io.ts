/** Where a command writes text; `process.stdout` is one. */
export interface TextOutput {
  /** False: wait for `drain` before more is written. */
  write(text: string): unknown
  /** `error`: whoever reads it has gone. */
  on?(event: 'drain' | 'error', listener: () => void): unknown
  readonly isTTY?: boolean | undefined
  readonly columns?: number | undefined
}

/** What a command may touch of the process that runs it. */
export interface CommandIo {
  readonly stdout: TextOutput
  readonly stderr: TextOutput
  readonly env: Readonly<Record<string, string | undefined>>
  /** Aborted when the person at the terminal wants the command to end. */
  readonly signal?: AbortSignal | undefined
}
