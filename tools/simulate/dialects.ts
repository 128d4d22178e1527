import { nearestName } from '../../src/inputs/unknown-fields.ts'
import type { Dialect } from './dialect.ts'
import { entra, entraFlag } from './dialects/entra.ts'
import { generic } from './dialects/generic.ts'
import { jumpcloud } from './dialects/jumpcloud.ts'
import { okta, oktaAiw } from './dialects/okta.ts'
import { onelogin } from './dialects/onelogin.ts'
import { pingone } from './dialects/pingone.ts'

/** Every dialect by its name on the command line. */
export const dialects = {
  okta,
  'okta-aiw': oktaAiw,
  entra,
  'entra-flag': entraFlag,
  onelogin,
  jumpcloud,
  pingone,
  generic,
} satisfies Record<string, Dialect>

export type DialectName = keyof typeof dialects

export function isDialectName(text: string): text is DialectName {
  return Object.hasOwn(dialects, text)
}

/** A message that lists the identity providers and suggests the one that was probably meant. */
export function unknownDialect(name: unknown): string {
  const nearest = typeof name === 'string' ? nearestName(name, dialectNames) : undefined
  const advice = nearest === undefined ? '' : ` Did you mean ${nearest}?`
  return `There is no identity provider ${JSON.stringify(name)}. Choose one of ${dialectNames.join(', ')}.${advice}`
}

export const dialectNames = Object.keys(dialects).filter(isDialectName)
