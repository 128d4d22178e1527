import { runTogether } from '../support/run-together.ts'

runTogether('guarantees/{consistency,extdir}/*.test.ts')
