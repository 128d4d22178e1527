import { runTogether } from '../support/run-together.ts'

runTogether(
  'service/{conformance,traffic}/*.test.ts',
  'service/{allowed-methods,any-input,bad-input,batches,bulk,deactivated-users,find-by-name,groups,large-bodies,lists,passwords,reads,scim*,unknown-input,value-filters}.test.ts',
)
