import type { ApiClient } from './api-client.ts'
import { createApiClient } from './api-client.ts'
import { serviceAddress } from './reach.ts'
import { errorText } from './terminal/error-text.ts'
import type { CommandIo } from './terminal/io.ts'
import type { ParsedOptions } from './terminal/options.ts'
import { parseOptions, rejectArguments } from './terminal/options.ts'

export type Values = ParsedOptions['values']

/** A command whose first argument says what to do, by calls of a running service. */
export interface ServiceCommand<Action extends string> {
  readonly name: string
  readonly help: string
  /** Besides `url` and `api-key`. */
  readonly optionNames: readonly string[]
  /** Options without a value; one that is set has its name as the value. */
  readonly flagNames?: readonly string[]
  readonly actions: Readonly<Record<Action, (client: ApiClient, values: Values, io: CommandIo) => Promise<unknown>>>
  /** What to say when the first argument is none of the actions. */
  readonly whatToDo: string
  /** What is wrong with the options, as sentences. */
  readonly problemsOf: (values: Values, action: Action | undefined) => readonly string[]
}

/** Runs a command and returns the exit code: 0 done, 1 failed, 2 wrong arguments. */
export async function runServiceCommand<Action extends string>(
  { name, help, optionNames, flagNames = [], actions, whatToDo, problemsOf }: ServiceCommand<Action>,
  argv: readonly string[],
  io: CommandIo,
): Promise<number> {
  const options = parseOptions(argv, [...optionNames, 'url', 'api-key'], flagNames)
  const { isHelp, problems, positionals } = options
  if (isHelp) {
    io.stdout.write(help)
    return 0
  }
  const values: Values = { ...options.values, ...Object.fromEntries([...options.flags].map((flag) => [flag, flag])) }
  const { url, 'api-key': apiKey = io.env['ROLLCALL_API_KEY'] } = values
  const action = (Object.keys(actions) as Action[]).find((one) => one === positionals[0])
  const all = [
    ...problems,
    ...(action === undefined ? [whatToDo] : []),
    ...positionals.slice(1).map((extra) => `${JSON.stringify(extra)} is an unexpected argument.`),
    ...problemsOf(values, action),
    ...(apiKey === undefined ? ['Pass an API key with --api-key or ROLLCALL_API_KEY.'] : []),
  ]
  if (action === undefined || all.length > 0) return rejectArguments(io, all, name)
  try {
    const client = createApiClient({ baseUrl: serviceAddress(url, io.env), apiKey: apiKey ?? '', signal: io.signal })
    await actions[action](client, values, io)
    return 0
  } catch (error) {
    io.stderr.write(errorText(error))
    return 1
  }
}
