import { runTogether } from '../support/run-together.ts'

runTogether(
  'service/{closed-output,demo*,full-disk,listen,package,several-processes,settings,shutdown,start-problems}.test.ts',
)
