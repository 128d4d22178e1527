import { cursorTimeoutSeconds, defaultCount, maxBulkOperations, maxCount } from '../limits.ts'
import type { DiscoveryOptions } from './definitions.ts'

/** The options of the service provider configuration. */
export interface ServiceProviderOptions extends DiscoveryOptions {
  /** The maximum size of a request body, in bytes. */
  readonly maxPayloadSize: number
}

/** The schema of the attribute that the configuration of a strict directory has in addition (RFC 7643 §3.3). */
const extension = 'urn:ietf:params:scim:schemas:extension:rollcall:2.0:ServiceProviderConfig'

/** The supported features of this service provider (RFC 7643 §5), with pagination as in RFC 9865 §4. */
export function serviceProviderConfig({ scimUrl, maxPayloadSize, profile }: ServiceProviderOptions) {
  const extensions = profile === 'strict' ? { [extension]: { scimProfile: profile } } : {}
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig', ...Object.keys(extensions)],
    patch: { supported: true },
    bulk: { supported: true, maxOperations: maxBulkOperations, maxPayloadSize },
    filter: { supported: true, maxResults: maxCount },
    changePassword: { supported: false },
    sort: { supported: true },
    etag: { supported: true },
    pagination: {
      cursor: true,
      index: true,
      defaultPaginationMethod: 'index',
      defaultPageSize: defaultCount,
      maxPageSize: maxCount,
      cursorTimeout: cursorTimeoutSeconds,
    },
    // `interopProfileConformant` of the interoperability profile is left out: docs/ipsie.md says why.
    ...extensions,
    authenticationSchemes: [bearerToken, clientCredentials],
    meta: { resourceType: 'ServiceProviderConfig', location: `${scimUrl}/ServiceProviderConfig` },
  }
}

const bearerToken = {
  type: 'oauthbearertoken',
  name: 'OAuth Bearer Token',
  description: "The directory's SCIM secret, sent as a bearer token.",
  specUri: 'https://www.rfc-editor.org/info/rfc6750',
  primary: true,
}

const clientCredentials = {
  type: 'oauth2',
  name: 'OAuth 2.0 Client Credentials',
  description: 'An access token that an OAuth client of the directory requests with its secret or with an assertion.',
  specUri: 'https://www.rfc-editor.org/info/rfc6749',
  primary: false,
}
