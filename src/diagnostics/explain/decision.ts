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

/** The explanation why a user or group did not arrive. */
export interface Decision {
  readonly verdict: Verdict
  /** Time of the deciding incident, in Unix milliseconds; undefined when nothing has happened. */
  readonly at: number | undefined
  /** The observation, with its time. The operator can send it to the customer. */
  readonly sentence: string
  /** The action that the operator should take. */
  readonly advice: string
  /** The observation and the advice, for the customer's administrator. */
  readonly forCustomer: string
}
