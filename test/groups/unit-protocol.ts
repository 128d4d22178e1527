import { runTogether } from '../support/run-together.ts'

// This is the only group that does not load the code for Google itself.
runTogether('unit/scim/*.test.ts', 'unit/scim/providers/*.test.ts', 'unit/google/client/lazy.test.ts')
