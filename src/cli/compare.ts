import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { createClient } from '../client/client.ts'
import type { ComparedUser, UserDifference } from '../client/compare.ts'
import { compareUsers } from '../client/compare.ts'
import type { ComparedField } from '../client/user-digest.ts'
import { comparedFields } from '../client/user-digest.ts'
import { parseObject } from '../scim/json.ts'
import { ApiError } from './api-client.ts'
import { serviceAddress } from './reach.ts'
import { errorText } from './terminal/error-text.ts'
import type { CommandIo } from './terminal/io.ts'
import { parseOptions, rejectArguments, unexpectedArguments } from './terminal/options.ts'
import { countOf } from './terminal/quantity.ts'

const help = `Usage: rollcall compare --directory <id> --file <file> [options]

Compares the users of a directory with your own, from a file with a JSON object on each line: the id of the user in
Rollcall, and the compared fields, such as {"id":"019a9c1e-…","active":true,"email":"ann@example.com"}.

  --directory <id>   the directory
  --file <file>      your users, in any order
  --fields <fields>  the fields that must be the same, separated by commas (default: active,email), of
                     ${comparedFields.join(', ')}
  --json             print each user who differs as a JSON object on a line
  --url <address>    the address of the service (default: http://localhost:<PORT>)
  --api-key <key>    the API key for the service (default: ROLLCALL_API_KEY)
  -h, --help         show this text

Example: rollcall compare --directory 019a9c1e-7b5e-7f10-9d3c-5b1f0a3cd101 --file users.ndjson

Exit codes: 0 both are the same, 1 they differ, 2 they could not be compared.
`

const optionNames = ['directory', 'file', 'fields', 'url', 'api-key'] as const

/** Runs `rollcall compare` and returns the exit code. */
export async function compareCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  const options = parseOptions(argv, optionNames, ['json'])
  if (options.isHelp) {
    io.stdout.write(help)
    return 0
  }
  const { directory = '', file = '', fields = 'active,email', url } = options.values
  const { 'api-key': apiKey = io.env['ROLLCALL_API_KEY'] ?? '' } = options.values
  const problems = [
    ...[...options.problems, ...unexpectedArguments(options)],
    ...(directory === '' ? ['Name the directory with --directory <id>.'] : []),
    ...(file === '' ? ['Name the file with your users with --file <file>.'] : []),
    ...(apiKey === '' ? ['Pass an API key with --api-key or ROLLCALL_API_KEY.'] : []),
  ]
  if (problems.length > 0) return rejectArguments(io, problems, 'compare')
  try {
    const client = clientOf(serviceAddress(url, io.env), apiKey)
    const compared = { directoryId: directory, fields: fields.split(',') as ComparedField[], rows: () => usersIn(file) }
    // The file stays as it is.
    const found = compareUsers({ client, ...compared, recheckAfterMs: 0, signal: io.signal })
    return await print(found, options.flags.has('json'), io)
  } catch (error) {
    io.stderr.write(errorText(error))
    return 2
  }
}

function clientOf(baseUrl: string, apiKey: string) {
  const unreachable = (cause: unknown) => {
    throw new ApiError(`${baseUrl} cannot be reached: pass the address of the service with --url.`, { cause })
  }
  return createClient({ baseUrl, apiKey, fetch: (...request) => fetch(...request).catch(unreachable) })
}

/** @throws Error that names the line which is no user */
async function* usersIn(file: string): AsyncGenerator<ComparedUser, void, undefined> {
  let number = 0
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    number += 1
    const user = parseObject(line)
    if (isUser(user)) yield user
    else if (line.trim() !== '')
      throw new Error(`${file}, line ${number}: write a JSON object with the id of the user in Rollcall.`)
  }
}

const isUser = (user: object | undefined): user is ComparedUser =>
  user !== undefined && 'id' in user && typeof user.id === 'string' && user.id !== ''

const kinds = { missing: 'only in Rollcall', extra: 'only in the file', different: 'different' } as const

/** Prints who differs, and returns the exit code. */
async function print(found: AsyncIterable<UserDifference>, isJson: boolean, io: CommandIo): Promise<number> {
  let users = 0
  for await (const difference of found) {
    users += 1
    const line = `${difference.id}  ${kinds[difference.kind].padEnd(16)}  ${fieldsText(difference)}`
    io.stdout.write(`${isJson ? JSON.stringify(difference) : line}\n`)
  }
  const same = 'The users in the file are the same as in Rollcall.'
  if (!isJson) io.stdout.write(users === 0 ? `${same}\n` : `\n${countOf(users, 'user differs', 'users differ')}.\n`)
  return users === 0 ? 0 : 1
}

/** The fields of a user; of one who is different, those that are, in Rollcall and in the file. */
function fieldsText({ ours, theirs }: UserDifference): string {
  const [fields, others] = [Object.entries(ours ?? theirs ?? {}), new Map(Object.entries((ours && theirs) ?? {}))]
  const texts = fields.flatMap(([name, value]) => {
    const [text, other] = [JSON.stringify(value), JSON.stringify(others.get(name))]
    if (name === 'id' || text === other) return []
    return [other === undefined ? `${name} ${text}` : `${name} ${text}, in the file ${other}`]
  })
  return texts.join('; ')
}
