import { errorText } from '../terminal/error-text.ts'
import type { CommandIo } from '../terminal/io.ts'
import type { ParsedOptions } from '../terminal/options.ts'
import { parseOptions, rejectArguments } from '../terminal/options.ts'
import { createPalette } from '../terminal/palette.ts'
import { openExplain } from './open.ts'
import { explanationText } from './text.ts'

const help = `Usage: rollcall explain <who> [options]

Says why a user or group did not arrive: one verdict, what to do, a text for the customer, and the timeline. <who> is
an email address, userName, display name, external id or id of a user, or the name, external id or id of a group.

  --directory <id>     only in this directory
  --tenant <tenant>    only in the directories of this tenant
  --product <product>  only in those for this product
  --url <address>      ask the service at this address (default: http://localhost:<PORT>)
  --api-key <key>      the API key for that service (default: ROLLCALL_API_KEY)
  -h, --help           show this text

Without these options, all directories are searched that the API key may read. If several users or groups have the
name, they are listed: pass --directory and, as <who>, the id of one of them.

Without an API key, this command reads the settings of the service from the environment or from a file .env and opens
the database itself. While a service is running on an embedded database, it has to ask that service.

Example: rollcall explain "Maya Silva" --product crm

Exit codes: 0 a verdict about a user or group that is known, 1 nothing is known or an error occurred, 2 wrong arguments.
`

const optionNames = ['directory', 'tenant', 'product', 'url', 'api-key'] as const

/** Runs `rollcall explain` and returns the exit code. */
export async function explainCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  const options = parseOptions(argv, optionNames)
  if (options.isHelp) {
    io.stdout.write(help)
    return 0
  }
  const problems = argumentProblems(options)
  if (problems.length > 0) return rejectArguments(io, problems, 'explain')
  const [asked = ''] = options.positionals
  const { directory: directoryId, tenant, product, url, 'api-key': apiKey } = options.values
  try {
    await using source = await openExplain({ url: url?.replace(/(?<!\/)\/+$/, ''), apiKey }, io)
    const explanation = await source.explain({ directoryId, tenant, product, subject: asked })
    io.stdout.write(explanationText(asked, explanation, createPalette(io), io.stdout.columns))
    return explanation.candidates.length > 0 ? 0 : 1
  } catch (error) {
    io.stderr.write(errorText(error))
    return 1
  }
}

function argumentProblems({ positionals, values, problems }: ParsedOptions): string[] {
  const { url } = values
  const [who, ...extra] = positionals
  return [
    ...problems,
    ...(who === undefined || who.trim() === ''
      ? ['Name a user or group: its email address, userName, name or id.']
      : []),
    ...extra.map((argument) => `${JSON.stringify(argument)} is an unexpected argument: name one user or group.`),
    ...(url === undefined || /^https?:\/\/./.test(url)
      ? []
      : [`--url must be an address that starts with http:// or https://, not ${JSON.stringify(url)}.`]),
  ]
}
