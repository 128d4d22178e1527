import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { openStore } from '../../../src/store/open.ts'
import { placeColumns } from '../../../src/store/personal-rows.ts'
import { execute } from '../../support/postgres.ts'
import type { TestDatabase } from '../../support/service.ts'
import { onEveryEngine, openTestDatabase } from '../../support/service.ts'
import { personalData } from './personal-data.ts'

/** The columns of every table of a migrated database, by table. */
async function columnsOf({ engine, env, folder }: TestDatabase): Promise<Map<string, string[]>> {
  const url = env['DATABASE_URL'] ?? ''
  const store = await openStore({
    databaseUrl: url,
    encryptionKey: env['ENCRYPTION_KEY'],
    poolSize: 4,
    onBackgroundError: (error) => assert.ifError(error),
  })
  await store.close()
  const rows =
    engine === 'postgres'
      ? await execute(
          url,
          `select table_name as table, column_name as column from information_schema.columns where table_schema = 'public'`,
        )
      : sqliteColumns(join(folder, 'rollcall.db'))
  const found = new Map<string, string[]>()
  for (const { table, column } of rows) found.set(String(table), [...(found.get(String(table)) ?? []), String(column)])
  return found
}

function sqliteColumns(file: string) {
  using db = new DatabaseSync(file, { readOnly: true })
  return db
    .prepare(
      `select m.name as "table", c.name as "column" from sqlite_schema m, pragma_table_info(m.name) c
       where m.type = 'table' and m.name not like 'sqlite_%'`,
    )
    .all()
}

const declared = Object.entries(personalData).map(([table, { personal = {}, others }]) => ({
  table,
  columns: new Set([...Object.keys(personal), ...Object.values(others).flat()]),
}))

const names = new Map<string, Set<string>>()

onEveryEngine((engine) => {
  test('every table and column is declared as personal data or not', async () => {
    await using database = await openTestDatabase(engine)
    const columns = await columnsOf(database)
    assert.ok(columns.size > 30)
    const undeclared = [...columns].flatMap(([table, all]) => {
      const known = declared.find((one) => one.table === table)?.columns ?? new Set()
      names.set(table, new Set([...(names.get(table) ?? []), ...all]))
      return all.filter((column) => !known.has(column)).map((column) => `${table}.${column}`)
    })
    assert.deepEqual(undeclared, [], 'declare them in personal-data.ts')
  })
})

test('every declared column exists, on one database at least', () => {
  if (process.env['TEST_ENGINES'] !== undefined) return
  const unknown = declared.flatMap(({ table, columns }) =>
    [...columns].filter((column) => !names.get(table)?.has(column)).map((column) => `${table}.${column}`),
  )
  assert.deepEqual(unknown, [])
})

test('what is declared as visited is visited, and nothing else', () => {
  const visited = Object.entries(personalData).flatMap(([table, { personal = {} }]) =>
    Object.entries(personal).flatMap(([column, how]) => (how === 'visited' ? [`${table}.${column}`] : [])),
  )
  // The subjects of refused requests are changed together with the requests.
  const places = Object.entries(placeColumns).flatMap(([table, { personal }]) =>
    personal.map((one) => `${table}.${one}`),
  )
  assert.deepEqual(visited.sort(), [...places, 'refused_subjects.subject'].sort())
})

test('docs/personal-data.md says what is stored, how long, and how it is erased', async () => {
  const page = await readFile(new URL('../../../docs/personal-data.md', import.meta.url), 'utf8')
  for (const [table, { personal = {}, kept }] of Object.entries(personalData)) {
    const columns = Object.keys(personal)
    if (columns.length === 0) continue
    const how = [...new Set(Object.values(personal))].join(', ')
    const row = `| \`${table}\` | ${columns.map((column) => `\`${column}\``).join(', ')} | ${kept} | ${how} |`
    assert.ok(page.includes(row), `the page should have the row ${row}`)
  }
})
