import type { LiveDirectory, LivePolis } from './live-polis.ts'
import { openProvider, sendSteps } from './providers.ts'
import type { MovingProvider, Recording, RecordingName } from './recording.ts'
import { polisKey } from './recording.ts'

/** Five providers, each with the type of its directory. */
const providers = [
  { name: 'okta-oin', type: 'okta-scim-v2' },
  { name: 'entra', type: 'azure-scim-v2' },
  { name: 'onelogin', type: 'onelogin-scim-v2' },
  { name: 'jumpcloud', type: 'jumpcloud-scim-v2' },
  { name: 'pingfederate', type: 'generic-scim-v2' },
]

/** How much of its conversation a provider has sent when it is moved. */
const longest = 0.8
const parts = [0.35, 0.6, longest]

/** Events wait, and the addresses of setup links are the same in each run. */
export const scenarioOptions = { webhookBatchSize: 50, externalUrl: 'https://polis.example.com' }

/** One directory has an endpoint, which is never called: its events wait in the queue of Polis. */
export const withEndpoint = `onelogin-${longest}`
const endpoint = { webhook_url: 'http://127.0.0.1:9/events', webhook_secret: 'endpoint-secret' }

/** Days after which the recorded setup link expires: nobody waits for that. */
const expiryDays = 36_500

/** The key that Polis is given for a recording: in base64 it stands for the same bytes as its 32 characters. */
export function encryptionKeyOf(name: RecordingName): string | undefined {
  return name === 'encrypted' ? Buffer.from(polisKey).toString('base64') : undefined
}

/**
 * Fills an empty Polis that queues events, by one request after another, so that its rows always have one order: five
 * providers, each at several points of its conversation, and a setup link. An encrypted one has each provider once, and
 * what Polis stores in an odd way.
 */
export async function playScenario(polis: LivePolis, name: RecordingName): Promise<Pick<Recording, 'moving' | 'made'>> {
  const isEncrypted = name === 'encrypted'
  const moving: MovingProvider[] = []
  for (const { name: provider, type } of providers) {
    for (const part of isEncrypted ? [longest] : parts) {
      const tenant = `${provider}-${part}`
      const queue = tenant === withEndpoint ? endpoint : {}
      const fields = { tenant, product: 'crm', name: `${provider} ${part}`, type, ...queue }
      const { id, scim } = await polis.createDirectory(fields)
      const conversation = openProvider(provider)
      const sent = Math.round(conversation.steps.length * part)
      await sendSteps(conversation, { address: polis.url + scim.path, secret: scim.secret }, { to: sent })
      const captured = Object.fromEntries(conversation.captured)
      moving.push({ provider, sent, directory: { id, path: scim.path, secret: scim.secret }, captured })
    }
  }
  const link = { tenant: 'acme', product: 'crm', webhook_url: 'https://crm.example.com/events', webhook_secret: 's' }
  await polis.api('POST', '/setuplinks', { ...link, expiryDays })
  return { moving, made: isEncrypted ? await makeOddRecords(polis) : {} }
}

/** Returns the ids of some of the records, by name. */
async function makeOddRecords(polis: LivePolis): Promise<Record<string, string>> {
  const create = (tenant: string) => polis.createDirectory({ tenant, product: 'crm', name: tenant })
  const addUser = async (directory: LiveDirectory, userName: string): Promise<string> =>
    (await polis.scim(directory, 'POST', '/Users', { userName })).body.id
  const addGroup = async (directory: LiveDirectory, displayName: string, members: readonly string[]) => {
    const { id } = (await polis.scim(directory, 'POST', '/Groups', { displayName })).body
    const value = members.map((member) => ({ value: member }))
    await polis.scim(directory, 'PATCH', `/Groups/${id}`, { Operations: [{ op: 'add', path: 'members', value }] })
    return id
  }

  const put = await create('put')
  const replaced = await addUser(put, 'maya@example.com')
  await polis.scim(put, 'PUT', `/Users/${replaced}`, { userName: 'maya.l@example.com', active: false })

  const left = await create('left')
  const [deleted, remaining] = [await addUser(left, 'a'), await addUser(left, 'b')]
  const everybody = await addGroup(left, 'Everybody', [deleted, remaining])
  await polis.scim(left, 'DELETE', `/Users/${deleted}`)

  for (const tenant of specialTenants) await addUser(await create(tenant), `${tenant}@example.com`)

  const broken = await create('broken')
  const one = await addUser(broken, 'one')
  for (const userName of ['two', 'three']) await addUser(broken, userName)
  await addGroup(broken, 'Gone', [one])
  return { replaced, deleted, remaining, everybody, one }
}

/** Tenants with the special characters of patterns. */
export const specialTenants = ['a_b', 'a%b', 'axb', 'a!b', `a'b"c`]
