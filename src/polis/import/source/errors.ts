/** A Polis that cannot be read; the message says what to do. */
export class PolisSourceError extends Error {
  override readonly name: string = 'PolisSourceError'
}

/** A list of Polis that was not read whole; the message says why. Thrown after the records that could be read. */
export class IncompleteList extends PolisSourceError {
  override readonly name = 'IncompleteList'
}
