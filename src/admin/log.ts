/** Where the management of the service writes what an operator must know; a pino logger is one. */
export interface AdminLog {
  warn(details: object, message: string): void
  error(details: object, message: string): void
}
