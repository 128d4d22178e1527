import type { FastifyInstance } from 'fastify'
import { DirectoryError, throwProblems } from '../directory/errors.ts'
import { unknownFields } from '../inputs/unknown-fields.ts'
import { isObject } from '../scim/json.ts'

/**
 * Rejects query parameters and bodies of the routes that are added afterwards and declare none. Declared ones are
 * checked by the function that parses them. Hidden routes read neither: they reject a method.
 */
export function rejectUndeclaredInput(app: FastifyInstance): void {
  app.addHook('preHandler', async ({ query, body, routeOptions: { schema } }) => {
    if (schema?.hide === true) return
    if (schema?.querystring === undefined) rejectFields(query)
    if (schema?.body === undefined) rejectFields(body)
  })
}

/** @throws DirectoryError `invalid-input` */
function rejectFields(input: unknown): void {
  if (input === undefined) return
  if (!isObject(input)) throw new DirectoryError('invalid-input', 'This route has no body: send none.')
  throwProblems(unknownFields([], input))
}
