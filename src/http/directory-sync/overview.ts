import type { FastifyInstance } from 'fastify'
import { healthReasonCodes, healthStates } from '../../diagnostics/health/state.ts'
import { maxWorst, OverviewInput } from '../../diagnostics/overview/overview.ts'
import { maxChanges, maxCounted, TenantInput } from '../../diagnostics/overview/tenant.ts'
import { Type } from '../../inputs/json-schema.ts'
import type { HttpContext } from '../context.ts'
import { dataResponse, sendJson } from '../responses.ts'
import { StoredEventSchema } from './event-schemas.ts'
import { ListedHealthSchema } from './health.ts'
import { envelope, routeOptions } from './schemas.ts'

const Periods = (periods: string) =>
  Type.Array(
    Type.Named('Volume', 'How much happened in a period.', {
      at: Type.String({ format: 'date-time', description: 'When the period began (UTC).' }),
      events: Type.Integer(),
      failed_deliveries: Type.Integer({ description: 'Attempts to send events that failed.' }),
    }),
    { description: `The last ${periods}, the current one last; without those that ended before counting began.` },
  )

const OverviewSchema = Type.Named('Overview', 'The state of all directories at once.', {
  directories: Type.Named('DirectoryCounts', 'The number of directories in each state.', {
    total: Type.Integer({ description: 'All directories.', examples: [120] }),
    healthy: Type.Integer({ description: 'Directories without a problem.', examples: [112] }),
    attention: Type.Integer({ description: 'Directories that need attention.', examples: [6] }),
    failing: Type.Integer({ description: 'Directories that fail.', examples: [2] }),
    held: Type.Integer({ description: 'Directories whose events are held.' }),
    deactivated: Type.Integer({ description: 'Deactivated directories.' }),
  }),
  reasons: Type.Array(
    Type.Object({ code: Type.Enum(healthReasonCodes), state: Type.Enum(healthStates), directories: Type.Integer() }),
    { description: 'Directories by their worst reason, the worst first.' },
  ),
  worst: Type.Array(ListedHealthSchema, { description: `The ${maxWorst} worst directories that are not healthy.` }),
  overdue_deprovisionings: Type.Named(
    'OverdueCount',
    'Users who lost access, which the product does not know in time.',
    {
      count: Type.Integer(),
      is_at_least: Type.Boolean({ description: 'Whether there may be more than were counted.' }),
    },
  ),
  volumes: Type.Named('Volumes', 'How many events there were.', {
    counted_since: Type.String({ format: 'date-time', description: 'Nothing is known about the time before.' }),
    minutes: Periods('60 minutes'),
    hours: Periods('24 hours'),
    days: Periods('30 days'),
  }),
})

const count = (description: string) => Type.Integer({ description, examples: [120] })
const TenantSchema = Type.Named('Tenant', 'The people of a tenant, and what has changed last.', {
  users: count('Users in the directories of the tenant.'),
  inactive_users: count('Users who are not active.'),
  groups: count('Groups in the directories.'),
  is_at_least: Type.Boolean({
    description: `Whether there are more than in the ${maxCounted} directories that count.`,
  }),
  changes: Type.Array(StoredEventSchema, {
    description: `The last ${maxChanges} events, newest first, without held ones.`,
  }),
})

/** The state of all directories at once. The parent plugin has authorized the caller. */
export function addOverviewRoutes(app: FastifyInstance, { service: { overview } }: HttpContext): void {
  app.get(
    '/overview',
    routeOptions('query', 'Get an overview of all directories', {
      operationId: 'getOverview',
      querystring: OverviewInput,
      response: envelope(OverviewSchema),
    }),
    async ({ query }) => dataResponse(await overview.read(query)),
  )
  app.get(
    '/tenant',
    routeOptions('query', 'Get the number of people of a tenant, and what has changed last', {
      operationId: 'getTenant',
      querystring: TenantInput,
      response: envelope(TenantSchema),
    }),
    async ({ query }, reply) => sendJson(reply, await overview.tenant(query)),
  )
}
