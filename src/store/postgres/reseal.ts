import type { KeyRotation } from '../../admin/store.ts'
import { beginningOf, olderBeginnings, resealedColumns, resealedText, selectUnreadable } from '../reseal.ts'
import type { Row } from '../row.ts'
import type { Sealing } from '../sealing.ts'
import { sealedColumns, sealedTexts, unknownKey } from '../sealing.ts'
import type { Database, Statement } from './database.ts'
import { numberParameters } from './sql.ts'

/** `$1` how texts of the older keys begin, `$2` how many rows. */
const isOld = (column: string) => `${beginningOf(column)} = any($1::text[]) limit $2`

const directories = `select id, ${sealedColumns.join(', ')} from directories where ${isOld('scim_secret')}`

/**
 * Nothing is written where the row was changed since it was read: a change of a directory seals everything anew, so that
 * one column tells.
 */
const replaceDirectory = `
  update directories set ${sealedColumns.map((column, index) => `${column} = $${index + 3}`).join(', ')}
  where id = $1 and scim_secret = $2 returning id`

/** `$1` the key of the row, `$2` the text as it was read, `$3` as it becomes. */
const texts = sealedTexts.map(({ table, key, column, locationOf }) => ({
  locationOf,
  select: `select ${key} as key, ${column} as sealed from ${table} where ${isOld(column)}`,
  replace: `update ${table} set ${column} = $3 where ${key} = $1 and ${column} = $2 returning ${key}`,
}))

/** @throws Error when there is a secret that none of the keys opens */
export async function refuseUnknownKeys({ query }: Database, { keyIds }: Sealing): Promise<void> {
  const { text, values } = selectUnreadable(keyIds)
  const [row] = await query({ text: numberParameters(text, 1), values, isRare: true })
  if (row !== undefined) throw unknownKey(String(row['beginning']))
}

/** Seals what older keys sealed with the current one, on PostgreSQL, row by row. */
export function postgresReseal({ query }: Database, sealing: Sealing): KeyRotation {
  const older = olderBeginnings(sealing)
  const sources = [
    { select: directories, replacing: replacingDirectory },
    ...texts.map((text) => ({ select: text.select, replacing: (row: Row) => replacingText(row, text) })),
  ]

  function replacingDirectory(row: Row): Statement {
    return { text: replaceDirectory, values: [row['id'], row['scim_secret'], ...resealedColumns(row, sealing)] }
  }

  function replacingText({ key, sealed }: Row, { replace, locationOf }: (typeof texts)[number]): Statement {
    return { text: replace, values: [key, sealed, resealedText(String(sealed), locationOf(String(key)), sealing)] }
  }

  async function reseal({ select, replacing }: (typeof sources)[number], limit: number) {
    const found = await query({ text: select, values: [older, limit] })
    let resealed = 0
    for (const row of found) resealed += (await query(replacing(row))).length
    return { found: found.length, resealed }
  }

  return {
    async resealed(limit) {
      const total = { found: 0, resealed: 0 }
      for (const source of sources) {
        const { found, resealed } = await reseal(source, limit - total.found)
        total.found += found
        total.resealed += resealed
      }
      return { resealed: total.resealed, left: total.found === limit || total.resealed < total.found }
    },
  }
}
