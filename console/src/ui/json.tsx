import { Copy } from './copy.tsx'

/** JSON to read and to copy. */
export function Json({ value, what }: { readonly value: unknown; readonly what: string }) {
  const text = JSON.stringify(value, null, 2) ?? ''
  return (
    <section className="json" aria-label={what}>
      <div className="json-copy">
        <Copy text={text} what={what} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll, also with the keyboard */}
      <pre tabIndex={0}>{text}</pre>
    </section>
  )
}
