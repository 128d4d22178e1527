import { runTogether } from '../support/run-together.ts'

runTogether('service/import/!(kill|real-polis).test.ts')
