import { createRequire } from 'node:module'
import type undici from 'undici'

const load = createRequire(import.meta.url)

/**
 * The parts of undici that deliveries use. Its index also loads fetch, WebSocket, caches and mocks, which take six
 * megabytes of memory.
 */
export const Agent: typeof undici.Agent = load('undici/lib/dispatcher/agent.js')
export const buildConnector: typeof undici.buildConnector = load('undici/lib/core/connect.js')
