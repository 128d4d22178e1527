import { testQuirks } from './quirks.ts'

testQuirks('SailPoint', {
  patches: [{ sends: [{ op: 'add', value: { active: false } }], from: { active: true }, to: { active: false } }],
})
