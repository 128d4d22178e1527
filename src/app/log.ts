import type { DestinationStream, Logger } from 'pino'
import { pino } from 'pino'
import { isDatabaseTrouble } from '../store/errors.ts'
import type { Settings } from './settings.ts'

/** Fields that could carry a secret or personal data by mistake; their values are not written. */
const redacted = ['authorization', 'secret', 'password', 'raw', 'data', 'body'].flatMap((name) => [name, `*.${name}`])

/** The log of the service: JSON lines, by default on standard output. */
export function createLog(level: Settings['LOG_LEVEL'], destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: redacted, censor: '[hidden]' },
    serializers: { err: (error: unknown) => describeError(error) },
  }
  return destination === undefined ? pino(options) : pino(options, destination)
}

/**
 * Standard output for a log.
 *
 * @param onReaderGone called when the reader has closed its end, as `head` does; later lines are dropped
 */
export function standardOutput(onReaderGone: () => void): DestinationStream {
  const destination = pino.destination(1)
  destination.on('error', onReaderGone)
  return destination
}

/** The level of warnings, in the form that pino writes at the beginning of each line. */
const warnLevel = 40
const levelOf = (line: string): number => Number(/^\{"level":(\d+)/.exec(line)?.[1] ?? warnLevel)

/**
 * A log that delays its lines, except warnings and errors, until `release`, so that the first lines on the terminal are
 * for people.
 */
export function heldBack(destination: DestinationStream): DestinationStream & { release(): void } {
  let held: string[] | undefined = []
  return {
    write(line) {
      if (held === undefined || levelOf(line) >= warnLevel) destination.write(line)
      else held.push(line)
    },
    release() {
      for (const line of held ?? []) destination.write(line)
      held = undefined
    },
  }
}

/**
 * An error with its causes, without the details that a database adds, because they quote rows. A database that is not available
 * is no bug: its errors have no stack.
 */
function describeError(error: unknown, hasStack = !isDatabaseTrouble(error)): unknown {
  if (!(error instanceof Error)) return { message: String(error) }
  const { name, message, stack, cause } = error
  const code = 'code' in error ? { code: error.code } : {}
  const where = hasStack ? { stack } : {}
  return {
    type: name,
    message,
    ...code,
    ...where,
    ...(cause === undefined ? {} : { cause: describeError(cause, hasStack) }),
  }
}
