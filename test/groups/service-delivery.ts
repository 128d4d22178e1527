import { runTogether } from '../support/run-together.ts'

runTogether(
  'service/{delivery*,events,feed*,hold,logged-deliveries,notices,pruned-replay,resync,webhook-secrets}.test.ts',
  'service/{explain,health,log,metrics,request-log,tracing,troubleshooting}.test.ts',
)
