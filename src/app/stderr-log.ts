import { inspect } from 'node:util'
import type { ServiceLog } from './service-options.ts'

/**
 * The library's default log: prints each warning and error to standard error in a line, followed by the stack of an
 * error.
 */
export const stderrLog: ServiceLog = { info: () => {}, warn: print, error: print }

function print({ err, ...details }: { readonly err?: unknown }, message: string): void {
  const stack = err === undefined ? '' : `\n${inspect(err)}`
  process.stderr.write(`rollcall: ${message} ${JSON.stringify(details)}${stack}\n`)
}
