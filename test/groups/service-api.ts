import { runTogether } from '../support/run-together.ts'

runTogether('service/*.test.ts', 'service/{admin,api,library,oauth,polis,privacy}/*.test.ts')
