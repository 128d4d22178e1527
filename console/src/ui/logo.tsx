/** The mark of Rollcall: a list that is checked off. */
export function Logo({ size = 26 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false" className="logo">
      <rect width="32" height="32" rx="8" fill="currentColor" />
      <path
        d="M8 10.5l1.8 1.8 3.2-3.6M8 20.5l1.8 1.8 3.2-3.6M17 11h7M17 21h7"
        fill="none"
        stroke="#fff"
        strokeWidth="2.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}
