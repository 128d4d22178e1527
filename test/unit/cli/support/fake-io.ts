import { Readable } from 'node:stream'
import type { CommandIo } from '../../../../src/cli/terminal/io.ts'

/** The input and output of a command; `out` and `err` return what it has written. */
export interface FakeIo extends CommandIo {
  readonly out: () => string
  readonly err: () => string
}

export interface FakeIoOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly isTTY?: boolean
  readonly signal?: AbortSignal
  readonly stdin?: string
}

export function fakeIo({ env = {}, isTTY = false, signal, stdin = '' }: FakeIoOptions = {}): FakeIo {
  const written: { out: string[]; err: string[] } = { out: [], err: [] }
  return {
    env,
    signal,
    stdin: () => Readable.from(stdin === '' ? [] : [Buffer.from(stdin)]),
    stdout: { isTTY, write: (text) => written.out.push(text) },
    stderr: { isTTY, write: (text) => written.err.push(text) },
    out: () => written.out.join(''),
    err: () => written.err.join(''),
  }
}
