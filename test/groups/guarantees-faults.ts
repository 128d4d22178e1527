import { runTogether } from '../support/run-together.ts'

runTogether('guarantees/faults/*.test.ts')
