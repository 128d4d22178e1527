// Followed on 2026-11-26:
// https://developers.google.com/workspace/admin/directory/v1/guides/authorizing
// https://support.google.com/a/answer/7281227 (which apps may access the data of the organization)
// https://support.google.com/a/answer/1219251 (privileges of administrators)
import type { Guide } from '../guide.ts'

export const google: Guide = {
  isRead: true,
  console: 'https://admin.google.com/',
  help: 'https://support.google.com/a/answer/7281227',
  never: ['connection_tested', 'user_reactivated'],
  variants: [
    {
      id: 'standard',
      steps: [
        { text: 'googleAdministrator' },
        {
          text: 'googleAllow',
          path: ['Security', 'Access and data control', 'API controls', 'Manage app access', 'Configure new app'],
        },
        { text: 'googleConsent' },
        { text: 'googleFirstSync' },
      ],
    },
  ],
}
