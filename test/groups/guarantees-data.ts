import { runTogether } from '../support/run-together.ts'

runTogether('guarantees/{concurrency,consumer-copy,holds,isolation,resync}.test.ts', 'guarantees/extdir/*.test.ts')
