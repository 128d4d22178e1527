/** Another process has the file of an embedded database. */
export class DatabaseInUse extends Error {
  override readonly name = 'DatabaseInUse'
}

/**
 * The database cannot be reached, or takes no work at the moment. Whether a write that was under way is on disk is then
 * not known: the caller answers 503, and identity providers repeat the request.
 */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
}
