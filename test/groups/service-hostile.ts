import { runTogether } from '../support/run-together.ts'

runTogether('service/hostile/*.test.ts')
