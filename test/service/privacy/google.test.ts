import assert from 'node:assert/strict'
import { test } from 'node:test'
import { settingsOf, startFakeGoogle } from '../../../tools/fake-google/server.ts'
import { connectDirectory, syncWell } from '../../support/extdir.ts'
import { forEachEngine, openTestDatabase, startTestService } from '../../support/service.ts'
import { marker } from './support/marker.ts'
import { allRows, markedPlaces, texts } from './support/tables.ts'

forEachEngine((engine) => {
  test('nothing but the id is left of a person who came from Google Workspace', async () => {
    await using database = await openTestDatabase(engine)
    await using google = await startFakeGoogle()
    const named = { givenName: `${marker}given`, familyName: `O'${marker}` }
    const { id: googleId } = google.addUser({ primaryEmail: `${marker}.user@example.com`, ...named })
    google.addUser({ primaryEmail: 'bob@example.com', givenName: 'Bob', familyName: 'Bean' })
    google.addUserToGroup(google.addGroup({ email: 'crew@example.com', name: 'Crew' }).id, googleId)
    {
      await using service = await startTestService(database, settingsOf(google))
      const directory = await connectDirectory(service, google)
      await syncWell(service, directory)
      google.renameUser(googleId, `${marker}.renamed@example.com`)
      google.suspendUser(googleId)
      await syncWell(service, directory)
      const person = { tenant: 'acme', product: 'crm', subject: googleId }
      const exported = await service.api('POST', '/privacy/export', person)
      assert.match(exported.text, new RegExp(`${marker}\\.renamed@example\\.com`))
      google.deleteUser(googleId)
      for (let n = 0; n < 2; n += 1) {
        const { status, text } = await service.api('POST', '/privacy/erase', person)
        assert.equal(status, 200, text)
      }
      const { created, deleted } = await syncWell(service, directory)
      assert.deepEqual([created, deleted], [0, 0])
    }
    assert.deepEqual(await markedPlaces(database), [])
    const events = texts((await allRows(database)).get('events')).filter((row) => row.includes(googleId))
    assert.ok(events.every((row) => row.includes('erased')))
    assert.equal(events.filter((row) => row.includes('user.erased')).length, 1)
  })
})
