import { runTogether } from '../support/run-together.ts'

runTogether(
  'service/{admin,library}/*.test.ts',
  'service/{api-keys,client,console-session,cors,directories,oauth,openapi*,operations,setup-*,sync}.test.ts',
)
