import assert from 'node:assert/strict'
import { test } from 'node:test'
import { axisValues } from '../../../console/src/ui/axis.ts'

for (const [largest, values] of [
  [0, [0, 1]],
  [1, [0, 1]],
  [4, [0, 1, 2, 3, 4]],
  [5, [0, 2, 4, 6]],
  [8, [0, 2, 4, 6, 8]],
  [9, [0, 5, 10]],
  [77, [0, 20, 40, 60, 80]],
  [100, [0, 50, 100]],
  [201, [0, 100, 200, 300]],
  [4000, [0, 1000, 2000, 3000, 4000]],
  [123_456, [0, 50_000, 100_000, 150_000]],
] as const) {
  test(`an axis up to ${largest} shows ${values.join(', ')}`, () => {
    assert.deepEqual(axisValues(largest), values)
  })
}
