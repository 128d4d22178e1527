import type { ScimError } from '../errors.ts'
import { errorBody } from '../errors.ts'
import { messageUrns } from '../messages.ts'

/** What came of one operation. */
export interface OperationAnswer {
  readonly method: string | undefined
  readonly bulkId: string | undefined
  /** The entity tag of the resource after the operation. */
  readonly version: string | undefined
  /** The address of the resource; a POST that failed has none. */
  readonly location: string | undefined
  /** The status, or why it failed. */
  readonly outcome: number | ScimError
}

/** The answer to a bulk request (RFC 7644 §3.7.3): the operations that were executed, in the order of the request. */
export function bulkResponse(answers: readonly OperationAnswer[]) {
  return { schemas: [messageUrns.bulkResponse], Operations: answers.map(operationResponse) }
}

/** What is undefined has no place in JSON; `status` is text. */
function operationResponse({ outcome, ...said }: OperationAnswer) {
  if (typeof outcome === 'number') return { ...said, status: String(outcome) }
  return { ...said, status: String(outcome.status), response: errorBody(outcome) }
}
