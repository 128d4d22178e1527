import { readdirSync, readFileSync } from 'node:fs'

/** One request of a recorded conversation and the expected response, as described in the README.md of this folder. */
export interface Step {
  readonly kind: 'idp' | 'verify' | 'case'
  readonly name: string
  readonly method: string
  /** The path below the directory's SCIM endpoint, encoded for the request. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Text is sent unchanged. */
  readonly body: unknown
  readonly expect: {
    readonly status: number | readonly number[]
    readonly notes: string
    readonly capture?: Readonly<Record<string, string>>
    readonly json?: Readonly<Record<string, unknown>>
    readonly count?: Readonly<Record<string, number>>
    readonly absent?: readonly string[]
  }
}

export interface Conversation {
  readonly name: string
  readonly steps: readonly Step[]
}

const folder = new URL('.', import.meta.url)

/** Every conversation of this folder. */
export function readConversations(): Conversation[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'))
  return files.sort().map((file) => ({
    name: file.replace('.json', ''),
    steps: JSON.parse(readFileSync(new URL(file, folder), 'utf8')),
  }))
}

/** Replaces names in double braces, anywhere in a value, by the captured values. */
export function fillIn<T>(value: T, captured: ReadonlyMap<string, string>): T {
  const filled = JSON.stringify(value).replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const found = captured.get(name)
    if (found === undefined) throw new Error(`nothing was captured as ${name}`)
    return JSON.stringify(found).slice(1, -1)
  })
  return JSON.parse(filled)
}
