import type { PolisOptions, RunningPolis } from '../../tools/polis/polis.ts'
import { startPolis } from '../../tools/polis/polis.ts'
import type { Conversation, Step } from '../service/traffic/conversation.ts'
import { fillIn, readConversations } from '../service/traffic/conversation.ts'
import { atPointer } from './json-pointer.ts'
import { startPostgres } from './postgres.ts'

/** A key of 32 characters, which Polis takes as they are. */
export const polisKey = 'polis-key-of-thirty-two-letters!'

/** A Polis on an empty PostgreSQL database of its own, which is dropped at the end. */
export interface TestPolis extends RunningPolis {
  readonly databaseUrl: string
  /** Calls Polis' API; `path` is below `/api/v1/dsync`. */
  api(method: string, path: string, body?: unknown): Promise<PolisAnswer>
  /** Sends a SCIM request to a directory with its secret. */
  scim(directory: ScimDirectory, method: string, path: string, body?: unknown): Promise<PolisAnswer>
  createDirectory(fields: Readonly<Record<string, unknown>>): Promise<PolisDirectoryView>
}

export interface ScimDirectory {
  readonly scim: { readonly path: string; readonly secret: string }
}

export interface PolisDirectoryView extends ScimDirectory {
  readonly id: string
  readonly tenant: string
  readonly product: string
}

/** A response of Polis, which has any shape. */
export interface PolisAnswer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: a missing field fails the test
  readonly body: any
}

export async function startTestPolis(options: Omit<PolisOptions, 'databaseUrl'> = {}): Promise<TestPolis> {
  const database = await startPostgres({ isEmpty: true })
  try {
    const polis = await startPolis({ ...options, databaseUrl: database.url })
    const send = async (method: string, path: string, authorization: string, body?: unknown): Promise<PolisAnswer> => {
      const headers = { authorization, 'content-type': 'application/json' }
      const response = await fetch(polis.url + path, {
        method,
        headers,
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      return { status: response.status, body: await response.json() }
    }
    const api: TestPolis['api'] = (method, path, body) =>
      send(method, `/api/v1/dsync${path}`, `Api-Key ${polis.apiKey}`, body)
    return {
      ...polis,
      databaseUrl: database.url,
      api,
      scim: ({ scim: { path: base, secret } }, method, path, body) =>
        send(method, base.replace('/?aadOptscim062020', '') + path, `Bearer ${secret}`, body),
      createDirectory: async (fields) => (await api('POST', '', fields)).body.data,
      async [Symbol.asyncDispose]() {
        await polis[Symbol.asyncDispose]()
        await database[Symbol.asyncDispose]()
      },
    }
  } catch (error) {
    await database[Symbol.asyncDispose]()
    throw error
  }
}

/** The recorded conversations that fill a Polis, with the type of their directory. */
export const polisProviders = [
  { provider: 'okta-oin', type: 'okta-scim-v2' },
  { provider: 'entra-flag', type: 'azure-scim-v2' },
  { provider: 'onelogin', type: 'onelogin-scim-v2' },
  { provider: 'jumpcloud', type: 'jumpcloud-scim-v2' },
  { provider: 'pingfederate', type: 'generic-scim-v2' },
] as const

/** The steps of a provider's recorded conversation, without those that delete groups, so that something remains. */
export function stepsOf(provider: string): readonly Step[] {
  const isDeletion = ({ method, path }: Step) => method === 'DELETE' && path.startsWith('/Groups')
  return conversationOf(provider).steps.filter((step) => !isDeletion(step))
}

/** The recorded conversation of a provider. */
export function conversationOf(provider: string): Conversation {
  const found = readConversations().find(({ name }) => name === provider)
  if (found === undefined) throw new Error(`there is no conversation of ${provider}`)
  return found
}

/**
 * Sends the requests of a provider's conversation to Polis, as far as they can be built: Polis answers some of them in its
 * own way, so that nothing is captured from these. Returns what was captured.
 */
export async function converse(
  polis: TestPolis,
  directory: ScimDirectory,
  steps: readonly Step[],
): Promise<ReadonlyMap<string, string>> {
  const captured = new Map([['token', directory.scim.secret]])
  for (const { kind, method, path, body, expect } of steps) {
    const request = filled({ method, path, body }, captured)
    if (kind !== 'idp' || request === undefined) continue
    const answer = await polis.scim(directory, request.method, request.path, request.body)
    for (const [name, pointer] of Object.entries(expect.capture ?? {})) {
      const value = atPointer(answer.body, pointer)
      if (typeof value === 'string') captured.set(name, value)
    }
  }
  return captured
}

function filled<T>(request: T, captured: ReadonlyMap<string, string>): T | undefined {
  try {
    return fillIn(request, captured)
  } catch {
    return undefined
  }
}
