import type { ReactNode } from 'react'
import { createContext, useContext, useEffect, useState } from 'react'
import type { Language, Loaded } from '../languages.ts'
import { loadTexts, storageKey } from '../languages.ts'
import { local } from '../storage.ts'

interface Chosen extends Loaded {
  choose(language: Language): void
}

const Context = createContext<Chosen | undefined>(undefined)

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
