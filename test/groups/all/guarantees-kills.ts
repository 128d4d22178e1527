import { runTogether } from '../../support/run-together.ts'

runTogether('guarantees/kills/!(adoption|durability).test.ts')
