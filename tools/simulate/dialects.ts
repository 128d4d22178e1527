import type { Dialect, DialectName } from './dialect.ts'
import { entra, entraFlag } from './dialects/entra.ts'
import { generic } from './dialects/generic.ts'
import { jumpcloud } from './dialects/jumpcloud.ts'
import { okta, oktaAiw } from './dialects/okta.ts'
import { onelogin } from './dialects/onelogin.ts'
import { pingone } from './dialects/pingone.ts'

/** Every dialect under the name that the command line has for it. */
export const dialects = {
  okta,
  'okta-aiw': oktaAiw,
  entra,
  'entra-flag': entraFlag,
  onelogin,
  jumpcloud,
  pingone,
  generic,
} satisfies Record<DialectName, Dialect>

/** Whether a text names a dialect. */
export function isDialectName(text: string): text is DialectName {
  return Object.hasOwn(dialects, text)
}
