import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Directory } from '../../../../src/directory/directory.ts'
import type { StoredEvent } from '../../../../src/directory/event.ts'
import { SyncStopped } from '../../../../src/google/sync/run.ts'
import { createNotify, createWrite } from '../../../../src/google/sync/write.ts'
import type { WriteContext } from '../../../../src/provisioning/lifecycle.ts'
import { DirectoryChangedError } from '../../../../src/provisioning/lifecycle.ts'
import { toJsonText } from '../../../../src/scim/json-text.ts'
import { someDirectory } from '../../../contract/store/samples.ts'

const google = { domain: 'acme.example', accessToken: undefined, refreshToken: undefined }
const before = someDirectory({ directoryType: 'extdir', google })

function writeWith(refreshed: () => Promise<Directory>) {
  const cause = () => ({ requestId: 'run-1', at: 0 })
  return createWrite({ directory: before, refreshed, onEvents: async () => undefined, cause })
}

/** Fails at the first revision of the directory. */
async function changeOfLaterRevision({ directory }: WriteContext) {
  if (directory.revision === 1) throw new DirectoryChangedError()
  return { events: [] }
}

const alwaysOutdated = () => Promise.reject(new DirectoryChangedError())

test('a change under an outdated revision is repeated under the current one', async () => {
  const revisions: number[] = []
  await writeWith(async () => ({ ...before, revision: 2 }))((context) => {
    revisions.push(context.directory.revision)
    return changeOfLaterRevision(context)
  })
  assert.deepEqual(revisions, [1, 2])
})

test('concurrent changes under an outdated revision read the directory once', async () => {
  let reads = 0
  const write = writeWith(async () => {
    reads += 1
    return { ...before, revision: 2 }
  })
  await Promise.all([write(changeOfLaterRevision), write(changeOfLaterRevision), write(changeOfLaterRevision)])
  assert.equal(reads, 1)
})

test('a run stops when the domain of its directory was changed', async () => {
  const write = writeWith(async () => ({ ...before, revision: 2, google: { ...google, domain: 'other.example' } }))
  await assert.rejects(write(alwaysOutdated), SyncStopped)
})

test('an error while the directory is read again ends the change', async () => {
  const write = writeWith(async () => {
    throw new SyncStopped('The directory was deleted.')
  })
  await assert.rejects(write(alwaysOutdated), /was deleted/)
})

test('a change is abandoned when the directory keeps changing', async () => {
  let revision = 1
  const write = writeWith(async () => {
    revision += 1
    return { ...before, revision }
  })
  await assert.rejects(write(alwaysOutdated), { code: 'busy' })
})

const directory = someDirectory()

function commit(sequence: number): readonly StoredEvent[] {
  const data = toJsonText({})
  return [{ id: `event-${sequence}`, sequence, eventType: 'user.created', createdAt: 0, requestId: 'run-1', data }]
}

test('concurrent commits are reported one after the other in the order of their sequences', async () => {
  const calls: string[] = []
  const notify = createNotify(async (_, [event]) => {
    calls.push(`${event?.sequence} begins`)
    await nextTurn()
    calls.push(`${event?.sequence} ends`)
  })
  await Promise.all([3, 1, 2].map((sequence) => notify(directory, commit(sequence))))
  assert.deepEqual(calls, ['1 begins', '1 ends', '2 begins', '2 ends', '3 begins', '3 ends'])
})

test('an error of the callback fails only its own commit', async () => {
  const reported: (number | undefined)[] = []
  const notify = createNotify(async (_, [event]) => {
    if (event?.sequence === 1) throw new Error('not this one')
    reported.push(event?.sequence)
  })
  await assert.rejects(notify(directory, commit(1)), /not this one/)
  await notify(directory, commit(2))
  assert.deepEqual(reported, [2])
})
