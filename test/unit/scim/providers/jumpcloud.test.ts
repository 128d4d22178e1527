import { testQuirks } from './quirks.ts'

testQuirks('JumpCloud', {
  members: [
    {
      sends: { op: 'remove', path: 'members', value: [{ value: 'u1' }, { value: 'u2' }] },
      means: { op: 'remove', path: 'members[value eq "u1" or value eq "u2"]' },
    },
  ],
})
