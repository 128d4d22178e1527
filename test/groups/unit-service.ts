import { runTogether } from '../support/run-together.ts'

runTogether(
  'unit/*.test.ts',
  'unit/{admin,cli,client,concurrency,delivery,diagnostics,directory,http,provisioning,service-provider,store,webhooks}/*.test.ts',
)
