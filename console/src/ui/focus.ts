import type { RefObject } from 'react'
import { useEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'

/** Returns whether somebody is typing into a field. */
function isTyping(): boolean {
  const focused = document.activeElement
  return focused instanceof HTMLInputElement && focused.value !== ''
}

/** The title of a page, which gets the focus when a link to the page was followed. */
export function useTitleFocus(): RefObject<HTMLHeadingElement | null> {
  const title = useRef<HTMLHeadingElement>(null)
  const isFollowed = useNavigationType() === 'PUSH'
  const { hash } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the page appears
  useEffect(() => {
    if (isFollowed && hash === '' && !isTyping()) title.current?.focus()
  }, [])
  return title
}

/** A section, which gets the focus when a link to it was followed: its id is behind the `#` of the address. */
export function useSectionFocus(id: string | undefined): RefObject<HTMLElement | null> {
  const section = useRef<HTMLElement>(null)
  const { hash, key } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: again when the same link is followed again
  useEffect(() => {
    if (id !== undefined && hash === `#${id}`) section.current?.focus()
  }, [id, hash, key])
  return section
}

/** A form, whose first wrong field gets the focus when the form was refused: again for each new reason. */
export function useProblemFocus<Form extends HTMLElement = HTMLFormElement>(refusal: object | null) {
  const form = useRef<Form>(null)
  useEffect(() => {
    if (refusal !== null) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [refusal])
  return form
}

/** A part of a page, which gets the focus when the link that led to it has disappeared with the previous part. */
export function usePartFocus(): RefObject<HTMLDivElement | null> {
  const part = useRef<HTMLDivElement>(null)
  const isFollowed = useNavigationType() === 'PUSH'
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the part changes
  useEffect(() => {
    if (isFollowed && document.activeElement === document.body) part.current?.focus()
  }, [pathname])
  return part
}
