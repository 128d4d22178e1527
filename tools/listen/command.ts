import { randomBytes } from 'node:crypto'
import type { CommandIo } from '../../src/cli/terminal/io.ts'
import { whenAborted } from '../../src/cli/terminal/io.ts'
import { parseOptions, rejectArguments, unexpectedArguments } from '../../src/cli/terminal/options.ts'
import { startListener } from './listener.ts'

const defaultPort = 4000

const help = `Usage: rollcall listen [options]

Receives events on this machine, verifies their signatures and prints a line for each.

  --port <n>           the port to listen on; 0 chooses a free one (default ${defaultPort})
  --secret <secret>    the webhook secret of the directory (default: a new one, which is printed)
  --forward <url>      also send each request to your handler, unchanged, and respond as it does
  -h, --help           show this text

Example: rollcall listen --port 4000 --forward http://localhost:3000/hook
`

/** Runs `rollcall listen` until the signal is aborted and returns the exit code. */
export async function listenCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  const options = parseOptions(argv, ['port', 'secret', 'forward'])
  const { port: portText = String(defaultPort), secret = newSecret(), forward } = options.values
  const port = /^\d{1,5}$/.test(portText) && Number(portText) <= 65_535 ? Number(portText) : undefined
  const problems = [
    ...options.problems,
    ...unexpectedArguments(options),
    ...(port === undefined ? [`--port must be a whole number from 0 to 65535, not ${JSON.stringify(portText)}.`] : []),
    ...(isAddress(forward) ? [] : [`--forward must be an http or https URL, not ${JSON.stringify(forward)}.`]),
  ]
  if (options.isHelp) io.stdout.write(help)
  if (options.isHelp) return 0
  if (port === undefined || problems.length > 0) return rejectArguments(io, problems, 'listen')
  const print = (line: string) => io.stdout.write(`${line}\n`)
  await using listener = await startListener({ port, secret, forwardTo: forward, print })
  io.stdout.write(startText(listener.url, secret))
  await whenAborted(io.signal)
  return 0
}

function isAddress(forward: string | undefined): boolean {
  return forward === undefined || /^https?:$/.test(URL.parse(forward)?.protocol ?? '')
}

function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

function startText(url: string, secret: string): string {
  return `Waiting for events. Create or change a directory with these fields:

  "webhook_url":    ${JSON.stringify(url)}
  "webhook_secret": ${JSON.stringify(secret)}

Press Ctrl-C to stop.

`
}
