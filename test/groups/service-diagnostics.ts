import { runTogether } from '../support/run-together.ts'

runTogether('service/diagnostics/*.test.ts')
