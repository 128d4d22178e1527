import type { Caller } from '../directory/audit.ts'

/** Where a request came from. */
export type Origin = Pick<Caller, 'requestId' | 'address'>

/** Of what is no request. */
export const noOrigin: Origin = { requestId: undefined, address: undefined }
