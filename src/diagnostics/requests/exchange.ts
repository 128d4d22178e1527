import type { Directory } from '../../directory/directory.ts'
import type { ScimType } from '../../scim/errors.ts'
import type { ScimResponse } from '../../service-provider/request.ts'

/** An answered SCIM request, whatever its transport. */
export interface Exchange {
  readonly directory: Pick<Directory, 'id' | 'logScimRequests'>
  /** The `x-request-id`; for an operation of a bulk request, followed by `.` and its number. */
  readonly id: string
  /** Time of arrival, in Unix milliseconds. */
  readonly at: number
  readonly method: string
  /** The path below the directory's SCIM address, such as `/Users?count=1`. */
  readonly path: string
  readonly query: Readonly<Record<string, unknown>>
  /** Parsed JSON; undefined when there is none. */
  readonly body: unknown
  /** Whether there was a body that is not valid JSON. */
  readonly isUnparseable: boolean
  readonly status: number
  readonly error: { readonly scimType?: ScimType | undefined; readonly message: string } | undefined
  /** Undefined when it was refused. */
  readonly response: Pick<ScimResponse, 'headers' | 'events' | 'furtherEvents' | 'resourceName'> | undefined
  readonly durationMs: number
  readonly userAgent: string | undefined
  readonly address: string | undefined
}
