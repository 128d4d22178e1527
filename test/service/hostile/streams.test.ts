import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiPrefix } from '../../support/client.ts'
import { openEventStream } from '../../support/event-stream.ts'
import { forEachEngine, startTestService } from '../../support/service.ts'
import { admin, adminSettings, logIn } from './support/admin.ts'

forEachEngine((engine) => {
  for (const what of ['a key that is deleted', 'an admin who is logged out'] as const) {
    test(`a stream sends ${what} nothing more`, async () => {
      await using service = await startTestService(engine, adminSettings)
      const directory = await service.createDirectory()
      const [ada, eve] = [await logIn(service), await logIn(service, 'eve@example.com')]
      const made = await admin(service, ada.bearer, 'POST', '/apikey', { name: 'reader', scope: { readOnly: true } })
      const { id, key } = made.body.data as unknown as { id: string; key: string }
      const isKey = what === 'a key that is deleted'
      const authorization = isKey ? `Api-Key ${key}` : eve.bearer
      const url = `${service.origin}${apiPrefix}/feed?directoryId=${directory.id}`
      await using stream = await openEventStream(url, { authorization })
      await service.scim(directory, 'POST', '/Users', { userName: 'before' })
      await stream.first(1)
      const end = isKey ? `/apikey/${id}` : `/token/${eve.answer.adminToken.id}`
      assert.equal((await admin(service, ada.bearer, 'DELETE', end)).status, 200)
      await service.scim(directory, 'POST', '/Users', { userName: 'after' })
      await stream.ended()
      assert.equal(stream.events.length, 1)
    })
  }
})
