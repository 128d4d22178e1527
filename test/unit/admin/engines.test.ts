import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { systemCaller } from '../../../src/directory/audit.ts'
import { forEachEngine, openTestDatabase } from '../../support/database.ts'
import { headerOf, openTestManagement, rootToken } from './support/management.ts'

const somebody = systemCaller('a test')

forEachEngine((engine) => {
  test('concurrent logins, keys and audit entries form one intact chain', async () => {
    await using database = await openTestDatabase(engine)
    await using test = await openTestManagement({}, database.env)
    const { management } = test
    const target = { kind: 'service', id: undefined } as const
    const work = Array.from({ length: 8 }, async (_, index) => {
      const { key, id } = await management.keys.create({ name: `key ${index}`, scope: { tenant: 'acme' } }, somebody)
      assert.equal((await management.findKey(key))?.scope.tenant, 'acme')
      const login = await test.login(`ADA-${index % 2}@example.com`)
      assert.equal((await test.admins.authenticate(headerOf(login)))?.user.id, login.user.id)
      const changes = { name: { from: 'Zoë 🙂 \\u0000', to: '\0\ud800"' } }
      await management.audit.append({ action: 'delivery.paused', caller: somebody, target, changes, at: index })
      await management.keys.delete(id, somebody)
      await test.admins.disableToken(login.adminToken.id, somebody)
      assert.equal(await management.findKey(key), undefined)
      assert.equal(await test.admins.authenticate(`Bearer ${login.token}`), undefined)
    })
    await Promise.all(work)
    const report = await management.audit.verify()
    assert.deepEqual({ ...report, end: undefined }, { entries: 40, erased: 0, from: 1, to: 40, end: undefined })
  })
})

test('the database files do not contain a secret that was issued', async () => {
  await using database = await openTestDatabase('sqlite')
  const secrets: string[] = [rootToken]
  {
    await using test = await openTestManagement({}, database.env)
    const { token, adminToken } = await test.login()
    const { key } = await test.management.keys.create({ name: 'CI' }, somebody)
    await test.admins.authenticate(headerOf({ ...(await test.login()), adminToken }))
    secrets.push(token, adminToken.token, key, key.slice(12), await test.store.getOrCreateSecret('admin-jwt', 'x'))
    secrets.push(await test.store.getOrCreateSecret('audit-chain', 'x'))
  }
  const files = (await readdir(database.folder)).filter((file) => !file.endsWith('.key'))
  assert(files.length > 0)
  const bytes = await Promise.all(files.map((file) => readFile(join(database.folder, file), 'latin1')))
  assert.deepEqual(
    secrets.filter((secret) => bytes.some((content) => content.includes(secret))),
    [],
  )
})
