import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMetrics } from '../../../src/http/metrics.ts'

test('a scrape counts the undelivered events once', async () => {
  const { registry, watchStreams } = createMetrics()
  let counted = 0
  watchStreams({
    async countStreams() {
      counted += 1
      return [{ state: 'queued', events: 7, streams: 2, oldestAt: undefined }]
    },
  })
  const metrics = await registry.metrics()
  assert.equal(counted, 1)
  assert.match(metrics, /^rollcall_events_undelivered{state="queued"} 7$/m)
  assert.match(metrics, /^rollcall_streams_behind{state="queued"} 2$/m)
  await registry.metrics()
  assert.equal(counted, 2)
})
