import type { FastifyInstance } from 'fastify'
import { Type } from '../inputs/json-schema.ts'
import { rejectOtherMethods } from './allowed-methods.ts'
import type { HttpContext } from './context.ts'

const path = '/.well-known/jwks.json'

const KeySetSchema = Type.Named('JsonWebKeySet', 'Public keys (RFC 7517 §5).', {
  keys: Type.Array(
    Type.Named('JsonWebKey', 'A public key (RFC 7517 §4).', {
      kty: Type.Literal('OKP', { description: 'The key type (RFC 8037).' }),
      crv: Type.Literal('Ed25519', { description: 'The curve.' }),
      x: Type.String({ description: 'The public key.', examples: ['11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo'] }),
      kid: Type.String({ description: 'The id of the key.', examples: ['mV0Zb2Xl4oYw'] }),
      use: Type.Literal('sig', { description: 'For signatures.' }),
      alg: Type.Literal('EdDSA', { description: 'The algorithm.' }),
    }),
    { description: 'The current key and older ones.' },
  ),
})

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
