import { parseArgs } from 'node:util'
import type { CommandIo } from './io.ts'

/** The parsed arguments after a command's name; `problems` has a sentence for each invalid one. */
export interface ParsedOptions {
  readonly isHelp: boolean
  readonly positionals: readonly string[]
  readonly values: Readonly<Record<string, string | undefined>>
  /** The values of the options that may be repeated, also those that commas separate. */
  readonly lists: Readonly<Record<string, readonly string[]>>
  /** The flags that are set. */
  readonly flags: ReadonlySet<string>
  readonly problems: readonly string[]
}

/** Parses options that each take a value, flags, and options that take values. */
export function parseOptions(
  argv: readonly string[],
  names: readonly string[],
  flagNames: readonly string[] = [],
  listNames: readonly string[] = [],
): ParsedOptions {
  const flagOptions = Object.fromEntries(flagNames.map((name) => [name, { type: 'boolean' as const }]))
  const options = Object.fromEntries([...names, ...listNames].map((name) => [name, { type: 'string' as const }]))
  const { values, positionals, tokens } = parseArgs({
    args: [...argv],
    strict: false,
    allowPositionals: true,
    tokens: true,
    options: { help: { type: 'boolean', short: 'h' }, ...flagOptions, ...options },
  })
  const known = new Set(['help', ...names, ...flagNames, ...listNames])
  const texts = Object.fromEntries([...names, ...listNames].map((name) => [name, textOf(values[name])]))
  const listed = (name: string) =>
    tokens.flatMap((token) => (token.kind === 'option' && token.name === name ? (textOf(token.value) ?? []) : []))
  return {
    isHelp: values['help'] === true,
    positionals,
    values: texts,
    lists: Object.fromEntries(listNames.map((name) => [name, listed(name).flatMap((text) => text.split(','))])),
    flags: new Set(flagNames.filter((name) => values[name] === true)),
    problems: [
      ...tokens.flatMap((token) =>
        token.kind === 'option' && !known.has(token.name) ? [`There is no option ${token.rawName}.`] : [],
      ),
      ...[...names, ...listNames]
        .filter((name) => name in values && texts[name] === undefined)
        .map((name) => `--${name} needs a value.`),
    ],
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && !value.startsWith('--') ? value : undefined
}

/** A sentence for each argument of a command that accepts only options. */
export function unexpectedArguments({ positionals }: ParsedOptions): string[] {
  return positionals.map((extra) => `${JSON.stringify(extra)} is an unexpected argument.`)
}

/** Writes the problems of the arguments and returns the exit code. */
export function rejectArguments({ stderr }: CommandIo, problems: readonly string[], command: string): number {
  stderr.write(`${problems.join('\n')}\nRun rollcall ${command} --help for help.\n`)
  return 2
}
