import { defaultCount, maxCount } from '../list-query.ts'
import type { DiscoveryOptions } from './discovery-options.ts'

/** What this service provider can do (RFC 7643 §5), with the pagination of RFC 9865 §4. */
export function serviceProviderConfig({ scimUrl }: DiscoveryOptions) {
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: maxCount },
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: true },
    pagination: {
      cursor: false,
      index: true,
      defaultPaginationMethod: 'index',
      defaultPageSize: defaultCount,
      maxPageSize: maxCount,
    },
    authenticationSchemes: [bearerToken],
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
