import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestDatabase } from '../../../support/database.ts'

/** Secrets by name. */
export type Secrets = Readonly<Record<string, string>>

/**
 * Finds secrets in plain text or encoded, as base64 in both alphabets (at any offset of a longer text) or hexadecimal,
 * of the text and of the bytes that it encodes.
 */
export function whereRead(secrets: Secrets, places: Readonly<Record<string, string>>): string[] {
  const folded = Object.entries(places).map(([place, text]) => ({ place, text, lower: text.toLowerCase() }))
  return Object.entries(secrets).flatMap(([name, secret]) => {
    if (secret.length < 8) throw new Error(`${name} is too short to look for`)
    return Object.entries(formsOf(secret)).flatMap(([form, texts]) =>
      folded.flatMap(({ place, text, lower }) => {
        const isHex = form.startsWith('hex')
        return texts.some((one) => (isHex ? lower : text).includes(one)) ? [`${name} in ${form} in the ${place}`] : []
      }),
    )
  })
}

function formsOf(secret: string): Readonly<Record<string, readonly string[]>> {
  const text = Buffer.from(secret, 'utf8')
  const bytes = bytesOf(secret)
  return {
    'plain text': [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)],
    base64: base64Of(text),
    hex: [text.toString('hex')],
    ...(bytes === undefined
      ? {}
      : {
          bytes: [bytes.toString('latin1')],
          'base64 of its bytes': base64Of(bytes),
          'hex of its bytes': [bytes.toString('hex')],
        }),
  }
}

/** The decoded bytes of a text in base64 or hexadecimal, if it is long enough to be unambiguous. */
function bytesOf(secret: string): Buffer | undefined {
  const bare = secret.replace(/^(whsec_|rck_)/, '')
  if (/^([0-9a-f]{2}){16,}$/i.test(bare)) return Buffer.from(bare, 'hex')
  return /^[\w+/-]{22,}={0,2}$/.test(bare) ? Buffer.from(bare, 'base64') : undefined
}

/**
 * The base64 of bytes at each of the three possible offsets, without the characters that depend on their neighbours.
 */
function base64Of(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const padded = Buffer.concat([Buffer.alloc(before), bytes])
    const whole = Math.floor(padded.length / 3) * 3
    return (['base64', 'base64url'] as const).map((alphabet) =>
      padded
        .subarray(0, whole)
        .toString(alphabet)
        .slice(before === 0 ? 0 : 4),
    )
  })
}

/**
 * The content of a database: the bytes of SQLite's files, or every row of PostgreSQL as text, with bytes in
 * hexadecimal.
 */
export async function databaseText({ engine, env, folder }: TestDatabase): Promise<string> {
  if (engine === 'sqlite') {
    const files = readdirSync(folder).filter((file) => file.startsWith('rollcall.db'))
    return files.map((file) => readFileSync(join(folder, file), 'latin1')).join('\n')
  }
  const { execute } = await import('../../../support/postgres.ts')
  const url = env['DATABASE_URL'] ?? ''
  const tables = await execute(
    url,
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  )
  const rows = await Promise.all(tables.map(({ name }) => execute(url, `select t::text as row from ${name} t`)))
  return rows.flatMap((table) => table.map(({ row }) => String(row))).join('\n')
}
