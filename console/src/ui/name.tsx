/**
 * A name that somebody chose: isolated, as its letters may run from right to left, and cut where it is longer than its place;
 * the whole name is in the title, and on the page of what it names.
 */
export function Name({ children }: { readonly children: string }) {
  return (
    <bdi className="name" title={children}>
      {children}
    </bdi>
  )
}
