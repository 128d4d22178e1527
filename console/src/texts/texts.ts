import { createContext, useContext } from 'react'
import type { Texts } from './en.ts'
import { en } from './en.ts'

const TextsContext = createContext<Texts>(en)

export const TextsProvider = TextsContext.Provider

/** The texts in the language of the page. */
export function useTexts(): Texts {
  return useContext(TextsContext)
}
