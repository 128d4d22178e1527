import '@mantine/core/styles.css'
import '../ui/style.css'
import { createTheme, localStorageColorSchemeManager, MantineProvider, mergeThemeOverrides } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, StrictMode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { basePath, setErrorTexts } from '../api/http.ts'
import { loadPart } from '../api/loading.ts'
import { createQueryClient } from '../api/queries.ts'
import { en } from '../texts/en.ts'
import { takeStyleNonce } from '../ui/nonce.ts'
import { theme } from '../ui/theme.ts'
import { returnToPage, SignedIn } from './session.tsx'
import { SigningIn } from './signing-in.tsx'

/** Names the close button of notifications. */
const named = createTheme({
  components: { Notification: { defaultProps: { closeButtonProps: { 'aria-label': en.forms.close } } } },
})
/** Needed only once somebody is signed in. */
const loadPages = () => import('./routes.tsx')
const Pages = lazy(async () => ({ default: (await loadPart(loadPages)).Pages }))

setErrorTexts(en)
const root = document.getElementById('root')
const nonce = takeStyleNonce()
const { pathname, search, hash } = window.location
const isBelowBasePath = pathname.toLowerCase().startsWith(`${basePath()}/`.toLowerCase())
// A console that is opened on the service's own port: links, and the cookie of the session, are for the path only.
if (!isBelowBasePath) window.location.replace(basePath() + pathname + search + hash)
else if (root !== null) {
  returnToPage()
  createRoot(root).render(
    <StrictMode>
      <MantineProvider
        theme={mergeThemeOverrides(theme, named)}
        defaultColorScheme="auto"
        colorSchemeManager={localStorageColorSchemeManager({ key: 'rollcall-colours' })}
        getStyleNonce={() => nonce}
      >
        <QueryClientProvider client={createQueryClient()}>
          <SignedIn>
            <Suspense fallback={<SigningIn />}>
              <Pages />
            </Suspense>
          </SignedIn>
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  )
  // While somebody signs in.
  loadPages().catch(() => {})
}
