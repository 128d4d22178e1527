import type { ReactNode } from 'react'
import { createContext, useContext, useEffect, useState } from 'react'
import { de } from './de.ts'
import { en } from './en.ts'
import type { PortalTexts } from './texts.ts'

/** The languages of the portal, by their BCP 47 tag. A further language is one more file. */
export const languages = { en, de } as const satisfies Readonly<Record<string, PortalTexts>>

export type Language = keyof typeof languages

const storageKey = 'rollcall-portal-language'

interface Chosen {
  readonly language: Language
  readonly texts: PortalTexts
  choose(language: Language): void
}

const Context = createContext<Chosen>({ language: 'en', texts: en, choose: () => {} })

/** The texts in the language of the browser, or in the one that was chosen on the page. */
export function LanguageProvider({ children }: { readonly children: ReactNode }) {
  const [language, setLanguage] = useState(initialLanguage)
  useEffect(() => {
    document.documentElement.lang = language
  }, [language])
  const choose = (chosen: Language) => {
    localStorage.setItem(storageKey, chosen)
    setLanguage(chosen)
  }
  return <Context value={{ language, texts: languages[language], choose }}>{children}</Context>
}

export function useTexts(): Chosen {
  return useContext(Context)
}

function isLanguage(text: string | null): text is Language {
  return text !== null && Object.hasOwn(languages, text)
}

/** `navigator.languages` is what the browser sends as Accept-Language. */
function initialLanguage(): Language {
  const stored = localStorage.getItem(storageKey)
  if (isLanguage(stored)) return stored
  return navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLanguage) ?? 'en'
}
