import { runTogether } from '../support/run-together.ts'

runTogether('guarantees/kills/*.test.ts')
