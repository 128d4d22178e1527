/** The contrast that text needs (WCAG 2.2, 1.4.3), and what it takes to recognize a control (1.4.11). */
const [textContrast, controlContrast] = [4.5, 3]

// The backgrounds of the theme on which the color appears: the least favorable of each appearance.
const lightBackground = '#f1f3f5'
const darkBackground = '#2e2e2e'

/** Ten shades of a color, as a theme of Mantine has them. */
export type Shades = readonly [string, string, string, string, string, string, string, string, string, string]

/**
 * Ten shades of a color, light to dark, with the color itself as the seventh: what a theme of Mantine is made of. Shades
 * that would be hard to read where the theme uses them are made darker or lighter, as little as possible.
 */
export function colorsFrom(color: string): Shades {
  const shade = (white: number) => mixed(color, '#ffffff', white)
  const dark = (black: number) => mixed(color, '#000000', black)
  const [tint, deeperTint] = [shade(0.84), shade(0.68)]
  // In the light appearance: links and filled buttons, then the text of tinted buttons.
  const accent = readable(dark(0.2), lightBackground, textContrast)
  const deepAccent = readable(readable(dark(0.32), tint, textContrast), deeperTint, textContrast)
  return [
    shade(0.93),
    tint,
    deeperTint,
    // In the dark appearance: outlines, links and texts.
    readable(shade(0.52), darkBackground, textContrast),
    readable(shade(0.36), darkBackground, textContrast),
    shade(0.18),
    color,
    // In the dark appearance: filled buttons. Their text is white, as the theme chooses it for the light appearance.
    readable(readable(dark(0.1), '#ffffff', textContrast), '#242424', controlContrast),
    accent,
    deepAccent,
  ]
}

const steps = 50

/** The color, mixed with as much black or white as the contrast with a background needs. */
function readable(color: string, background: string, contrast: number): string {
  const end = luminance(background) > 0.5 ? '#000000' : '#ffffff'
  for (let step = 0; step <= steps; step += 1) {
    const candidate = mixed(color, end, step / steps)
    if (contrastOf(candidate, background) >= contrast) return candidate
  }
  return end
}

/** The contrast of two colors like `#1d4ed8`, from 1 to 21 (WCAG 2.2). */
export function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

/** The relative luminance of a color, from 0 to 1 (WCAG 2.2). */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((channel) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function channelsOf(color: string): number[] {
  return [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16))
}

function mixed(color: string, other: string, share: number): string {
  const others = channelsOf(other)
  const channels = channelsOf(color).map((from, index) => Math.round(from * (1 - share) + (others[index] ?? 0) * share))
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}
