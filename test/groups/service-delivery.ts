import { runTogether } from '../support/run-together.ts'

runTogether('service/delivery/*.test.ts')
