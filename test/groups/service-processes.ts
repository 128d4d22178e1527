import { runTogether } from '../support/run-together.ts'

runTogether(
  'service/{closed-output,demo*,full-disk,listen,loaded-modules,package,quick-start,several-processes,settings,shutdown,start-problems}.test.ts',
)
