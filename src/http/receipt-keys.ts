import type { FastifyInstance } from 'fastify'
import { Type } from '../inputs/json-schema.ts'
import { rejectOtherMethods } from './allowed-methods.ts'
import type { HttpContext } from './context.ts'

const path = '/.well-known/jwks.json'

const KeySetSchema = Type.Object(
  {
    keys: Type.Array(
      Type.Object({
        kty: Type.Literal('OKP'),
        crv: Type.Literal('Ed25519'),
        x: Type.String(),
        kid: Type.String(),
        use: Type.Literal('sig'),
        alg: Type.Literal('EdDSA'),
      }),
    ),
  },
  { title: 'JsonWebKeySet' },
)

/** The public keys with which anybody verifies receipts of erasures, also old ones (RFC 7517). */
export function addReceiptKeysRoute(app: FastifyInstance, { service: { receipts } }: HttpContext): void {
  app.get(
    path,
    {
      schema: {
        operationId: 'getReceiptKeys',
        tags: ['Operations'],
        security: [],
        summary: 'Get the public keys of the receipts of erasures',
        response: { '200': KeySetSchema },
      },
    },
    async () => ({ keys: await receipts.publicKeys() }),
  )
  rejectOtherMethods(app, path, ['GET'])
}
