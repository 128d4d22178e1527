import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forEachEngine, forSuite } from '../../support/service.ts'
import { admin, logIn } from './support/admin.ts'
import { openUsedService, secretOfQuery } from './support/everything-used.ts'
import { databaseText, whereRead } from './support/grep.ts'

const planted = 'a secret that was planted: 4f9c1'

forEachEngine((engine) => {
  const used = forSuite(() => openUsedService(engine))
  const logText = () =>
    used()
      .service.log.map((line) => JSON.stringify(line))
      .join('\n')

  test('the database contains no secret in plain text', async () => {
    const { secrets, database } = used()
    assert.deepEqual(whereRead(secrets, { database: await databaseText(database) }), [])
  })

  test('the log contains no secret, also at debug level', () => {
    const { service, secrets } = used()
    assert(service.log.length > 100)
    assert.deepEqual(whereRead({ ...secrets, ...secretOfQuery }, { log: logText() }), [])
  })

  test('metrics, health and documentation contain no secret', async () => {
    const { service, secrets } = used()
    const { bearer } = await logIn(service)
    const paths = ['/event/export', '/event?pageLimit=1000', '/token', '/apikey']
    const responses = await Promise.all(paths.map((path) => admin(service, bearer, 'GET', path)))
    const others = await Promise.all(
      ['/metrics', '/openapi.json', '/readyz'].map((path) => service.request('GET', path)),
    )
    const places = Object.fromEntries([...responses, ...others].map(({ text }, index) => [`answer ${index}`, text]))
    assert(responses.every(({ status }) => status === 200))
    assert.deepEqual(whereRead({ ...secrets, ...secretOfQuery }, places), [])
  })

  for (const [form, write] of [
    ['plain text', (secret) => `<${secret}>`],
    ['base64', (secret) => Buffer.from(`xy${secret}z`).toString('base64')],
    ['hex', (secret) => Buffer.from(secret).toString('hex').toUpperCase()],
  ] as readonly (readonly [string, (secret: string) => string])[]) {
    test(`the search finds a secret written in ${form}`, async () => {
      const { service, database } = used()
      const secret = `${planted} in ${form}`
      await service.createDirectory({ name: write(secret) })
      const found = whereRead({ planted: secret }, { database: await databaseText(database) })
      assert.deepEqual(found, [`planted in ${form} in the database`])
    })
  }

  test('the search finds a secret in a log line', () => {
    const line = JSON.stringify({ msg: `the token is ${planted}` })
    assert.deepEqual(whereRead({ planted }, { log: `${logText()}\n${line}` }), ['planted in plain text in the log'])
  })

  test('every kind of secret was used, and all are different', () => {
    const values = Object.values(used().secrets)
    assert(values.length > 45, String(values.length))
    assert.equal(new Set(values).size, values.length)
  })
})
