import type { Guide } from './guide.ts'
import { cyberark } from './guides/cyberark.ts'
import { entra } from './guides/entra.ts'
import { generic } from './guides/generic.ts'
import { google } from './guides/google.ts'
import { jumpcloud } from './guides/jumpcloud.ts'
import { okta } from './guides/okta.ts'
import { onelogin } from './guides/onelogin.ts'
import { pingone } from './guides/pingone.ts'
import { rippling } from './guides/rippling.ts'

const guides: Readonly<Record<string, Guide>> = {
  'okta-scim-v2': okta,
  'azure-scim-v2': entra,
  'onelogin-scim-v2': onelogin,
  'jumpcloud-scim-v2': jumpcloud,
  'pingone-scim-v2': pingone,
  'rippling-scim-v2': rippling,
  'cyberark-scim-v2': cyberark,
  extdir: google,
}

/** The guide for a provider type; the generic one for types without their own. */
export function guideFor(type: string): Guide {
  return guides[type] ?? generic
}
