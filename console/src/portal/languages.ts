import { loadPart } from '../api/loading.ts'
import { local } from './storage.ts'
import type { PortalTexts } from './texts/texts.ts'

/** The languages of the portal by their BCP 47 tag, each with its own name. Only the chosen one is loaded. */
export const languages = {
  en: { label: 'English', load: async () => (await import('./texts/en.ts')).en },
  de: { label: 'Deutsch', load: async () => (await import('./texts/de.ts')).de },
  es: { label: 'Español', load: async () => (await import('./texts/es.ts')).es },
  fr: { label: 'Français', load: async () => (await import('./texts/fr.ts')).fr },
  ja: { label: '日本語', load: async () => (await import('./texts/ja.ts')).ja },
} as const satisfies Readonly<Record<string, { readonly label: string; readonly load: () => Promise<PortalTexts> }>>

export type Language = keyof typeof languages

export const storageKey = 'rollcall-portal-language'

export interface Loaded {
  readonly language: Language
  readonly texts: PortalTexts
}

/** The texts in the language of the browser, or in the one that was chosen on the page. */
export async function loadTexts(language: Language = initialLanguage()): Promise<Loaded> {
  return { language, texts: await loadPart(languages[language].load) }
}

function isLanguage(text: string | null): text is Language {
  return text !== null && Object.hasOwn(languages, text)
}

/** `navigator.languages` is what the browser sends as Accept-Language. */
function initialLanguage(): Language {
  const stored = local.get(storageKey)
  if (isLanguage(stored)) return stored
  return navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLanguage) ?? 'en'
}
