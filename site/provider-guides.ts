import type { Guide, GuideField, GuideStep, SignIn } from '../console/src/portal/guide.ts'
import { attributes, endpointFor } from '../console/src/portal/guide.ts'
import { guideFor } from '../console/src/portal/guides.ts'
import { en } from '../console/src/portal/texts/en.ts'

/** The providers with their own guide, by the name of the page. */
const providers = {
  okta: { name: 'Okta', type: 'okta-scim-v2' },
  'entra-id': { name: 'Microsoft Entra ID', type: 'azure-scim-v2' },
  onelogin: { name: 'OneLogin', type: 'onelogin-scim-v2' },
  jumpcloud: { name: 'JumpCloud', type: 'jumpcloud-scim-v2' },
  pingone: { name: 'PingOne', type: 'pingone-scim-v2' },
  rippling: { name: 'Rippling', type: 'rippling-scim-v2' },
  cyberark: { name: 'CyberArk', type: 'cyberark-scim-v2' },
  generic: { name: 'another SCIM 2.0 provider', type: 'generic-scim-v2' },
} as const

/**
 * The guides of the setup portal as Markdown pages, by file name, for products that send the values to administrators
 * without a setup link.
 */
export function providerGuides(): Map<string, string> {
  return new Map(
    Object.entries(providers).map(([file, { name, type }]) => [`${file}.md`, guidePage(name, guideFor(type), type)]),
  )
}

function guidePage(name: string, guide: Guide, type: string): string {
  const { variants, help, console, note } = guide
  return [
    '<!-- Written by "npm run guides" from the guides of the setup portal. -->',
    `# Connect ${name}`,
    `Create a directory of the type \`${type}\` and give its \`scim.endpoint\` and \`scim.secret\` to the administrator of the identity\nprovider, or send a [setup link](../setup-portal.md), whose page shows these steps with the values, in five languages.`,
    ...(help === undefined ? [] : [`The provider’s own instructions: <${help}>.`]),
    ...(console === undefined ? [] : [`Its admin console: <${console}>.`]),
    ...(note === undefined ? [] : [en.steps.texts[note]('your product')]),
    ...variants.flatMap(({ id, catalog, steps }) => [
      variants.length > 1 ? `## ${en.steps.variants[id]}` : '## Steps',
      ...(catalog === undefined
        ? []
        : [
            `Only if the catalog lists your product. The portal shows these steps when \`PORTAL_LISTED_IN\` has \`${catalog}\`.`,
          ]),
      stepsWith('token', steps).map(stepText).join('\n'),
    ]),
    ...otherSignIns(guide),
    '## Attributes',
    attributeTable(guide),
    '`userName` and `active` are required; an attribute that is not sent stays empty.',
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n')
}

/** The steps of a way to sign in, with those that every way has. */
function stepsWith(signIn: SignIn, steps: readonly GuideStep[]): GuideStep[] {
  return steps.filter((step) => step.signIn === undefined || step.signIn === signIn)
}

/** The steps of the ways to sign in other than the token, which replace the one that enters it. */
function otherSignIns({ signIns = [], variants: [{ steps }] }: Guide): string[] {
  return signIns
    .filter((signIn) => signIn !== 'token')
    .flatMap((signIn) => [
      `## ${en.signIn.ways[signIn].name}`,
      `${en.signIn.ways[signIn].about} In place of the step that enters the token:`,
      steps
        .filter((step) => step.signIn === signIn)
        .map(stepText)
        .join('\n')
        .trimEnd(),
    ])
}

function stepText({ text, path, form }: GuideStep, index: number): string {
  const where = path === undefined ? '' : ` ${path.map((part) => `**${part}**`).join(' → ')}`
  const lines = [`${index + 1}. ${en.steps.texts[text]('your product')}${where}`]
  if (form !== undefined) {
    lines.push('', `   | ${form.title} | enter |`, '   | --- | --- |', ...form.fields.map(fieldRow))
    if (form.button !== undefined) lines.push('', `   Then choose **${form.button}**.`)
    lines.push('')
  }
  return lines.join('\n')
}

function fieldRow({ label, value }: GuideField): string {
  return `   | ${label} | ${valueText(value)} |`
}

function valueText(value: GuideField['value']): string {
  if (value === true) return 'on'
  if (value === false) return 'off'
  if (value === 'endpoint') return '`scim.endpoint`'
  if (value === 'endpoint-for-entra') return `\`${endpointFor(value, 'scim.endpoint')}\``
  if (value === 'secret') return '`scim.secret`'
  if (value === 'token-endpoint') return '`<EXTERNAL_URL>/api/scim/oauth/token`'
  if (value === 'client-id') return '`client_id` of an [OAuth client](../oauth-clients.md)'
  if (value === 'client-secret') return 'its `client_secret`'
  if (value === 'to-copy') return 'a value to copy for the OAuth client'
  if (value === 'product') return 'the name of your product'
  if (value === 'test-email') return en.steps.testEmail
  return value.text
}

function attributeTable({ sources }: Guide): string {
  const known = attributes.filter(({ scim }) => sources === undefined || sources[scim] !== undefined)
  if (sources === undefined) {
    return ['| SCIM attribute | meaning |', '| --- | --- |', ...known.map((row) => `| ${targetCells(row)} |`)].join(
      '\n',
    )
  }
  const rows = known.map((row) => `| ${sourceText(sources[row.scim])} | ${targetCells(row)} |`)
  return ['| source | SCIM attribute | meaning |', '| --- | --- | --- |', ...rows].join('\n')
}

function sourceText(source: string | true | undefined): string {
  return typeof source === 'string' ? `\`${source}\`` : en.attributes.automatic
}

function targetCells({ scim, isRequired }: (typeof attributes)[number]): string {
  return `\`${scim}\` | ${en.attributes.meanings[scim]}${isRequired ? ' (required)' : ''}`
}
