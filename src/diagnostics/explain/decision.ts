/** Why a user or group did not arrive at the consumer, in one word. */
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
] as const

export type Verdict = (typeof verdicts)[number]

/** The answer to why a user or group did not arrive. */
export interface Decision {
  readonly verdict: Verdict
  /** When what decides happened, in Unix milliseconds; undefined when nothing has happened. */
  readonly at: number | undefined
  /** What was seen, and when. The operator can send it to the customer. */
  readonly sentence: string
  /** What the operator should do. */
  readonly advice: string
  /** What was seen and what to do, for the customer's administrator. */
  readonly forCustomer: string
}
