import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LogLine } from '../../support/service.ts'
import { forEachEngine, openTestDatabase, startTestService } from '../../support/service.ts'

const isAbout = (what: string) => (line: LogLine) => String(line['msg']).includes(what)

forEachEngine((engine) => {
  test(`${engine}: a new database is one line, and the second start none`, async () => {
    await using database = await openTestDatabase(engine, { isEmpty: true })
    const first = await startTestService(database)
    await first.close()
    const lines = first.log.filter((line) => isAbout('database')(line) || isAbout('migration')(line))
    assert.deepEqual(
      lines.map(({ msg }) => msg),
      ['a new database is being set up'],
    )
    await using second = await startTestService(database)
    assert.deepEqual(second.log.filter(isAbout('database')), [])
  })
})
