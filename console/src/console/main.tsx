import '@mantine/core/styles.css'
import '../ui/style.css'
import { createTheme, localStorageColorSchemeManager, MantineProvider, mergeThemeOverrides } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { basePath, setErrorTexts } from '../api/http.ts'
import { createQueryClient } from '../api/queries.ts'
import { en } from '../texts/en.ts'
import { takeStyleNonce } from '../ui/nonce.ts'
import { theme } from '../ui/theme.ts'
import { openRouter } from './routes.tsx'
import { returnToPage, SignedIn } from './session.tsx'

/** Names the close button of notifications. */
const named = createTheme({
  components: { Notification: { defaultProps: { closeButtonProps: { 'aria-label': en.forms.close } } } },
})
function Pages() {
  return <RouterProvider router={openRouter()} />
}

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
            <Pages />
          </SignedIn>
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  )
}
