import { runTogether } from '../support/run-together.ts'

runTogether('guarantees/{backup,chaos*,database-outage,expensive-searches,request-log,suspended-process}.test.ts')
