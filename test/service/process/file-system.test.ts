import assert from 'node:assert/strict'
import { test } from 'node:test'
import { doctorCommand } from '../../../src/cli/doctor/command.ts'
import { mountAs } from '../../support/file-system.ts'
import type { TestDatabase, TestService } from '../../support/service.ts'
import { openTestDatabase, startTestService } from '../../support/service.ts'
import { fakeIo } from '../../unit/cli/support/fake-io.ts'

interface Report {
  readonly checks: readonly { name: string; status: string; message: string; advice?: string }[]
}

/** The check of the file system, by `rollcall doctor`. */
async function diagnose({ env }: TestDatabase) {
  const io = fakeIo({ env })
  await doctorCommand(['--json'], io)
  const report: Report = JSON.parse(io.out())
  return report.checks.find(({ name }) => name === 'file system')
}

const warningsOf = ({ log }: TestService) => log.filter(({ level }) => level === 40).map(({ msg }) => String(msg))

const isLinux = { skip: process.platform === 'linux' ? false : 'Linux alone has these types' }

for (const { name, type } of [
  { name: 'NFS', type: 0x6969 },
  { name: 'SMB', type: 0x517b },
  { name: 'SMB', type: 0xfe534d42 },
  { name: 'CIFS', type: 0xff534d42 },
  { name: '9p', type: 0x01021997 },
  { name: 'FUSE', type: 0x65735546 },
]) {
  test(`a start with the database on ${name} (${type.toString(16)}) warns, and so does doctor`, isLinux, async () => {
    await using database = await openTestDatabase('sqlite')
    using _mount = mountAs(type, database.folder)
    await using service = await startTestService(database)
    const problem = `${database.folder}/rollcall.db is on ${name}, where locks and writes can be lost, which damages the database`
    const advice = 'Move the database and its key to a local disk, or use PostgreSQL (DATABASE_URL).'
    assert.deepEqual(warningsOf(service), [`${problem}. ${advice}`])
    assert.deepEqual(await diagnose(database), { name: 'file system', status: 'warn', message: problem, advice })
  })
}

for (const { where, type } of [
  { where: 'on a local disk', type: 0xef53 },
  { where: 'on a file system without a name here', type: 0x12345678 },
  { where: 'where the type of the file system cannot be read', type: new Error('ENOSYS') },
]) {
  test(`a start with the database ${where} does not warn, and neither does doctor`, async () => {
    await using database = await openTestDatabase('sqlite')
    using _mount = mountAs(type, database.folder)
    await using service = await startTestService(database)
    assert.deepEqual(warningsOf(service), [])
    assert.equal((await diagnose(database))?.status, 'ok')
  })
}
