/** A SCIM request that the product's own route received. */
export interface HandleRequest {
  /** In any letter case. */
  readonly method: string
  /** Parsed JSON; text and bytes are refused. */
  readonly body?: unknown
  readonly directoryId: string
  /** The part of the path after the resource type; undefined or empty for the collection. */
  readonly resourceId?: string | undefined
  /** `users` or `groups`, or another part of the path after the directory, such as `Schemas`; in any letter case. */
  readonly resourceType: string
  /** The bearer token of the request. */
  readonly apiSecret: string | undefined
  readonly query?: Readonly<Record<string, unknown>> | undefined
  readonly ifMatch?: string | undefined
  readonly ifNoneMatch?: string | undefined
}

/** The response to send to the identity provider. */
export interface HandleResponse {
  readonly status: number
  /** `ETag`, `Location`, `Allow` and others, in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Null when the response has no body. */
  readonly data: unknown
}
