import { useTexts } from '../texts/texts.ts'

/** The number of lines of a list that are shown at first: it may have a thousand. */
export const firstLines = 30

interface ShowMoreProps {
  /** The number of lines that are not shown. */
  readonly hidden: number
  readonly onClick: () => void
}

/** The button below the first lines of a list that shows the others; nothing if all are shown. */
export function ShowMore({ hidden, onClick }: ShowMoreProps) {
  const texts = useTexts()
  if (hidden <= 0) return null
  return (
    <button type="button" className="link-button" onClick={onClick}>
      {texts.roles.showMore(hidden)}
    </button>
  )
}
