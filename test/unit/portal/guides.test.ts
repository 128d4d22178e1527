import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { guideFor } from '../../../console/src/portal/guides.ts'
import { directoryTypes } from '../../../src/directory/provider.ts'

const folder = new URL('../../../console/src/portal/guides/', import.meta.url)

test('every guide names the documentation that it follows, with the day', () => {
  for (const name of readdirSync(folder)) {
    const [comment = ''] = readFileSync(new URL(name, folder), 'utf8').split('import')
    assert.match(comment, /Followed on 20\d\d-\d\d-\d\d/, name)
    assert.match(comment, /https:\/\/|RFC/, name)
  }
})

for (const type of directoryTypes) {
  const { variants, sources, help } = guideFor(type)

  test(`the guide for ${type} has each step once, and says where to enter the values`, () => {
    for (const { steps } of variants) {
      assert.equal(new Set(steps.map(({ text }) => text)).size, steps.length)
      const values = steps.flatMap(({ form }) => form?.fields.map(({ value }) => value) ?? [])
      if (type === 'extdir') continue
      assert.ok(values.includes('secret'), 'the secret')
      assert.ok(values.includes('endpoint') || values.includes('endpoint-for-entra'), 'the address')
    }
    if (sources !== undefined) assert.ok(sources.userName !== undefined && sources.active !== undefined)
    if (help !== undefined) assert.match(help, /^https:\/\//)
  })
}
