import { runTogether } from '../support/run-together.ts'

runTogether('contract/{plans,overview-plans,request-plans,postgres,postgres-!(partitions)}.test.ts')
