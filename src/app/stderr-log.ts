import { inspect } from 'node:util'
import type { ServiceLog } from './service.ts'

/** Prints warnings and errors to standard error, a line each, followed by the stack of an error. The library's default log. */
export const stderrLog: ServiceLog = { info: () => {}, warn: print, error: print }

function print({ err, ...details }: { readonly err?: unknown }, message: string): void {
  const stack = err === undefined ? '' : `\n${inspect(err)}`
  process.stderr.write(`rollcall: ${message} ${JSON.stringify(details)}${stack}\n`)
}
