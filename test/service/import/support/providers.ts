import { atPointer } from '../../../support/json-pointer.ts'
import type { Step } from '../../traffic/conversation.ts'
import { fillIn, readConversations } from '../../traffic/conversation.ts'

/** A SCIM endpoint with its secret, in Polis or here. */
export interface ScimEndpoint {
  /** Without a slash at its end. */
  readonly address: string
  readonly secret: string
}

/** A provider in the middle of its conversation. */
export interface Provider {
  readonly name: string
  /** Only what the provider itself sends. */
  readonly steps: readonly Step[]
  /** The ids that it has learned. */
  readonly captured: Map<string, string>
}

/** The recorded requests of a provider, none of them sent yet. */
export function openProvider(name: string): Provider {
  const found = readConversations().find((conversation) => conversation.name === name)
  if (found === undefined) throw new Error(`There is no conversation ${name}.`)
  return { name, steps: found.steps.filter(({ kind }) => kind === 'idp'), captured: new Map() }
}

/** A response that is not what the provider expects. */
export interface Surprise {
  readonly step: string
  readonly status: number
}

/** Sends some of the requests of a provider, as it would; returns the responses that it does not expect. */
export async function sendSteps(
  { steps, captured }: Provider,
  { address, secret }: ScimEndpoint,
  { from = 0, to }: { readonly from?: number; readonly to?: number },
): Promise<Surprise[]> {
  const surprises: Surprise[] = []
  captured.set('token', secret)
  for (const step of steps.slice(from, to)) {
    const { method, path, headers, body } = fillIn({ ...step, expect: undefined }, captured)
    const { Connection: _, ...sent } = headers
    const text = body === null || body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body)
    const response = await fetch(address + path, { method, headers: sent, body: text })
    const answer = await response.text()
    const parsed: unknown = answer === '' ? undefined : JSON.parse(answer)
    const { expect } = step
    if (![expect.status].flat().includes(response.status)) surprises.push({ step: step.name, status: response.status })
    for (const [name, pointer] of Object.entries(expect.capture ?? {})) {
      const value = atPointer(parsed, pointer)
      if (typeof value === 'string') captured.set(name, value)
    }
  }
  return surprises
}
