import type { PortalViewWithSecret } from '../../../../src/setup/portal.ts'
import type { SetupLinkView } from '../../../../src/setup/setup-link.ts'
import type { TestService } from '../../../support/service.ts'

/** A setup link, and calls with its token. */
export async function openLink(service: TestService, fields: object) {
  const { body } = await service.api('POST', '/setuplinks', { product: 'crm', ...fields })
  const link = body.data as unknown as SetupLinkView
  const token = link.url.slice(link.url.lastIndexOf('/') + 1)
  const call = async (method: string, path = '', sent?: object) => {
    const headers = { authorization: `Setup ${token}` }
    const answer = await service.request(method, `/api/v1/setup${path}`, { headers, body: sent })
    return { ...answer, data: (answer.body as unknown as { data: PortalViewWithSecret }).data }
  }
  return { link, token, call }
}
