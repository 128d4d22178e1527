import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Directory } from '../../../../src/directory/directory.ts'
import { SyncStopped } from '../../../../src/google/sync/stop.ts'
import { createWrite } from '../../../../src/google/sync/writer.ts'
import { DirectoryChangedError } from '../../../../src/provisioning/lifecycle.ts'
import { someDirectory } from '../../../contract/store/samples.ts'

const extdir = { domain: 'acme.example', accessToken: undefined, refreshToken: undefined }
const before = someDirectory({ directoryType: 'extdir', google: extdir })

/** A `Write` whose directory is another as soon as it is read again. */
function writeWith(refreshed: () => Promise<Directory>) {
  return createWrite({ directory: before, refreshed, onEvents: async () => undefined })
}

test('a change that is refused as the directory has changed is made under what it is now', async () => {
  const after = { ...before, revision: 2 }
  const used: number[] = []
  await writeWith(async () => after)(async ({ revision }) => {
    used.push(revision)
    if (revision === 1) throw new DirectoryChangedError()
    return { events: [] }
  })
  assert.deepEqual(used, [1, 2])
})

test('changes that are refused at the same time read the directory once', async () => {
  let reads = 0
  const write = writeWith(async () => {
    reads += 1
    return { ...before, revision: 2 }
  })
  const change = async ({ revision }: Directory) => {
    if (revision === 1) throw new DirectoryChangedError()
    return { events: [] }
  }
  await Promise.all([write(change), write(change), write(change)])
  assert.equal(reads, 1)
})

test('a run of another domain than the directory is to show now is over', async () => {
  const write = writeWith(async () => ({ ...before, revision: 2, google: { ...extdir, domain: 'other.example' } }))
  await assert.rejects(
    write(() => Promise.reject(new DirectoryChangedError())),
    SyncStopped,
  )
})

test('what ends the run while the directory is read again ends the change', async () => {
  const write = writeWith(async () => {
    throw new SyncStopped('The directory was deleted.')
  })
  await assert.rejects(
    write(() => Promise.reject(new DirectoryChangedError())),
    /was deleted/,
  )
})

test('a directory that changes all the time is not waited for', async () => {
  let revision = 1
  const write = writeWith(async () => {
    revision += 1
    return { ...before, revision }
  })
  await assert.rejects(
    write(() => Promise.reject(new DirectoryChangedError())),
    { code: 'busy' },
  )
})
