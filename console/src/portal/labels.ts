import type { EntraLabel, Guide } from './guide.ts'
import type { PortalTexts } from './texts/texts.ts'

/**
 * The label of a provider's page for a reader: where it is known in the reader's language as well, in both, because
 * the provider's pages may be in either.
 */
export function labelIn({ hasLocalLabels }: Guide, label: string, { steps: { labels } }: PortalTexts): string {
  const local = hasLocalLabels && labels !== null && isKnown(label, labels) ? labels[label] : label
  return local === label ? label : `${local} (${label})`
}

function isKnown(label: string, labels: Readonly<Record<EntraLabel, string>>): label is EntraLabel {
  return Object.hasOwn(labels, label)
}
