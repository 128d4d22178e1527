import type { FastifyInstance } from 'fastify'
import { rotateKeys } from '../../admin/rotate-keys.ts'
import type { HttpContext } from '../context.ts'
import { envelope } from '../directory-sync/schemas.ts'
import { documented, ResealedSchema } from './schemas.ts'

/** What secrets are encrypted with. The parent plugin has checked who asks. */
export function addEncryptionKeyRoutes(app: FastifyInstance, { service, management }: HttpContext): void {
  const parts = { store: service.store, audit: management.audit, clock: Date.now }
  app.post(
    '/rotate-keys',
    {
      schema: documented('Encrypt every stored secret with the first of the encryption keys', {
        response: envelope(ResealedSchema),
      }),
    },
    async ({ caller }) => ({ data: await rotateKeys(parts, caller), error: null }),
  )
}
