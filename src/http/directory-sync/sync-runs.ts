import type { FastifyInstance, FastifyReply } from 'fastify'
import { PagingInput, parseInput } from '../../directory/inputs.ts'
import { syncTriggers } from '../../google/google-store.ts'
import type { Started } from '../../google/sync/runs.ts'
import { Type } from '../../inputs/json-schema.ts'
import type { HttpContext } from '../context.ts'
import { dataResponse, pageResponse } from '../responses.ts'
import type { ById } from './schemas.ts'
import { envelope, exampleId, IdParams, routeOptions } from './schemas.ts'

interface ByRun {
  Params: { id: string; run: string }
}

const SyncRunSchema = Type.Named('SyncRun', 'A sync of a Google Workspace directory.', {
  id: Type.String({ description: 'Also the request id of the events of this run.' }),
  directory_id: Type.String(),
  state: Type.Enum(['running', 'completed', 'held', 'failed', 'superseded']),
  phase: Type.Enum(['waiting', 'users', 'groups', 'members', 'managers', 'deletions', 'done'], {
    description: 'What it is doing.',
  }),
  trigger: Type.Enum(syncTriggers, { description: 'What started it.' }),
  started_at: Type.String({ format: 'date-time' }),
  finished_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description: 'When it ended.' }),
  requests: Type.Integer({ description: 'Requests sent to Google, including retries.' }),
  pages: Type.Integer({ description: 'Pages that Google returned.', examples: [12] }),
  created: Type.Integer({ description: 'Users and groups.' }),
  updated: Type.Integer({ description: 'Users and groups.' }),
  deleted: Type.Integer({ description: 'Users and groups.' }),
  held: Type.Integer({ description: 'Deletions that wait for approval.' }),
  skipped: Type.Integer({ description: 'Entries that could not be imported.' }),
  members_added: Type.Integer({ description: 'Memberships.' }),
  members_removed: Type.Integer({ description: 'Memberships.' }),
  error: Type.Union([Type.String(), Type.Null()], { description: 'Why the run failed, or what it skipped.' }),
})
const HeldSchema = Type.Object({ kind: Type.Enum(['user', 'group']), id: Type.String() }, { title: 'HeldDeletion' })
const StartedAllSchema = Type.Named('StartedSyncs', 'The syncs that were started.', {
  runs: Type.Array(SyncRunSchema, { description: 'A run of each directory.' }),
  skipped: Type.Array(Type.Object({ directory_id: Type.String(), reason: Type.String() }, { title: 'SkippedSync' }), {
    description: 'Directories that were not started.',
  }),
})
const RunParams = Type.Object({
  id: IdParams.properties.id,
  run: Type.String({ description: 'The id of a run.', examples: [exampleId('5001')] }),
})
const WaitQuery = Type.Object({
  wait: Type.Optional(
    Type.Enum(['true', 'false'], { description: 'wait: true to respond when the sync has ended, or false.' }),
  ),
})

/** Syncs of Google Workspace directories. The parent plugin has authorized the caller. */
export function addSyncRunRoutes(app: FastifyInstance, context: HttpContext): void {
  addSyncStartRoutes(app, context)
  addSyncHistoryRoutes(app, context)
}

function addSyncStartRoutes(app: FastifyInstance, { service: { syncRuns } }: HttpContext): void {
  const started = {
    querystring: WaitQuery,
    response: envelope(SyncRunSchema),
    status: [200, 202],
    errors: [409, 501],
  }
  app.post<ById>(
    '/:id/sync',
    routeOptions('directory', 'Sync a directory now', { operationId: 'startSync', params: IdParams, ...started }),
    async ({ params, query, caller }, reply) => {
      const waits = parseWait(query)
      return startedResponse(reply, await syncRuns.start(params.id, 'api', caller), waits)
    },
  )
  app.post<ByRun>(
    '/:id/sync-runs/:run/approve',
    routeOptions('directory', 'Approve the deletions that a sync run holds', {
      operationId: 'approveSyncRun',
      params: RunParams,
      ...started,
    }),
    async ({ params, query, caller }, reply) => {
      const waits = parseWait(query)
      return startedResponse(reply, await syncRuns.approve(params.id, params.run, 'api', caller), waits)
    },
  )
  app.post(
    '/cron/sync-extdir',
    routeOptions('service', 'Sync every Google Workspace directory', {
      operationId: 'startAllSyncs',
      errors: [501],
      querystring: WaitQuery,
      response: envelope(StartedAllSchema),
    }),
    async ({ query }) => {
      const waits = parseWait(query)
      const { started, skipped } = await syncRuns.startAll({ trigger: 'cron' })
      const runs = waits ? await Promise.all(started.map(({ ended }) => ended)) : started.map(({ run }) => run)
      return dataResponse({ runs, skipped })
    },
  )
}

function addSyncHistoryRoutes(app: FastifyInstance, { service: { syncRuns } }: HttpContext): void {
  app.get<ById>(
    '/:id/sync-runs',
    routeOptions('directory', 'List the sync runs of a directory, newest first', {
      operationId: 'listSyncRuns',
      params: IdParams,
      querystring: PagingInput,
      response: envelope(Type.Array(SyncRunSchema)),
    }),
    async ({ params, query }) => pageResponse(await syncRuns.list(params.id, query)),
  )
  app.get<ByRun>(
    '/:id/sync-runs/:run',
    routeOptions('directory', 'Get a sync run', {
      operationId: 'getSyncRun',
      params: RunParams,
      response: envelope(SyncRunSchema),
    }),
    async ({ params }) => dataResponse(await syncRuns.get(params.id, params.run)),
  )
  app.get<ByRun>(
    '/:id/sync-runs/:run/held',
    routeOptions('directory', 'List the deletions that a sync run holds', {
      operationId: 'listHeldDeletions',
      params: RunParams,
      querystring: PagingInput,
      response: envelope(Type.Array(HeldSchema)),
    }),
    async ({ params, query }) => pageResponse(await syncRuns.held(params.id, params.run, query)),
  )
}

async function startedResponse(reply: FastifyReply, { run, ended }: Started, waits: boolean) {
  if (waits) return dataResponse(await ended)
  reply.code(202)
  return dataResponse(run)
}

/** @throws DirectoryError `invalid-input` */
function parseWait(query: unknown): boolean {
  return parseInput(WaitQuery, query ?? {}).wait === 'true'
}
