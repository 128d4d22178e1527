import { createLog } from '../../src/cli/log.ts'
import { startServer } from '../../src/cli/start.ts'
import { readSettings } from '../../src/settings.ts'
import { answerParent } from './answer-parent.ts'

/** The service, as `rollcall serve` starts it. */
const settings = readSettings(process.env)
const server = await startServer(settings, createLog(settings.LOG_LEVEL))
answerParent(Number(new URL(server.baseUrl).port), () => server.close())
