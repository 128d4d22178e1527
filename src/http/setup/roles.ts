import type { FastifyInstance } from 'fastify'
import { Type } from '../../inputs/json-schema.ts'
import { GroupRoleInput, PortalGroupsQuery } from '../../setup/inputs.ts'
import { clientSignal } from '../admission.ts'
import type { HttpContext } from '../context.ts'
import { envelope, pagedEnvelope } from '../directory-sync/schemas.ts'
import { dataResponse } from '../responses.ts'
import { callerOf, described } from './operation.ts'
import { PortalGroupSchema, PortalPreviewSchema, PortalRolesRunSchema } from './schemas.ts'

interface OfGroup {
  Params: { groupId: string }
}

const params = Type.Object({ groupId: Type.String({ description: 'The id of a group.' }) })

/** The roles that the holder of a setup link may give to the groups of the directory. The parent plugin has opened the link. */
export function addRoleRoutes(app: FastifyInstance, { service: { portal } }: HttpContext): void {
  app.get(
    '/groups',
    {
      schema: described('List the groups that have arrived, by name, with the roles that the customer gave them', {
        operationId: 'listSetupGroups',
        querystring: PortalGroupsQuery,
        response: pagedEnvelope(Type.Array(PortalGroupSchema)),
      }),
    },
    async ({ setupLink, query }) => {
      const { groups, pageToken } = await portal.groups(setupLink, query)
      return { ...dataResponse(groups), ...(pageToken === undefined ? {} : { pageToken }) }
    },
  )
  app.post<OfGroup>(
    '/groups/:groupId/role/preview',
    {
      schema: described('Preview a role for a group', {
        operationId: 'previewSetupGroupRole',
        params,
        body: GroupRoleInput,
        response: envelope(PortalPreviewSchema),
      }),
    },
    async ({ setupLink, params: { groupId }, body }, reply) =>
      dataResponse(await portal.previewRole(setupLink, groupId, body, clientSignal(reply))),
  )
  app.put<OfGroup>(
    '/groups/:groupId/role',
    {
      schema: described('Give a group one of the roles of the setup link, or none', {
        operationId: 'replaceSetupGroupRole',
        params,
        body: GroupRoleInput,
        response: envelope(PortalRolesRunSchema),
      }),
    },
    async (request) => {
      const { setupLink, params: path, body } = request
      return dataResponse(await portal.giveRole(setupLink, path.groupId, body, callerOf(request)))
    },
  )
  app.get(
    '/roles/run',
    {
      schema: described('Get the progress of the run that changes the roles of users', {
        operationId: 'getSetupRolesRun',
        response: envelope(PortalRolesRunSchema),
      }),
    },
    async ({ setupLink }) => dataResponse(await portal.rolesRun(setupLink)),
  )
}
