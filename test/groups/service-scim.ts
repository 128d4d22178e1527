import { runTogether } from '../support/run-together.ts'

runTogether('service/{conformance,scim,traffic}/*.test.ts')
