import { runTogether } from '../../support/run-together.ts'

runTogether('guarantees/faults/!(chaos-check|expensive-searches|request-log|upgrade).test.ts')
