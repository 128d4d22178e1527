import type { FastifyInstance } from 'fastify'
import type { HttpContext } from '../context.ts'
import { addProviderRoutes } from './oidc.ts'
import { addPageRoutes } from './pages.ts'
import { addSessionRoutes } from './session.ts'

export const consolePrefix = '/console'

/** The web interface for operators. */
export async function addConsoleRoutes(app: FastifyInstance, context: HttpContext): Promise<void> {
  await app.register(async (routes) => addSessionRoutes(routes, context))
  await app.register(async (routes) => addProviderRoutes(routes, context))
  await app.register(async (routes) => addPageRoutes(routes, context.service.externalUrl))
}
