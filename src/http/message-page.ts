import { hash } from 'node:crypto'

export interface PageText {
  readonly title: string
  readonly text: string
}

const style = `
body { margin: 0; background: #f4f5f7; color: #1c2430; font: 17px/1.5 system-ui, sans-serif }
main { max-width: 32rem; margin: 15vh auto 0; padding: 2rem; background: #fff; border-radius: 8px; overflow-wrap: anywhere }
h1 { margin: 0 0 .75rem; font-size: 1.4rem }
p { margin: 0 }
@media (prefers-color-scheme: dark) {
  body { background: #14181f; color: #e6e9ee }
  main { background: #1f2630 }
}
`

/** Allows the inline style only: no script, image, form or framing. */
export const messagePageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
}

/** The page that shows the administrator the result. */
export function messagePage({ title, text }: PageText): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
<p>${escaped(text)}</p>
</main>
</body>
</html>
`
}

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => references[character] ?? '')
}
