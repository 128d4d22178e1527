import type { AddressInfo } from 'node:net'
import { readSettings } from '../../src/app/settings.ts'
import { answerParent } from '../servers/answer-parent.ts'
import { createBareApp } from './app.ts'
import { openBarePostgres } from './postgres.ts'
import { openBareSqlite } from './sqlite.ts'

/** The bare server, with the settings of the service. */
const { DATABASE_URL, DATABASE_POOL_SIZE } = readSettings(process.env)
const store = DATABASE_URL.startsWith('sqlite:')
  ? openBareSqlite(DATABASE_URL.slice('sqlite:'.length))
  : await openBarePostgres(DATABASE_URL, DATABASE_POOL_SIZE)
const app = createBareApp(store)
await app.listen({ host: '127.0.0.1', port: 0 })
answerParent((app.server.address() as AddressInfo).port, async () => {
  await app.close()
  await store.close()
})
