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

/** What an advice asks for, where a call of the API does it. Every advice that names a route has one. */
export const actionKinds = [
  'resume-delivery',
  'replay',
  'test-endpoint',
  'set-endpoint',
  'release-hold',
  'rotate-secret',
  'reconnect',
  'start-sync',
  'approve-deletions',
  'activate-directory',
  'show-sync-runs',
  'show-request',
  'show-oauth-clients',
] as const

export interface Action {
  readonly kind: (typeof actionKinds)[number]
  /** The event to send again. */
  readonly sequence?: number
  /** The request to show. */
  readonly requestId?: string
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
  /** The action as a program can take it; undefined when it is not one of these. */
  readonly action?: Action
  /** The observation and the advice, for the customer's administrator. */
  readonly forCustomer: string
}
