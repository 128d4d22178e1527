import { runTogether } from '../support/run-together.ts'

runTogether('service/{admin,api,library,oauth,privacy}/*.test.ts')
