import type { ReactNode } from 'react'
import { createContext, useContext, useEffect, useState } from 'react'
import { loadPart } from '../../api/loading.ts'
import { local } from '../storage.ts'
import type { PortalTexts } from './texts.ts'

/** The languages of the portal by their BCP 47 tag, each with its own name. Only the chosen one is loaded. */
export const languages = {
  en: { label: 'English', load: async () => (await import('./en.ts')).en },
  de: { label: 'Deutsch', load: async () => (await import('./de.ts')).de },
  es: { label: 'Español', load: async () => (await import('./es.ts')).es },
  fr: { label: 'Français', load: async () => (await import('./fr.ts')).fr },
  ja: { label: '日本語', load: async () => (await import('./ja.ts')).ja },
} as const satisfies Readonly<Record<string, { readonly label: string; readonly load: () => Promise<PortalTexts> }>>

export type Language = keyof typeof languages

const storageKey = 'rollcall-portal-language'

interface Loaded {
  readonly language: Language
  readonly texts: PortalTexts
}

interface Chosen extends Loaded {
  choose(language: Language): void
}

const Context = createContext<Chosen | undefined>(undefined)

/** The texts in the language of the browser, or in the one that was chosen on the page. */
export async function loadTexts(language: Language = initialLanguage()): Promise<Loaded> {
  return { language, texts: await loadPart(languages[language].load) }
}

interface LanguageProviderProps {
  readonly first: Loaded
  readonly children: ReactNode
}

export function LanguageProvider({ first, children }: LanguageProviderProps) {
  const [loaded, setLoaded] = useState(first)
  useEffect(() => {
    document.documentElement.lang = loaded.language
  }, [loaded.language])
  const choose = (chosen: Language) => {
    local.set(storageKey, chosen)
    void loadTexts(chosen).then(setLoaded)
  }
  return <Context value={{ ...loaded, choose }}>{children}</Context>
}

/** @throws Error outside of `LanguageProvider` */
export function useTexts(): Chosen {
  const chosen = useContext(Context)
  if (chosen === undefined) throw new Error('useTexts is called outside of LanguageProvider.')
  return chosen
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
