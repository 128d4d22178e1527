import { createEgressPolicy } from '../../../../src/delivery/endpoint/egress-policy.ts'

/** Allows only the public internet. */
export const publicEgress = createEgressPolicy({ allowPrivate: [], externalUrl: () => 'https://rollcall.example.com' })

/** Also allows loopback addresses, as on a developer's machine. */
export const localEgress = createEgressPolicy({ allowPrivate: [], externalUrl: () => 'http://localhost:5225' })
