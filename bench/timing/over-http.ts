import type { Answer } from '../load/answer.ts'
import type { Connection } from '../load/connection.ts'
import type { Door } from './measure.ts'
import type { Class } from './wrong-secrets.ts'
import { wrongSecrets } from './wrong-secrets.ts'

/** The valid secrets of a service. */
export interface RightSecrets {
  readonly apiKey: string
  readonly managedKey: string
  readonly rootToken: string
  readonly scim: { readonly path: string; readonly secret: string }
  readonly adminToken: { readonly id: string; readonly token: string }
}

const adminPath = '/auditlog/admin/v1'

/** Sequential requests over one keep-alive connection, timed from the first byte sent to the last byte received. */
export function httpDoors(connection: Connection, right: RightSecrets, rounds: number): Door[] {
  let stranger = 0
  const door = (what: string, count: number, statuses: readonly number[], headOf: (which: Class) => string): Door => ({
    ...{ what, rounds: count },
    async refuse(which) {
      // a new address of the same length each time, so that no address is rate limited
      stranger += 1
      const address = `10.${100 + ((stranger >> 14) & 127)}.${100 + ((stranger >> 7) & 127)}.${100 + (stranger & 127)}`
      const bytes = Buffer.from(`${headOf(which)}\r\nhost: x\r\nx-forwarded-for: ${address}\r\n\r\n`)
      const begun = process.hrtime.bigint()
      const { status } = await sent(connection, bytes)
      const took = Number(process.hrtime.bigint() - begun)
      if (!statuses.includes(status)) throw new Error(`${what} was answered with ${status}`)
      return took
    },
  })
  const [scim, apiKey] = [wrongSecretOf(right.scim.secret), wrongSecretOf(right.apiKey)]
  const [managed, root] = [wrongSecretOf(right.managedKey, 'rck_'), wrongSecretOf(right.rootToken)]
  const token = wrongSecretOf(right.adminToken.token)
  const get = (path: string, authorization: string) => `GET ${path} HTTP/1.1\r\nauthorization: ${authorization}`
  const providers = '/api/v1/directory-sync/providers'
  return [
    door('SCIM secret', rounds, [401], (which) => get(`${right.scim.path}/Users`, `Bearer ${scim(which)}`)),
    door('API key of the configuration', rounds, [401], (which) => get(providers, `Api-Key ${apiKey(which)}`)),
    door('managed API key', rounds, [401], (which) => get(providers, `Api-Key ${managed(which)}`)),
    door('root token at login', rounds, [401, 429], (which) => {
      return `POST ${adminPath}/user/_login HTTP/1.1\r\nauthorization: token=${root(which)}\r\ncontent-length: 0`
    }),
    door('root token of a request', rounds, [401, 429], (which) =>
      get(`${adminPath}/user/me`, threePart(right, right.adminToken.token, root(which))),
    ),
    door('admin token', Math.ceil(rounds / 20), [401], (which) =>
      get(`${adminPath}/user/me`, threePart(right, token(which), right.rootToken)),
    ),
  ]
}

/** A new wrong secret for each call. */
const wrongSecretOf = (secret: string, prefix?: string) => (which: Class) => wrongSecrets(secret, prefix)[which]

function threePart({ adminToken: { id } }: RightSecrets, token: string, rootToken: string): string {
  return `id=${id} token=${token} admin_token=${rootToken}`
}

function sent(connection: Connection, bytes: Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    connection.send(bytes, (answer) => (answer instanceof Error ? reject(answer) : resolve(answer)))
  })
}
