import { setTimeout as pause } from 'node:timers/promises'
import { statusPattern } from '../../diagnostics/requests/listing.ts'
import type { RequestView } from '../../diagnostics/requests/view.ts'
import { errorText } from '../terminal/error-text.ts'
import type { CommandIo } from '../terminal/io.ts'
import type { ParsedOptions } from '../terminal/options.ts'
import { parseOptions, rejectArguments, unexpectedArguments } from '../terminal/options.ts'
import { createPalette } from '../terminal/palette.ts'
import { requestLine } from './line.ts'
import type { RequestQuery, RequestSource } from './open.ts'
import { openRequests } from './open.ts'

const help = `Usage: rollcall requests [options]

Shows the last requests of identity providers, one per line, with the reason of each refusal.

  --directory <id>     only the requests of this directory
  --subject <text>     only those about users and groups whose name begins with this text
  --status <status>    only those with this status: a code, a class such as 4xx, or refused
  --follow             keep showing requests as they arrive, until Ctrl-C
  --url <address>      ask the service at this address (default: http://localhost:<PORT>)
  --api-key <key>      the API key for that service (default: ROLLCALL_API_KEY)
  -h, --help           show this text

Without an API key, this command reads the settings of the service from the environment or from a file .env and opens
the database itself. While a service is running on an embedded database, it has to ask that service.

Example: rollcall requests --status refused --follow
`

const optionNames = ['directory', 'subject', 'status', 'url', 'api-key'] as const
const shownAtFirst = 50
const readAtOnce = 200
const maxDirectories = 100
const pollMs = 1_000

/** Runs `rollcall requests` and returns the exit code: 0 shown or ended by Ctrl-C, 1 failed, 2 wrong arguments. */
export async function requestsCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  const options = parseOptions(argv, optionNames, ['follow'])
  if (options.isHelp) {
    io.stdout.write(help)
    return 0
  }
  const problems = argumentProblems(options)
  if (problems.length > 0) return rejectArguments(io, problems, 'requests')
  try {
    const { url, 'api-key': apiKey } = options.values
    await using source = await openRequests({ url: url?.replace(/(?<!\/)\/+$/, ''), apiKey }, io)
    await show(source, options, io)
    return 0
  } catch (error) {
    if (io.signal?.aborted === true) return 0
    io.stderr.write(errorText(error))
    return 1
  }
}

function argumentProblems(options: ParsedOptions): string[] {
  const { url, status } = options.values
  // Linear: a check covers the patterns of all schemas.
  const isStatus = status === undefined || new RegExp(statusPattern).test(status)
  const isAddress = url === undefined || /^https?:\/\/./.test(url)
  return [
    ...options.problems,
    ...unexpectedArguments(options),
    ...(isStatus
      ? []
      : [`--status must be a code such as 409, a class such as 4xx, or refused, not ${JSON.stringify(status)}.`]),
    ...(isAddress
      ? []
      : [`--url must be an address that starts with http:// or https://, not ${JSON.stringify(url)}.`]),
  ]
}

/** Shows the last requests and, with `--follow`, new ones as they arrive. */
async function show(source: RequestSource, { values, flags }: ParsedOptions, io: CommandIo): Promise<void> {
  const { subject, status, directory } = values
  const palette = createPalette(io)
  const print = (requests: readonly RequestView[]) => {
    for (const request of requests) io.stdout.write(requestLine(request, palette, io.stdout.columns))
  }
  const read = async () =>
    newestOf(source, await directoriesOf(source, directory), { subject, status, pageLimit: String(readAtOnce) })
  const first = await read()
  print(first.slice(-shownAtFirst))
  if (first.length === 0) io.stderr.write(emptyText(values))
  if (!flags.has('follow')) return
  const shown = new Set(first.map(({ id }) => id))
  while (io.signal?.aborted !== true) {
    await pause(pollMs, undefined, io.signal === undefined ? {} : { signal: io.signal })
    const fresh = (await read()).filter(({ id }) => !shown.has(id))
    print(fresh)
    remember(shown, fresh)
  }
}

/** The text for an empty list. */
function emptyText({ subject, status, directory }: ParsedOptions['values']): string {
  const isNarrowed = [subject, status, directory].some((value) => value !== undefined)
  return isNarrowed ? 'None of the newest requests matches.\n' : 'No request has been recorded yet.\n'
}

/** Drops the oldest ids, which is safe because ids are in the order of time. */
function remember(shown: Set<string>, fresh: readonly RequestView[]): void {
  for (const { id } of fresh) shown.add(id)
  for (const id of shown) {
    if (shown.size <= 10 * readAtOnce * maxDirectories) return
    shown.delete(id)
  }
}

async function directoriesOf(source: RequestSource, directory: string | undefined): Promise<readonly string[]> {
  if (directory !== undefined) return [directory]
  const found = await source.directories(maxDirectories + 1)
  if (found.length <= maxDirectories) return found
  throw new Error(`There are more than ${maxDirectories} directories: name one with --directory <id>.`)
}

/** The newest requests of all directories, oldest first. */
async function newestOf(
  source: RequestSource,
  directories: readonly string[],
  query: RequestQuery,
): Promise<RequestView[]> {
  const requests: RequestView[] = []
  for (const directory of directories) requests.push(...(await source.requests(directory, query)))
  return requests.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : a.id < b.id ? -1 : 1))
}
