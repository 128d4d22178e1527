import { basename, dirname, extname, join } from 'node:path'

/** The file of an embedded database, by `DATABASE_URL`; undefined for PostgreSQL and for a database in memory. */
export function databaseFile(databaseUrl: string): string | undefined {
  const [, file] = /^sqlite:(.+)$/.exec(databaseUrl) ?? []
  return file === ':memory:' ? undefined : file
}

/** The key of `data/rollcall.db` is in `data/rollcall.key`. */
export function keyFile(file: string): string {
  return beside(file, '.key')
}

/** Where the process that uses `data/rollcall.db` listens for commands of this machine: `data/rollcall.sock`. */
export function socketFile(file: string): string {
  return beside(file, '.sock')
}

function beside(file: string, extension: string): string {
  return join(dirname(file), `${basename(file, extname(file))}${extension}`)
}
