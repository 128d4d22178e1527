import { runTogether } from '../../support/run-together.ts'

runTogether('guarantees/kills/!(durability).test.ts')
