import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silentLogger } from '../../../src/delivery/observer.ts'
import { createRecognize } from '../../../src/directory/returned-users.ts'
import { createDeletedUserPruning } from '../../../src/provisioning/deleted-users.ts'
import { createManualTime } from '../../support/manual-time.ts'

const dayMs = 24 * 3_600_000
const key = Buffer.alloc(32, 1).toString('base64url')
const ann = { userName: 'Ann', externalId: 'a-1' }

for (const { days, before } of [
  { days: 30, before: 10 * dayMs },
  { days: 0, before: 40 * dayMs },
]) {
  test(`with a window of ${days} days, older deletions are forgotten every hour`, async () => {
    const time = createManualTime(40 * dayMs)
    const { clock, schedule } = time
    const asked: number[] = []
    const store = {
      pruneDeletedUsers: async (time: number) => {
        asked.push(time)
        return 0
      },
    }
    const pruning = createDeletedUserPruning({ store, days, clock, schedule, log: silentLogger, random: () => 0.5 })
    pruning.start()
    for (const delayMs of [30_000, 3_600_000]) {
      await time.scheduled(delayMs)
      time.advance(delayMs)
    }
    await pruning.close()
    assert.deepEqual(asked, [before + 30_000, before + 3_630_000])
  })
}

test('digests depend on the key, the directory and the attribute, and on the letter case of an externalId only', () => {
  const digests = (given: Partial<typeof ann>, directoryId = 'directory-1', ofKey = key) =>
    createRecognize(ofKey, 30)?.(directoryId, { ...ann, ...given }, 0).digests()
  const same = digests({})
  assert.deepEqual(digests({ userName: 'aNN' }), same)
  const others = [
    ...[digests({ externalId: 'A-1' })?.externalId, digests({ externalId: 'Ann' })?.externalId],
    ...[digests({ userName: 'ann2' })?.userName, digests({}, 'directory-2')?.userName],
    digests({}, 'directory-1', Buffer.alloc(32, 2).toString('base64url'))?.userName,
  ]
  assert.equal(new Set([same?.userName, same?.externalId, ...others]).size, 2 + others.length)
  for (const text of Object.values(same ?? {})) assert.match(String(text), /^[\w-]{43}$/)
  assert.equal(digests({ externalId: '' })?.externalId, undefined, 'an empty externalId names nobody')
})

test('deletions within the window count, and with a window of 0 days there are none', () => {
  assert.equal(createRecognize(key, 30)?.('directory-1', ann, 31 * dayMs).since, dayMs)
  assert.equal(createRecognize(key, 0), undefined)
})
