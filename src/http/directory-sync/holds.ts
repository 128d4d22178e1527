import type { FastifyInstance } from 'fastify'
import { holdReasons } from '../../delivery/hold/hold-store.ts'
import type { HoldPage } from '../../delivery/hold/view.ts'
import { Type } from '../../inputs/json-schema.ts'
import type { HttpContext } from '../context.ts'
import { dataResponse } from '../responses.ts'
import type { ById } from './schemas.ts'
import { IdParams, pagedEnvelope, RemovalLimitSchema, routeOptions } from './schemas.ts'

const time = Type.Union([Type.String(), Type.Null()])
const HoldSchema = Type.Object(
  {
    held: Type.Boolean(),
    since: time,
    reason: Type.Union([Type.Enum(holdReasons), Type.Null()]),
    role: Type.Union([Type.String(), Type.Null()], {
      description: 'The role that too few users have, if that is the reason.',
    }),
    role_users: Type.Union([Type.Integer(), Type.Null()], { description: 'How many had it when the hold began.' }),
    keep_at_least: Type.Union([Type.Integer(), Type.Null()], { description: 'How many users must keep it.' }),
    limit: Type.Union([RemovalLimitSchema, Type.Null()]),
    removals: Type.Integer({ description: 'The number of removals that count, without users who came back.' }),
    active_users: Type.Integer({ description: 'The highest number of active users within the window.' }),
    first_sequence: Type.Union([Type.Integer(), Type.Null()], { description: 'Of the first held event.' }),
    users: Type.Array(
      Type.Object({ id: Type.String(), email: Type.String(), removed_at: Type.String(), returned_at: time }),
      { description: 'The users whose removals count, or counted until they came back, in the order of removal.' },
    ),
  },
  { title: 'Hold' },
)
const HoldPaging = Type.Object({
  pageLimit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: 'pageLimit: users per page.' })),
  pageToken: Type.Optional(Type.String({ description: 'pageToken: the pageToken of the previous page.' })),
})

/** The hold of a directory whose removals exceeded its limit. The parent plugin has authorized the caller. */
export function addHoldRoutes(app: FastifyInstance, { service: { holds } }: HttpContext): void {
  const options = (operationId: string, summary: string, parts = {}) =>
    routeOptions('directory', summary, { operationId, params: IdParams, ...parts, response: pagedEnvelope(HoldSchema) })
  app.get<ById>(
    '/:id/hold',
    options('getHold', 'Get the hold of a directory, with the affected users', { querystring: HoldPaging }),
    async ({ params, query }) => holdResponse(await holds.get(params.id, query)),
  )
  app.post<ById>(
    '/:id/hold/release',
    options('releaseHold', 'Send the held events as they are', { errors: [409] }),
    async ({ params, caller }) => holdResponse(await holds.release(params.id, caller)),
  )
  app.post<ById>(
    '/:id/hold/discard',
    options('discardHold', 'Discard the held events and send a resync of the current state'),
    async ({ params, id: requestId, caller }) => holdResponse(await holds.discard(params.id, requestId, caller)),
  )
}

function holdResponse({ hold, pageToken }: HoldPage) {
  return { ...dataResponse(hold), ...(pageToken === undefined ? {} : { pageToken }) }
}
