/** Another process has opened the file of an embedded database. */
export class DatabaseInUse extends Error {
  override readonly name = 'DatabaseInUse'
}

/**
 * The database cannot be reached or accepts no work at the moment. It is unknown whether a running write is on disk: the
 * response is 503, and identity providers repeat the request.
 */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
}
