import { runTogether } from '../../support/run-together.ts'

runTogether('contract/postgres-partitions.test.ts')
