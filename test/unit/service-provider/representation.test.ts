import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Member } from '../../../src/directory/group.ts'
import { memberRepresentations } from '../../../src/service-provider/representation.ts'

const member: fc.Arbitrary<Member> = fc.record({
  id: fc.oneof(fc.uuid(), fc.string({ minLength: 1 })),
  memberType: fc.constantFrom('User' as const, 'Group' as const),
  display: fc.string({ unit: 'binary' }),
})

test('members have their id, address, type and name, whatever characters these contain', () => {
  fc.assert(
    fc.property(fc.array(member), fc.webUrl(), (members, scimUrl) => {
      assert.deepEqual(
        JSON.parse(`[${memberRepresentations(members, scimUrl)}]`),
        members.map(({ id, memberType, display }) => ({
          value: id,
          $ref: `${scimUrl}/${memberType}s/${encodeURIComponent(id)}`,
          type: memberType,
          display,
        })),
      )
    }),
  )
})
