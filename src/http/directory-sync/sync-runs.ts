import type { FastifyInstance, FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { PagingInput, parseInput } from '../../directory/inputs.ts'
import type { RowPage } from '../../directory/listing.ts'
import type { Started } from '../../google/sync/runs.ts'
import type { HttpContext } from '../context.ts'
import { documented, envelope, IdParams } from './schemas.ts'

interface ById {
  Params: { id: string }
}

interface ByRun {
  Params: { id: string; run: string }
}

const time = Type.Union([Type.String({ format: 'date-time' }), Type.Null()])

const SyncRunSchema = Type.Object({
  id: Type.String({ description: 'Also the request id of the events that the run made.' }),
  directory_id: Type.String(),
  state: Type.Enum(['running', 'completed', 'held', 'failed', 'superseded']),
  phase: Type.Enum(['waiting', 'users', 'groups', 'members', 'managers', 'deletions', 'done']),
  trigger: Type.Enum(['api', 'cron', 'interval', 'library']),
  started_at: Type.String({ format: 'date-time' }),
  finished_at: time,
  requests: Type.Integer({ description: 'Sent to Google, repeated ones too.' }),
  pages: Type.Integer(),
  created: Type.Integer({ description: 'Users and groups.' }),
  updated: Type.Integer(),
  deleted: Type.Integer(),
  held: Type.Integer({ description: 'Deletions that wait for an approval.' }),
  skipped: Type.Integer({ description: 'What could not be taken over.' }),
  members_added: Type.Integer(),
  members_removed: Type.Integer(),
  error: Type.Union([Type.String(), Type.Null()], { description: 'Why it failed, or what it left out.' }),
})
const HeldSchema = Type.Object({ kind: Type.Enum(['user', 'group']), id: Type.String() })
const StartedAllSchema = Type.Object({
  runs: Type.Array(SyncRunSchema),
  skipped: Type.Array(Type.Object({ directory_id: Type.String(), reason: Type.String() })),
})
const RunParams = Type.Object({ id: Type.String(), run: Type.String() })
const WaitQuery = Type.Object({
  wait: Type.Optional(
    Type.Enum(['true', 'false'], { description: 'wait: true to be answered when everything has ended, or false.' }),
  ),
})

/** The pull of directories that push nothing. The parent plugin has checked the API key. */
export function addSyncRunRoutes(app: FastifyInstance, { service: { syncRuns } }: HttpContext): void {
  app.post<ById>(
    '/:id/sync',
    {
      config: { scope: 'directory' },
      schema: documented('Pull a directory now', {
        params: IdParams,
        querystring: WaitQuery,
        response: envelope(SyncRunSchema),
      }),
    },
    async ({ params, query, caller }, reply) => {
      const waits = parseWait(query)
      return answerStarted(reply, await syncRuns.start(params.id, 'api', caller), waits)
    },
  )
  app.post<ByRun>(
    '/:id/sync-runs/:run/approve',
    {
      config: { scope: 'directory' },
      schema: documented('Let a held run delete what it holds', {
        params: RunParams,
        querystring: WaitQuery,
        response: envelope(SyncRunSchema),
      }),
    },
    async ({ params, query, caller }, reply) => {
      const waits = parseWait(query)
      return answerStarted(reply, await syncRuns.approve(params.id, params.run, 'api', caller), waits)
    },
  )
  app.get<ById>(
    '/:id/sync-runs',
    {
      config: { scope: 'directory' },
      schema: documented('List the sync runs of a directory, newest first', {
        params: IdParams,
        querystring: PagingInput,
        response: envelope(Type.Array(SyncRunSchema)),
      }),
    },
    async ({ params, query }) => answerPage(await syncRuns.list(params.id, query)),
  )
  app.get<ByRun>(
    '/:id/sync-runs/:run',
    {
      config: { scope: 'directory' },
      schema: documented('Get a sync run', { params: RunParams, response: envelope(SyncRunSchema) }),
    },
    async ({ params }) => ({ data: await syncRuns.get(params.id, params.run), error: null }),
  )
  app.get<ByRun>(
    '/:id/sync-runs/:run/held',
    {
      config: { scope: 'directory' },
      schema: documented('List the deletions that a run holds back', {
        params: RunParams,
        querystring: PagingInput,
        response: envelope(Type.Array(HeldSchema)),
      }),
    },
    async ({ params, query }) => answerPage(await syncRuns.held(params.id, params.run, query)),
  )
  app.post(
    '/cron/sync-extdir',
    {
      config: { scope: 'service' },
      schema: documented('Pull every directory that is pulled', {
        querystring: WaitQuery,
        response: envelope(StartedAllSchema),
      }),
    },
    async ({ query }) => {
      const waits = parseWait(query)
      const { started, skipped } = await syncRuns.startAll({ trigger: 'cron' })
      const runs = waits ? await Promise.all(started.map(({ ended }) => ended)) : started.map(({ run }) => run)
      return { data: { runs, skipped }, error: null }
    },
  )
}

async function answerStarted(reply: FastifyReply, { run, ended }: Started, waits: boolean) {
  if (waits) return { data: await ended, error: null }
  reply.code(202)
  return { data: run, error: null }
}

function answerPage<T>({ rows, pageToken }: RowPage<T>) {
  return { data: rows, ...(pageToken === undefined ? {} : { pageToken }), error: null }
}

/** @throws DirectoryError `invalid-input` */
function parseWait(query: unknown): boolean {
  return parseInput(WaitQuery, query ?? {}).wait === 'true'
}
