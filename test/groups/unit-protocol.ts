import { runTogether } from '../support/run-together.ts'

// Of all groups, only this one loads nothing of Google by itself.
runTogether('unit/scim/*.test.ts', 'unit/scim/providers/*.test.ts', 'unit/google/client/lazy.test.ts')
