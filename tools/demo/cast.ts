import type { DirectoryType } from '../../src/directory/provider.ts'
import type { DialectName } from '../simulate/dialect.ts'

/** A tenant of the demo and the identity provider that it connects. */
export interface CastMember {
  readonly tenant: string
  readonly product: string
  readonly provider: string
  readonly type: DirectoryType
  readonly dialect: DialectName
  /** Of the first run; the tenants have different people. */
  readonly firstSeed: number
  readonly mailDomain: string
  readonly users: number
  readonly groups: number
  readonly offboardPercent: number
}

/** Who plays in the demo. Small figures: a few seconds in all. */
export const cast: readonly CastMember[] = [
  {
    tenant: 'acme',
    product: 'demo',
    provider: 'Okta',
    type: 'okta-scim-v2',
    dialect: 'okta',
    firstSeed: 1,
    mailDomain: 'acme.example.com',
    users: 12,
    groups: 3,
    offboardPercent: 15,
  },
  {
    tenant: 'globex',
    product: 'demo',
    provider: 'Microsoft Entra ID',
    type: 'azure-scim-v2',
    dialect: 'entra',
    firstSeed: 500,
    mailDomain: 'globex.example.org',
    users: 10,
    groups: 2,
    offboardPercent: 20,
  },
]
