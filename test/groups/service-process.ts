import { runTogether } from '../support/run-together.ts'

runTogether('service/process/*.test.ts')
