import { runTogether } from '../support/run-together.ts'

runTogether('unit/*.test.ts', 'unit/!(fake-google|google|scim)/*.test.ts')
