/** Another process has opened the file of an embedded database. */
export class DatabaseInUse extends Error {
  override readonly name = 'DatabaseInUse'
}

/**
 * The database cannot be reached or accepts no work at the moment. It is unknown whether a running write is on disk: the
 * response is 503, and identity providers repeat the request.
 */
export class StoreUnavailable extends Error {
  override readonly name: string = 'StoreUnavailable'
}

/**
 * A newer version has migrated the database, and would not read everything that this process writes. This does not pass: processes of the
 * newer version serve the requests, and this one is to be stopped.
 */
export class DatabaseUpgraded extends StoreUnavailable {
  override readonly name = 'DatabaseUpgraded'

  constructor(cause: unknown) {
    super('A newer version has migrated the database: this process can no longer use it, and has to be replaced.', {
      cause,
    })
  }
}

/** Returns whether the database, and not a request or the service itself, is the reason of an error. */
export function isDatabaseTrouble(error: unknown): boolean {
  return error instanceof StoreUnavailable || isDiskTrouble(error)
}

/** Result codes of SQLite for trouble with the disk: it accepts no writes, I/O error, no space, file cannot be opened. */
const diskTrouble: ReadonlySet<number> = new Set([8, 10, 13, 14])

/** Returns whether SQLite could not read or write its file, as when the disk is full or read-only. What was not committed is rolled back. */
export function isDiskTrouble(error: unknown): boolean {
  if (!(error instanceof Error && 'errcode' in error && typeof error.errcode === 'number')) return false
  // The lowest byte is the result code; the others are details.
  return diskTrouble.has(error.errcode & 0xff)
}
