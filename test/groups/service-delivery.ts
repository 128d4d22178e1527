import { runTogether } from '../support/run-together.ts'

runTogether('service/{delivery*,hold,logged-deliveries,notices,pruned-replay,resync,webhook-secrets}.test.ts')
