// For every provider that speaks SCIM 2.0 and has no guide of its own. Followed on 2026-11-26: RFC 7643 and RFC 7644.
import type { Guide } from '../guide.ts'
import { text } from '../guide.ts'

export const generic: Guide = {
  variants: [
    {
      id: 'standard',
      steps: [
        {
          text: 'genericConnection',
          form: {
            title: 'SCIM 2.0',
            fields: [
              { label: 'Base URL', value: 'endpoint' },
              text('Authentication', 'Bearer token'),
              { label: 'Token', value: 'secret' },
            ],
          },
        },
        { text: 'genericMappings' },
        { text: 'genericActions' },
        { text: 'genericAssign' },
      ],
    },
  ],
}
