import type { DirectoryView } from '../../../src/directory/directory-view.ts'
import type { Client } from '../../support/client.ts'
import type { Provider } from './requirement.ts'

/** Creates a directory for the test of a requirement. */
export async function createProvider(client: Client): Promise<Provider> {
  return providerOf(client, await client.createDirectory())
}

function providerOf(client: Client, directory: DirectoryView): Provider {
  return {
    scimUrl: directory.scim.endpoint,
    send: (method, path, body, headers) => client.scim(directory, method, path, body, headers),
    sendBare: (method, path, body, headers = {}) =>
      client.request(method, directory.scim.path + path, {
        body,
        headers: { ...(body === undefined ? {} : { 'content-type': 'application/scim+json' }), ...headers },
      }),
    another: () => createProvider(client),
  }
}
