import type { Endpoint } from '../../../../tools/fake-google/endpoint.ts'
import type { Fault } from '../../../../tools/fake-google/fault.ts'
import type { Effect, Effects } from './effect.ts'
import { api, lists } from './effect.ts'
import { errorEffects } from './error-effects.ts'

/** The parts of a fault that a test provides. */
export interface FaultParts {
  /** Unix milliseconds, for dates in headers. */
  now(): number
  /** A promise that slow responses wait for. */
  readonly released: Promise<unknown>
}

/** A way in which a response can fail. */
export interface FailureMode {
  /** A unique description. */
  readonly name: string
  readonly effects: Effects
  readonly fault: (parts: FaultParts) => Fault
}

const everywhere: Effects = { overcome: [...api, 'token'] }
const limited: Effects = { overcome: api }

/** All errors of the tables. */
const errors: readonly FailureMode[] = namesOf(errorEffects).map((error) => ({
  name: `the error ${error}`,
  effects: errorEffects[error],
  fault: () => ({ kind: 'error', error }),
}))

/** Errors with Retry-After: in seconds, at a date, at a past date. */
const withRetryAfter: readonly FailureMode[] = [
  {
    name: 'a rate limit for two seconds',
    effects: limited,
    fault: () => ({ kind: 'error', error: 'rate-limit', retryAfter: 2 }),
  },
  {
    name: 'a rate limit until a date',
    effects: limited,
    fault: ({ now }) => ({ kind: 'error', error: 'rate-limit', retryAfter: new Date(now() + 3000) }),
  },
  {
    name: 'an unavailable service until a date that has passed',
    effects: limited,
    fault: ({ now }) => ({ kind: 'error', error: 'service-unavailable', retryAfter: new Date(now() - 60_000) }),
  },
  {
    name: 'a page of a proxy that says when to ask again',
    effects: everywhere,
    fault: () => ({ kind: 'html', status: 503, retryAfter: 1 }),
  },
]

/** HTML pages of proxies and captive portals, with success and error statuses. */
const pages: readonly FailureMode[] = [
  ...[200, 502, 503].map((status) => pageOfProxy(status, everywhere)),
  ...[401, 403, 404].map((status) => pageOfProxy(status, limited)),
]

const brokenAnswers: readonly FailureMode[] = [
  { name: 'broken JSON', effects: everywhere, fault: () => ({ kind: 'invalid-json' }) },
  { name: 'a connection that ends immediately', effects: everywhere, fault: () => ({ kind: 'cut', when: 'before' }) },
  {
    name: 'a connection that ends in the middle of the body',
    effects: everywhere,
    fault: () => ({ kind: 'cut', when: 'in-body' }),
  },
  { name: 'a slow answer', effects: everywhere, fault: ({ released }) => ({ kind: 'slow', until: released }) },
]

const emptyLists: readonly FailureMode[] = [
  { name: 'an empty page before the next', effects: { overcome: lists }, fault: () => ({ kind: 'empty-page' }) },
  { name: 'an empty page as the last', effects: { lies: lists }, fault: () => ({ kind: 'empty-list' }) },
]

/** All ways in which a response can fail. */
export const failureModes: readonly FailureMode[] = [
  ...errors,
  ...withRetryAfter,
  ...pages,
  ...brokenAnswers,
  ...emptyLists,
]

/** The failure modes of an endpoint, with their effects. */
export function failureModesOf(endpoint: Endpoint): (FailureMode & { readonly effect: Effect })[] {
  return failureModes.flatMap((mode) => {
    const effect = namesOf(mode.effects).find((name) => mode.effects[name]?.includes(endpoint))
    return effect === undefined ? [] : [{ ...mode, effect }]
  })
}

function pageOfProxy(status: number, effects: Effects): FailureMode {
  return { name: `a page of a proxy with status ${status}`, effects, fault: () => ({ kind: 'html', status }) }
}

function namesOf<Name extends string>(table: Partial<Readonly<Record<Name, unknown>>>): Name[] {
  return Object.keys(table) as Name[]
}
