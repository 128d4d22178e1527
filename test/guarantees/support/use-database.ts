/**
 * Opens the database `DATABASE_URL` as a start of the service does, copies it into the file of the argument, if any,
 * and closes it.
 */
import process from 'node:process'
import { openStore } from '../../../src/store/open.ts'

const { DATABASE_URL: databaseUrl = '' } = process.env
const [, , copy] = process.argv
const store = await openStore({
  ...{ databaseUrl, encryptionKey: undefined, poolSize: 1 },
  onBackgroundError(error) {
    throw error
  },
})
if (copy !== undefined) await store.backup?.(copy)
await store.close()
process.stdout.write('done\n')
