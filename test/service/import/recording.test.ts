import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { createOpenValue } from '../../../src/polis/import/source/encryption.ts'
import { polisLibrary, polisVersion } from '../../../tools/polis/library.ts'
import type { PublishedAnswers } from '../polis/same-calls.ts'
import { publishedAnswersFile } from '../polis/same-calls.ts'
import { polisKey, readRecording } from './support/recording.ts'

const library = `${polisLibrary}@${polisVersion}`

for (const name of ['plain', 'encrypted'] as const) {
  test(`the recorded rows (${name}) are whole, and of the version of Polis that is named everywhere`, async () => {
    const recording = await readRecording(name)
    assert.equal(recording.library, library)
    const open = createOpenValue(name === 'encrypted' ? polisKey : undefined)
    const keys = new Set<string>()
    for (const { key, namespace, createdAt, value, iv, tag } of recording.store) {
      assert.ok(key.startsWith(`${namespace}:`), key)
      assert.match(createdAt, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/)
      assert.equal(typeof value === 'string', name === 'encrypted', key)
      if (typeof value === 'string') assert.ok(open({ value, iv, tag }), key)
      keys.add(key)
    }
    assert.equal(keys.size, recording.store.length)
    for (const [, storeKey] of recording.index) assert.ok(keys.has(storeKey), storeKey)
    assert.deepEqual(
      recording.moving.map(({ directory }) => directory.id),
      recording.shown.slice(0, recording.moving.length).map(({ directory }) => directory.id),
    )
  })
}

test('the recorded answers of Polis are of the same version', async () => {
  const { library: recorded, answers }: PublishedAnswers = JSON.parse(await readFile(publishedAnswersFile, 'utf8'))
  assert.equal(recorded, library)
  assert.ok(Object.keys(answers).length > 40)
})
