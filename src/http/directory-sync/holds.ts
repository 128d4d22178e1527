import type { FastifyInstance } from 'fastify'
import { holdReasons } from '../../delivery/hold/hold-store.ts'
import { EndHoldInput } from '../../delivery/hold/reasons.ts'
import type { HoldPage } from '../../delivery/hold/view.ts'
import { Type } from '../../inputs/json-schema.ts'
import type { HttpContext } from '../context.ts'
import { dataResponse } from '../responses.ts'
import type { ById } from './schemas.ts'
import { IdParams, pagedEnvelope, RemovalLimitSchema, routeOptions } from './schemas.ts'

const time = (description: string) => Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description })
const number = (description: string) => Type.Union([Type.Integer(), Type.Null()], { description })
const users = (description: string) =>
  Type.Array(
    Type.Named('RemovedUser', 'A user who was removed.', {
      id: Type.String(),
      email: Type.String(),
      removed_at: Type.String({ format: 'date-time', description: 'When the user was removed.' }),
      returned_at: time('When the user came back; null if not.'),
    }),
    { description },
  )
const HoldReasonSchema = Type.Named('HoldReason', 'A reason why events are held.', {
  reason: Type.Enum(holdReasons),
  since: Type.String(),
  first_sequence: number('Of the first event that is held for this reason; null when there is no event yet.'),
  limit: Type.Union([RemovalLimitSchema, Type.Null()], { description: 'The exceeded limit, if there is one.' }),
  removals: Type.Integer({ description: 'The number of removals that count, without those that were undone.' }),
  highest: number('The highest number of active users, or of memberships, within the window.'),
  users: users('The users whose removals count: at most a page of them.'),
  roles: Type.Array(
    Type.Named('HeldRole', 'A role that too few users have.', {
      role: Type.String(),
      users: Type.Integer({ description: 'How many had it after the last change that left too few.' }),
      keep_at_least: Type.Integer({ description: 'How many users must keep it.' }),
      since: Type.String(),
      first_sequence: Type.Integer(),
    }),
    { description: 'The roles that too few users have, if that is the reason.' },
  ),
  version: Type.Integer({ description: 'Grows when the directory is held for this reason again.' }),
})
const HoldSchema = Type.Object(
  {
    held: Type.Boolean({ description: 'Whether the events are held.' }),
    since: time('When the hold began.'),
    reason: Type.Union([Type.Enum(holdReasons), Type.Null()]),
    role: Type.Union([Type.String(), Type.Null()], {
      description: 'The role that too few users have, if that is the reason.',
    }),
    role_users: number('How many had it after the last change that left too few.'),
    keep_at_least: number('How many users must keep it.'),
    limit: Type.Union([RemovalLimitSchema, Type.Null()]),
    removals: Type.Integer({ description: 'The number of removals that count, without users who came back.' }),
    active_users: Type.Integer({ description: 'The highest number of active users within the window.' }),
    first_sequence: number('Of the first held event.'),
    users: users('The users whose removals count, or counted until they came back, in the order of removal.'),
    reasons: Type.Array(HoldReasonSchema, { description: 'All reasons, by their first events.' }),
    version: Type.Union([Type.String(), Type.Null()], {
      description: 'Send it with a release or discard, which then ends no reason that has come since.',
      examples: ['users:1'],
    }),
  },
  {
    title: 'Hold',
    description:
      'The fields besides `held`, `reasons` and `version` are those of one reason: the first, or the one that the query names.',
  },
)
const HoldPaging = Type.Object({
  pageLimit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: 'pageLimit: users per page.' })),
  pageToken: Type.Optional(Type.String({ description: 'pageToken: the pageToken of the previous page.' })),
  reason: Type.Optional(
    Type.Enum(holdReasons, { description: 'reason: whose users the page has; by default the first reason.' }),
  ),
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
    options('releaseHold', 'Send the held events as they are', { body: EndHoldInput, errors: [409] }),
    async ({ params, body, caller }) => holdResponse(await holds.release(params.id, body, caller)),
  )
  app.post<ById>(
    '/:id/hold/discard',
    options('discardHold', 'Discard the held events and send a resync of the current state', {
      body: EndHoldInput,
      errors: [409],
    }),
    async ({ params, body, id: requestId, caller }) =>
      holdResponse(await holds.discard(params.id, body, requestId, caller)),
  )
}

function holdResponse({ hold, pageToken }: HoldPage) {
  return { ...dataResponse(hold), ...(pageToken === undefined ? {} : { pageToken }) }
}
