import type { MantineColorsTuple } from '@mantine/core'

/** Ten shades of a color, light to dark, with the color itself as the seventh: what a theme of Mantine is made of. */
export function colorsFrom(color: string): MantineColorsTuple {
  const shade = (white: number) => mixed(color, '#ffffff', white)
  const dark = (black: number) => mixed(color, '#000000', black)
  return [
    shade(0.93),
    shade(0.84),
    shade(0.68),
    shade(0.52),
    shade(0.36),
    shade(0.18),
    color,
    dark(0.1),
    dark(0.2),
    dark(0.32),
  ]
}

function mixed(color: string, other: string, share: number): string {
  const channels = [1, 3, 5].map((start) => {
    const [from, to] = [color, other].map((hex) => Number.parseInt(hex.slice(start, start + 2), 16))
    return Math.round((from ?? 0) * (1 - share) + (to ?? 0) * share)
  })
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}
