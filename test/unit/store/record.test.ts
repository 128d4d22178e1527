import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fields, recordOf } from '../../../src/store/record.ts'

interface Parcel {
  readonly id: string
  readonly isSealed: boolean
  readonly sentAt: number | undefined
  readonly note: string | null
  readonly size: { readonly width: number; readonly unit: 'cm' | 'in' }
}

const parcels = recordOf<Parcel>({
  id: fields.text,
  isSealed: fields.named('sealed', fields.boolean),
  sentAt: fields.optionalInteger,
  note: fields.nullableText,
  size: fields.group({ width: fields.integer, unit: fields.oneOf(['cm', 'in']) }, 'size_'),
})

const sent: Parcel = { id: 'a', isSealed: true, sentAt: 7, note: 'fragile', size: { width: 3, unit: 'in' } }
const kept: Parcel = { id: 'b', isSealed: false, sentAt: undefined, note: null, size: { width: 4, unit: 'cm' } }

test('columns have the names of the properties, those of an object with its prefix', () => {
  assert.equal(parcels.columns, 'id, sealed, sent_at, note, size_width, size_unit')
  assert.equal(parcels.columnsOf('p'), 'p.id, p.sealed, p.sent_at, p.note, p.size_width, p.size_unit')
})

test('parameters are numbered from the first one, with the types of their columns in casts', () => {
  const pairs = recordOf<{ key: string; value: number }>({ key: fields.text, value: fields.integer })
  assert.equal(pairs.parameters(3), '$3, $4')
  assert.equal(pairs.casts(3), 'cast($3 as text), cast($4 as bigint)')
})

test('values are in the order of the columns, null where there is none', () => {
  assert.deepEqual(parcels.values(sent), ['a', 1, 7, 'fragile', 3, 'in'])
  assert.deepEqual(parcels.values(kept), ['b', 0, null, null, 4, 'cm'])
})

for (const parcel of [sent, kept]) {
  test(`a row of the values of ${parcel.id} is decoded to the same object`, () => {
    const values = parcels.values(parcel)
    const row = Object.fromEntries(parcels.names.map((name, index) => [name, values[index]]))
    assert.deepEqual(parcels.decode(row), parcel)
  })
}

test('a value that a property cannot have is refused', () => {
  const row = { id: 'a', sealed: 1, sent_at: null, note: null, size_width: 3, size_unit: 'ft' }
  assert.throws(() => parcels.decode(row), /size_unit holds string where one of cm, in was expected/)
})
