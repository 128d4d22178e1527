import { runTogether } from '../../support/run-together.ts'

runTogether('service/languages/*.test.ts')
