import type { PortalState } from './api.ts'
import { call } from './api.ts'
import { loadTexts } from './languages.ts'
import type { NoticeKind } from './texts/texts.ts'

// A script of its own, which has run long before the application is loaded: what the first heading needs is read beside it.

/** A result that the service shows instead of a setup. */
export interface Notice {
  readonly kind: NoticeKind | 'failed'
  /** The result in English; shown only if it says more than the kind. */
  readonly text: string
  readonly hasDetail?: boolean
}

export interface PageFacts {
  readonly portal: PortalState['portal']
  readonly notice: Notice | null
}

const meta = document.querySelector<HTMLMetaElement>('meta[name="portal"]')

/** What the service has put into the page: how it looks, and what it shows. */
export const page: PageFacts = JSON.parse(meta?.content ?? '')

export const firstTexts = loadTexts()
firstTexts.catch(() => {})

let first: Promise<PortalState> | undefined = page.notice === null ? call('GET', '') : undefined
first?.catch(() => {})

/** Reads what the setup link is for. */
export function readState(): Promise<PortalState> {
  const reading = first ?? call<PortalState>('GET', '')
  first = undefined
  return reading
}
