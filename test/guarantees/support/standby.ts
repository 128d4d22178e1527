import { appendFile, copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'

/**
 * Copies the data of a running server to a folder, as a standby that follows it. The packages of the binaries contain no
 * `pg_basebackup`: this is the low-level backup of PostgreSQL's manual.
 *
 * @param upstream the address that the standby follows
 */
export async function copyAsStandby(url: string, from: string, to: string, upstream: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`select pg_backup_start('standby', true)`)
    await copyFolder(from, to)
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
    await writeFile(join(to, 'backup_label'), rows[0]?.labelfile ?? '')
  } finally {
    await client.end()
  }
  const { hostname, port, username, password } = new URL(upstream)
  const upstreamText = `host=${hostname} port=${port} user=${username} password=${password} application_name=standby`
  await rm(join(to, 'postmaster.pid'), { force: true })
  await writeFile(join(to, 'standby.signal'), '')
  // The last value of a setting counts: a promoted standby has none of its own to wait for.
  await appendFile(
    join(to, 'postgresql.auto.conf'),
    `primary_conninfo = '${upstreamText}'\nsynchronous_standby_names = ''\ndefault_transaction_read_only = off\n`,
  )
}

/** Files that end while they are copied are left out: the log of changes, which the standby follows, has what was in them. */
async function copyFolder(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 })
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) await copyFolder(source, target)
    else if (entry.isFile() && entry.name !== 'postmaster.pid') await copyFile(source, target).catch(ignoreMissing)
  }
}

function ignoreMissing(error: unknown): void {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return
  throw error
}
