/** The strokes of each icon, in a box of 24. */
const paths = {
  overview: 'M4 5h7v8H4zM13 5h7v4h-7zM13 11h7v8h-7zM4 15h7v4H4z',
  directory: 'M4 7a2 2 0 0 1 2-2h4l2 2h6a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2z',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM20 20l-4-4',
  explain: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM9.5 9.5a2.5 2.5 0 1 1 3.4 2.3c-.6.3-.9.8-.9 1.4v.3M12 16.8v.1',
  key: 'M14.5 9.5a4 4 0 1 0-3.6 4L13 15.5h2v2h2v2h3v-3l-5.7-5.7M9 9h.01',
  admin: 'M12 3l7 3v5c0 4.5-3 8-7 10-4-2-7-5.5-7-10V6zM9.5 12l1.8 1.8 3.4-3.6',
  audit: 'M7 4h10a1 1 0 0 1 1 1v15l-3-1.800L12 20l-3-1.800L6 20V5a1 1 0 0 1 1-1zM9 9h6M9 13h4',
  check: 'M5 12.500l4.5 4.500L19 7.5',
  warning: 'M12 4l9 16H3zM12 10v4M12 17v.1',
  cross: 'M6 6l12 12M18 6L6 18',
  pause: 'M9 6v12M15 6v12',
  play: 'M8 5l11 7-11 7z',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3 2',
  user: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM5 20c.8-3.4 3.6-5 7-5s6.2 1.6 7 5',
  group:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM3 19c.6-3 3-4.5 6-4.500s5.4 1.5 6 4.500M16 4.300a3.5 3.5 0 0 1 0 6.400M18 14.900c1.6.7 2.6 2 3 4.1',
  request: 'M4 12h13M12 6l6 6-6 6',
  change: 'M4 20l1-4L16 5l3 3L8 19zM14 7l3 3',
  event: 'M13 3L5 14h6l-1 7 8-11h-6z',
  delivery: 'M3 12l18-8-6 17-4-7zM11 14l10-10',
  hold: 'M7 11V6.500a1.5 1.5 0 0 1 3 0V10M10 10V5a1.5 1.5 0 0 1 3 0v5M13 10V6a1.5 1.5 0 0 1 3 0v6M16 9a1.5 1.5 0 0 1 3 0v5a6 6 0 0 1-6 6h-1c-2.5 0-4-1-5.2-3L4 13.500c-.8-1.4 1-2.6 2-1.500l1 1.2',
  plus: 'M12 5v14M5 12h14',
  copy: 'M9 9h10v11H9zM15 9V4H5v11h4',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.400M17.6 17.600L19 19M19 5l-1.4 1.400M6.4 17.600L5 19',
  moon: 'M20 14.500A8.5 8.5 0 1 1 9.5 4a7 7 0 0 0 10.5 10.500z',
  signOut: 'M14 5H6v14h8M11 12h9M17 9l3 3-3 3',
  refresh: 'M19.5 9A8 8 0 1 0 20 13M20 4v5h-5',
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  empty: 'M4 13l3-8h10l3 8v6H4zM4 13h5l1 2h4l1-2h5',
  chevron: 'M9 6l6 6-6 6',
  external: 'M10 5H5v14h14v-5M14 4h6v6M20 4l-9 9',
  replay: 'M4.5 9A8 8 0 1 1 4 13M4 4v5h5',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10 11v5M14 11v5',
  live: 'M12 13a1 1 0 1 0 0-2 1 1 0 0 0 0 2zM8.5 15.500a5 5 0 0 1 0-7M15.5 8.500a5 5 0 0 1 0 7M5.7 18.300a9 9 0 0 1 0-12.600M18.3 5.700a9 9 0 0 1 0 12.6',
  link: 'M10 14a4 4 0 0 0 6 .5l3-3a4 4 0 0 0-5.7-5.700L12 7M14 10a4 4 0 0 0-6-.5l-3 3a4 4 0 0 0 5.7 5.700L12 17',
  settings: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 9a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM9 19a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  sync: 'M4 11a8 8 0 0 1 14-4l2 2M20 4v5h-5M20 13a8 8 0 0 1-14 4l-2-2M4 20v-5h5',
  minus: 'M6 12h12',
  up: 'M6 15l6-6 6 6',
  down: 'M6 9l6 6 6-6',
} as const

export type IconName = keyof typeof paths

/** A line icon in the colour of the text. Decorative: the text beside it says the same. */
export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      className="icon"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={paths[name]} />
    </svg>
  )
}
