import type { ScimAnswer } from './scim-answer.ts'
import type { ScimRequest } from './scim-request.ts'

/**
 * Sends one request and gives the answer of the 2xx kind.
 * @throws CallFailed on every other answer, and when there is none
 */
export type Send = (request: ScimRequest) => Promise<ScimAnswer>
