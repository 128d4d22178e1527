import { runTogether } from '../support/run-together.ts'

runTogether('service/{events,explain,feed*,health,log,metrics,request-log,tracing,troubleshooting}.test.ts')
