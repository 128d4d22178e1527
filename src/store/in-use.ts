/** Another process has the file of an embedded database. */
export class DatabaseInUse extends Error {
  override readonly name = 'DatabaseInUse'
}
