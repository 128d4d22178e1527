/**
 * Node's HTTP module, for `src/`. An `import` of `node:http` reads all of its exports, also those that load Node's own
 * fetch and WebSocket: they take seven megabytes of memory.
 */
export const { createServer, request, STATUS_CODES } = process.getBuiltinModule('node:http')
