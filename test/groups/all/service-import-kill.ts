import { runTogether } from '../../support/run-together.ts'

runTogether('service/import/kill.test.ts')
