/** The reasons why a user or group did not arrive at the consumer. */
export const verdicts = [
  'never-sent',
  'looked-up-only',
  'refused',
  'unauthorized',
  'waiting',
  'failing',
  'dead',
  'held',
  'delivered',
  'deactivated',
  'deleted',
  'unknown',
] as const

export type Verdict = (typeof verdicts)[number]

/** The call of the API for what an advice asks for. */
const calls = {
  'resume-delivery': (id: string) => `POST /${id}/resume`,
  replay: (id: string, { sequence }: ActionDetails) => `POST /${id}/replay {"sequence": ${sequence}}`,
  'test-endpoint': (id: string) => `POST /${id}/test-event`,
  'set-endpoint': (id: string) => `PATCH /${id} {"webhook_url": "https://…"}`,
  'release-hold': (id: string) => `POST /${id}/hold/release`,
  'rotate-secret': (id: string) => `POST /${id}/rotate-secret`,
  reconnect: (id: string) => `POST /${id}/authorization-url`,
  'start-sync': (id: string) => `POST /${id}/sync`,
  'approve-deletions': (id: string) => `POST /${id}/hold/release {"reasons": ["sync"]}`,
  'activate-directory': (id: string) => `PATCH /${id} {"deactivated": false}`,
  'show-sync-runs': (id: string) => `GET /${id}/sync-runs`,
  'show-request': (_: string, { requestId }: ActionDetails) => `GET /requests/${requestId}`,
  'show-oauth-clients': (id: string) => `GET /${id}/oauth-clients`,
} as const

type ActionKind = keyof typeof calls

export const actionKinds = Object.keys(calls) as readonly ActionKind[]

/** The method, path and body of the call for an action in a directory. The advice itself, which people read, names no route. */
export function callFor({ kind, ...details }: Action, directoryId: string): string {
  return calls[kind](directoryId, details)
}

interface ActionDetails {
  /** The event to send again. */
  readonly sequence?: number
  /** The request to show. */
  readonly requestId?: string
}

/** What an advice asks for, where a call of the API does it. */
export interface Action extends ActionDetails {
  readonly kind: ActionKind
}

/** The explanation why a user or group did not arrive. */
export interface Decision {
  readonly verdict: Verdict
  /** Time of the deciding incident, in Unix milliseconds; undefined when nothing has happened. */
  readonly at: number | undefined
  /** The observation, with its time. The operator can send it to the customer. */
  readonly sentence: string
  /** The action that the operator should take. */
  readonly advice: string
  /** The action as a program can take it; undefined when it is not a single call. */
  readonly action?: Action
  /** The observation and the advice, for the customer's administrator. */
  readonly forCustomer: string
}
