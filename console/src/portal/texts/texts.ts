import type { AttributeName, Behavior, EntraLabel, GuideVariant, SignIn, StepText } from '../guide.ts'
import type { PastedField } from '../pasted.ts'

type ScimType =
  | 'uniqueness'
  | 'invalidValue'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'invalidFilter'
  | 'noTarget'
  | 'mutability'
  | 'tooMany'

/** The results that the service shows in place of a setup. */
export type NoticeKind = 'link-gone' | 'google-connected' | 'google-pending' | 'google-denied' | 'google-failed'

/** Every text of the portal. A language is one object of this type. */
export interface PortalTexts {
  title(product: string): string
  lead(product: string): string
  validUntil(date: string): string
  readonly loading: string
  readonly retry: string
  readonly failed: string
  /** There is no network. */
  readonly offline: string
  /** A request takes long. */
  readonly waiting: string
  readonly unreachable: string
  back(product: string): string
  readonly toSetup: string
  readonly notices: Readonly<Record<NoticeKind, { readonly title: string; readonly text: string }>>
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
    readonly changeText: string
    readonly cancel: string
    /** No provider can be chosen. */
    readonly none: string
  }
  readonly values: {
    readonly heading: string
    readonly endpoint: string
    readonly secret: string
    readonly shownOnce: string
    /** Confirms that the secret is stored elsewhere, which removes it from the page. */
    readonly done: string
    /** @param ending the last characters of the secret */
    hidden(ending: string): string
    readonly rotate: string
    readonly rotateTitle: string
    readonly rotateText: string
    readonly keepOld: string
    readonly stopOld: string
  }
  readonly signIn: {
    readonly heading: string
    readonly ways: Readonly<Record<SignIn, { readonly name: string; readonly about: string }>>
    /** The SCIM secret is no longer accepted. */
    readonly onlyOAuth: string
    readonly create: string
    readonly createAnother: string
    /** There is no client secret yet. */
    readonly noSecret: string
    readonly shownOnce: string
    readonly done: string
    readonly hidden: string
    readonly paste: string
    readonly pasteText: string
    readonly connect: string
    readonly connectAnother: string
    /** The required forms of pasted values. */
    readonly problems: Readonly<Record<PastedField, string>>
    readonly clients: string
    expires(date: string): string
    expired(date: string): string
    used(when: string): string
    readonly unused: string
    /** The label of the button of one client. */
    remove(clientId: string): string
    readonly removeShort: string
    readonly removeTitle: string
    readonly removeText: string
  }
  readonly steps: {
    readonly heading: string
    readonly variants: Readonly<Record<GuideVariant['id'], string>>
    /** The link to the provider's admin console. */
    console(provider: string): string
    readonly help: string
    drawing(title: string): string
    readonly turnOn: string
    readonly turnOff: string
    /** A value of the provider that is entered in the portal. */
    readonly toCopy: string
    /** The placeholder for the address of a user for a test. */
    readonly testEmail: string
    readonly clickPath: string
    readonly texts: Readonly<Record<StepText, (product: string) => string>>
    /** The labels of Entra ID's pages in this language. */
    readonly labels: Readonly<Record<EntraLabel, string>> | null
  }
  readonly google: {
    readonly connect: string
    readonly reconnect: string
    readonly connected: string
    again(reason: string): string
    pending(reason: string): string
    notConfigured(product: string): string
    readonly repeats: string
    notScheduled(product: string): string
    readonly scope: string
    readonly groups: string
    readonly units: string
    readonly saveScope: string
  }
  readonly attributes: {
    readonly heading: string
    readonly source: string
    readonly attribute: string
    readonly meaning: string
    readonly required: string
    /** The provider sets the attribute by itself. */
    readonly automatic: string
    readonly meanings: Readonly<Record<AttributeName, string>>
  }
  readonly health: {
    readonly heading: string
    readonly complete: string
    progress(done: number, all: number): string
    readonly states: Readonly<Record<'waiting' | 'healthy' | 'attention' | 'failing', string>>
    lastSync(when: string): string
    syncFailed(when: string): string
    readonly waitingForSync: string
    lastRequest(when: string): string
    readonly never: string
    readonly deactivated: string
    seen(when: string): string
    readonly missing: string
    readonly alsoSeen: string
    /** The first row of the checklist, where the way to sign in can be chosen. */
    readonly signedIn: { readonly name: string; readonly hint: string }
    readonly behaviors: Readonly<Record<Behavior, { readonly name: string; readonly hint: string }>>
    /** The hints for a provider that is read. */
    readonly readHints: Readonly<Partial<Record<Behavior, string>>>
  }
  /** The roles that the customer may give to groups. */
  readonly roles: {
    readonly heading: string
    lead(product: string): string
    /** The link to the section. */
    readonly jump: string
    /** No group has arrived yet. */
    readonly waiting: string
    readonly search: string
    readonly notFound: string
    readonly more: string
    members(count: number): string
    readonly none: string
    /** The label of the choice of one group. */
    roleOf(group: string): string
    /** The link cannot change the role of this group. */
    fixed(product: string): string
    readonly preview: string
    /** @param people some of them by name, and the number of the others */
    gain(count: number, role: string, people: string): string
    lose(count: number, role: string, people: string): string
    /** The end of a list of names. */
    others(count: number): string
    /** The group has no members. */
    readonly nobodyInGroup: string
    readonly nobodyChanges: string
    /** Fewer would have a role than must keep it. */
    tooFew(role: string, product: string): string
    readonly apply: string
    running(done: number, all: number): string
    done(count: number): string
  }
  readonly refused: {
    readonly heading: string
    about(subject: string): string
    unauthorized(when: string): string
    /** The reason follows. */
    notSignedIn(when: string): string
    readonly outsideDomain: string
    readonly reasons: Readonly<Record<ScimType, string>>
    readonly statuses: Readonly<Record<403 | 404 | 409 | 412 | 413 | 429, string>>
    readonly other: string
    /** Hides the refusal. */
    readonly settle: string
    readonly detail: string
  }
}
