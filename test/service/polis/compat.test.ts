import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { forEachEngine, serviceForSuite } from '../../support/service.ts'
import { differences, stepsOn } from './differences.ts'

const anywhere = 'http://127.0.0.1:9/hook'

forEachEngine((engine) => {
  for (const [mode, settings] of [
    ['on', { POLIS_COMPAT: 'true' }],
    ['off', {}],
  ] as const) {
    describe(`with POLIS_COMPAT ${mode}`, () => {
      const service = serviceForSuite(engine, settings)
      for (const { title, show, on, off = on } of differences) {
        test(title, async () => assert.deepEqual(await show(stepsOn(service(), anywhere)), mode === 'on' ? on : off))
      }
    })
  }
})
