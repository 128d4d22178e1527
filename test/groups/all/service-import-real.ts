import { runTogether } from '../../support/run-together.ts'

runTogether('service/import/real-polis.test.ts')
