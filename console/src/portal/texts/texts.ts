import type { AttributeName, Behavior, GuideVariant, StepText } from '../guide.ts'

type ScimType =
  | 'uniqueness'
  | 'invalidValue'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'invalidFilter'
  | 'noTarget'
  | 'mutability'
  | 'tooMany'

/** Every text of the portal. A language is one object of this type. */
export interface PortalTexts {
  /** The name of the language in itself. */
  readonly language: string
  title(product: string): string
  lead(product: string): string
  validUntil(date: string): string
  readonly loading: string
  readonly retry: string
  readonly failed: string
  readonly linkGone: string
  readonly switchLanguage: string
  readonly switchScheme: { readonly light: string; readonly dark: string }
  copy(label: string): string
  readonly copyShort: string
  readonly copied: string
  requestId(id: string): string
  readonly choose: {
    readonly heading: string
    readonly other: string
    readonly change: string
    readonly changeTitle: string
    readonly changeText: string
    readonly cancel: string
    readonly confirm: string
  }
  readonly values: {
    readonly heading: string
    readonly endpoint: string
    readonly secret: string
    readonly shownOnce: string
    readonly hidden: string
    readonly rotate: string
    readonly rotateTitle: string
    readonly rotateText: string
    readonly keepOld: string
    readonly stopOld: string
    readonly confirm: string
  }
  readonly steps: {
    readonly heading: string
    readonly variants: Readonly<Record<GuideVariant['id'], string>>
    drawing(title: string): string
    readonly turnOn: string
    readonly clickPath: string
    readonly texts: Readonly<Record<StepText, (product: string) => string>>
  }
  readonly google: {
    readonly connect: string
    readonly reconnect: string
    readonly connected: string
    again(reason: string): string
    pending(reason: string): string
  }
  readonly attributes: {
    readonly heading: string
    readonly attribute: string
    readonly meaning: string
    readonly required: string
    readonly meanings: Readonly<Record<AttributeName, string>>
  }
  readonly health: {
    readonly heading: string
    readonly complete: string
    progress(done: number, all: number): string
    readonly states: Readonly<Record<'healthy' | 'attention' | 'failing', string>>
    lastRequest(when: string): string
    readonly never: string
    readonly deactivated: string
    seen(when: string): string
    readonly missing: string
    readonly alsoSeen: string
    readonly behaviors: Readonly<Record<Behavior, { readonly name: string; readonly hint: string }>>
  }
  readonly refused: {
    readonly heading: string
    about(subject: string): string
    unauthorized(when: string): string
    readonly reasons: Readonly<Record<ScimType, string>>
    readonly statuses: Readonly<Record<403 | 404 | 409 | 412 | 413 | 429, string>>
    readonly other: string
    readonly detail: string
  }
}
