import '@mantine/core/styles.css'
import '../ui/style.css'
import './portal.css'
import { createTheme, localStorageColorSchemeManager, MantineProvider, mergeThemeOverrides } from '@mantine/core'
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { takeStyleNonce } from '../ui/nonce.ts'
import { theme } from '../ui/theme.ts'
import { colorsFrom } from './colors.ts'
import { firstTexts, page, readState } from './early.ts'
import { Portal } from './portal.tsx'
import { LanguageProvider } from './texts/use-texts.tsx'

/** The page in the colors of the product. */
function Branded({ nonce }: { readonly nonce: string }) {
  const state = useQuery({ queryKey: ['setup'], queryFn: readState, enabled: page.notice === null })
  const { color } = page.portal
  const branded = color ? createTheme({ colors: { brand: colorsFrom(color) }, primaryColor: 'brand' }) : createTheme({})
  return (
    <MantineProvider
      theme={mergeThemeOverrides(theme, branded)}
      defaultColorScheme="auto"
      colorSchemeManager={localStorageColorSchemeManager({ key: 'rollcall-colors' })}
      getStyleNonce={() => nonce}
    >
      <Portal state={state} />
    </MantineProvider>
  )
}

const root = document.getElementById('root')
const nonce = takeStyleNonce()
const client = new QueryClient({
  defaultOptions: {
    queries: { retry: 1, networkMode: 'always', refetchOnReconnect: true, refetchOnWindowFocus: true },
    mutations: { networkMode: 'always' },
  },
})
const first = await firstTexts
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <LanguageProvider first={first}>
          <Branded nonce={nonce} />
        </LanguageProvider>
      </QueryClientProvider>
    </StrictMode>,
  )
}
