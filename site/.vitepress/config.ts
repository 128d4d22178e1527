import { defineConfig } from 'vitepress'
import { githubSlug } from '../anchors.ts'
import { miniSearch } from '../search.ts'

const page = (text: string, link: string) => ({ text, link })

/** The documentation site: the pages of docs/, which site/build.ts gathers. Dead links fail the build. */
const config = defineConfig({
  title: 'Rollcall',
  description: 'Directory sync for B2B software: SCIM 2.0 in, one HTTP API and signed webhook events out',
  srcDir: 'pages',
  cleanUrls: true,
  lastUpdated: false,
  // The pages are plain Markdown: < is a character.
  // Links to headings are those of GitHub, where the pages are read as well.
  markdown: {
    html: false,
    anchor: { slugify: githubSlug },
    config({ renderer }) {
      const { code_inline: render } = renderer.rules
      // Long names, such as those of settings, may be broken where a reader sees their parts.
      renderer.rules['code_inline'] = (...call) =>
        render?.(...call).replace(/(?<=>[^<]*)[_/.](?=[^<]*<)/g, '$&<wbr>') ?? ''
    },
  },
  themeConfig: {
    search: { provider: 'local', options: { miniSearch } },
    outline: [2, 3],
    nav: [page('Quick start', '/quick-start'), page('Guides', '/identity-providers'), page('API', '/api-reference')],
    sidebar: [
      {
        text: 'Start',
        items: [
          page('Quick start', '/quick-start'),
          page('Concepts', '/concepts'),
          page('Comparison', '/comparison'),
          page('Moving from Polis', '/moving-from-polis'),
        ],
      },
      {
        text: 'Connect',
        items: [
          page('Setup portal', '/setup-portal'),
          page('Identity providers', '/identity-providers'),
          page('OAuth clients', '/oauth-clients'),
          page('Okta', '/providers/okta'),
          page('Microsoft Entra ID', '/providers/entra-id'),
          page('Entra gallery', '/entra-gallery'),
          page('Strict directories and IPSIE', '/ipsie'),
          page('OneLogin', '/providers/onelogin'),
          page('JumpCloud', '/providers/jumpcloud'),
          page('PingOne', '/providers/pingone'),
          page('Rippling', '/providers/rippling'),
          page('CyberArk', '/providers/cyberark'),
          page('Other SCIM 2.0 providers', '/providers/generic'),
          page('Google Workspace', '/google-workspace'),
        ],
      },
      {
        text: 'Build',
        items: [
          page('Directory-sync API', '/directory-sync-api'),
          page('Events', '/events'),
          page('Receive events', '/receive-events'),
          page('Verify signatures', '/verify-signatures'),
          page('Process each event once', '/process-events'),
          page('Many directories, one handler', '/many-directories'),
          page('Read the feed', '/feed'),
          page('Resync', '/resync'),
          page('Compare', '/compare'),
          page('Control delivery', '/delivery'),
          page('Holds', '/holds'),
          page('Adopt accounts', '/adopt-accounts'),
          page('Roles', '/roles'),
          page('TypeScript client', '/client'),
          page('Other languages', '/languages'),
          page('Library', '/library'),
          page('Testing', '/testing'),
          page('Simulator', '/simulate'),
          page('Admin API', '/admin-api'),
          page('API reference', '/api-reference'),
        ],
      },
      {
        text: 'Run',
        items: [
          page('Deployment', '/deployment'),
          page('Configuration', '/configuration'),
          page('The console', '/console'),
          page('Operations', '/operations'),
          page('PostgreSQL', '/postgresql'),
          page('High availability', '/high-availability'),
          page('Monitoring', '/monitoring'),
          page('Notices', '/notices'),
          page('Tracing', '/tracing'),
          page('Backup', '/backup'),
          page('Health', '/health'),
          page('Request log', '/request-log'),
          page('Troubleshooting', '/troubleshooting'),
          page('Scaling and upgrading', '/scaling'),
          page('Faults', '/faults'),
          page('Security', '/security'),
          page('Personal data', '/privacy'),
          page('Where personal data is stored', '/personal-data'),
          page('Rotate secrets', '/rotate-secrets'),
        ],
      },
      {
        text: 'Protocol and code',
        items: [
          page('SCIM', '/scim'),
          page('Conformance', '/conformance'),
          page('Architecture', '/ARCHITECTURE'),
          page('Performance', '/performance'),
          page('Glossary', '/GLOSSARY'),
          page('Style', '/STYLE'),
          page('Changelog', '/changelog'),
          page('Versions', '/versioning'),
          page('Report a vulnerability', '/report-a-vulnerability'),
        ],
      },
    ],
  },
})

// VitePress reads the default export.
// biome-ignore lint/style/noDefaultExport: see above
export default config
