import { runTogether } from '../support/run-together.ts'

runTogether('browser/*.test.ts')
