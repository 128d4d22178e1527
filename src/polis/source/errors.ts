/** A Polis that cannot be read; the message says what to do. */
export class PolisSourceError extends Error {
  override readonly name = 'PolisSourceError'
}
