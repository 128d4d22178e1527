import assert from 'node:assert/strict'
import { test } from 'node:test'
import { restoreCommand } from '../../../src/cli/backup/restore.ts'
import type { OverviewView } from '../../../src/diagnostics/overview/overview.ts'
import { version as present } from '../../../src/version.ts'
import { engines, openTestDatabase, testEncryptionKey } from '../../support/database.ts'
import { poll } from '../../support/eventually.ts'
import type { Digests, ReleasedContent } from '../../support/released-database.ts'
import {
  digestsOf,
  openReleased,
  readReleased,
  releasedSettings,
  releasedVersions,
} from '../../support/released-database.ts'
import { forEachEngine, startTestService } from '../../support/service.ts'
import { openTestManagement } from '../../unit/admin/support/management.ts'
import { fakeIo } from '../../unit/cli/support/fake-io.ts'

const versions = await releasedVersions()

test('the present version has a database among the released ones', () => {
  assert.ok(versions.includes(present), `run "node test/service/process/released/write.ts" before the release`)
})

for (const version of versions) {
  test(`the migrations that were released with ${version} have not changed`, async () => {
    const released: Digests = JSON.parse(await readReleased(version, 'migrations.json'))
    for (const engine of engines) {
      const changed = 'a released migration never changes: undo the change, and add a migration'
      assert.partialDeepStrictEqual(digestsOf(engine), released[engine], changed)
    }
  })

  test(`a backup of ${version} is restored, after its secrets were checked`, async () => {
    await using backup = await openReleased(version, 'sqlite')
    await using target = await openTestDatabase('sqlite', { isEmpty: true })
    const file = (backup.env['DATABASE_URL'] ?? '').slice('sqlite:'.length)
    const io = fakeIo({ env: { ...target.env, ENCRYPTION_KEY: testEncryptionKey } })
    assert.equal(await restoreCommand([file], io), 0, io.err())
  })

  forEachEngine((engine) => {
    test(`the audit trail of ${version} is intact, also after an erasure from its entries`, async () => {
      await using database = await openReleased(version, engine)
      await using opened = await openTestManagement({}, database.env)
      const { audit } = opened.management
      const before = await audit.verify()
      const [entry = assert.fail()] = await opened.audited()
      const { callerName = '', tenant = '', product = '' } = entry
      const isNamedIn = (text: string) => text === callerName
      const person = { tenant, product, isNamedIn, isMentionedIn: () => false }
      const count = await audit.countEntriesOf(person)
      assert.notEqual(count, 0)
      assert.equal(await audit.erasePerson(person), count)
      const after = await audit.verify()
      assert('entries' in before && 'entries' in after, 'the chain is intact')
      assert.deepEqual(after.end, before.end)
      assert.equal(after.erased > 0 && (await opened.audited())[0]?.callerName, undefined)
    })

    test(`a database of ${version} is upgraded, and has the same content`, async () => {
      await using database = await openReleased(version, engine)
      const content: ReleasedContent = JSON.parse(await readReleased(version, `${engine}.json`))
      await using service = await startTestService(database, releasedSettings)
      const { directory } = content
      for (const [path, body] of Object.entries(content.api))
        assert.partialDeepStrictEqual((await service.api('GET', path)).body, body, path)
      for (const [path, body] of Object.entries(content.scim))
        assert.partialDeepStrictEqual((await service.scim(directory, 'GET', path)).body, body, path)

      await poll(
        async () => (await service.api('GET', '/search?q=acme')).body,
        (body) => (body as { readonly complete?: boolean }).complete === true,
        () => 'the search to be complete',
      )
      for (const text of ['ann@acme', 'sales', 'acme']) {
        const found = (await service.api('GET', `/search?q=${text}&directoryId=${directory.id}`)).body.data
        assert.equal(found.length, 1, text)
      }

      const overview = (await service.api('GET', '/overview')).body.data as unknown as OverviewView
      assert.equal(overview.directories.total, (await service.api('GET', '/health')).body.data.length)

      const { status } = await service.scim(directory, 'POST', '/Users', { userName: 'cid@acme.example' })
      assert.equal(status, 201)
      const before = (content.api[`/feed?directoryId=${directory.id}`] as { data: readonly unknown[] }).data.length
      const feed = (await service.api('GET', `/feed?directoryId=${directory.id}`)).body.data
      assert.deepEqual(
        feed.map((event) => (event as unknown as { sequence: number }).sequence),
        Array.from({ length: before + 1 }, (_, n) => n + 1),
      )
    })
  })
}
