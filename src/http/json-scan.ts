/** What a JSON text may contain. Parsing costs time and memory per value and per new object shape, not per byte. */
export interface JsonLimits {
  /** Nesting levels of arrays and objects. */
  readonly depth: number
  /** Values, arrays and objects together; a short string counts twice, as the engine keeps a table of those. */
  readonly values: number
  /** Objects' names, each counted once after the same preceding names: the engine makes a hidden class for each. */
  readonly shapes: number
}

/** The limit that a text exceeds. */
export type ExceededLimit = keyof JsonLimits

const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const backslash = 0x5c
const minus = 0x2d
const [openArray, closeArray] = [0x5b, 0x5d]
const [openObject, closeObject] = [0x7b, 0x7d]

/** Characters with the opening quote. */
const shortString = 11

/**
 * The first limit that a JSON text exceeds, found without parsing it. Commas and opening brackets outside of strings are
 * counted as values. A text that is not JSON gets any result: parsing rejects it.
 */
export function exceededLimit(text: string, limits: JsonLimits): ExceededLimit | undefined {
  if (isWithin(text, limits)) return undefined
  const shapes = createShapes()
  let [values, depth] = [0, 0]
  for (let index = 0; index < text.length; index += 1) {
    switch (text.charCodeAt(index)) {
      case quote: {
        const end = endOfString(text, index)
        if (isName(text, end)) {
          if (shapes.add(depth, text, index, end) > limits.shapes) return 'shapes'
        } else if (end - index <= shortString) values += 1
        index = end
        break
      }
      case comma:
        values += 1
        break
      case openArray:
      case openObject:
        values += 1
        depth += 1
        shapes.begin(depth)
        if (depth > limits.depth) return 'depth'
        break
      case closeArray:
      case closeObject:
        depth -= 1
        break
      default:
        continue
    }
    if (values > limits.values) return 'values'
  }
  return undefined
}

const opening = /[[{]/g

/** Whether a text is so short that it cannot exceed a limit: it has no more values and shapes than characters. */
function isWithin(text: string, { depth, values, shapes }: JsonLimits): boolean {
  return text.length <= Math.min(values, shapes) && (text.match(opening)?.length ?? 0) <= depth
}

/** The numbers of a JSON text, as they are written; strings are skipped. */
export function* numbersIn(text: string): Generator<string> {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code === quote) index = endOfString(text, index)
    else if (code === minus || isDigit(code)) {
      const start = index
      while (isInNumber(text.charCodeAt(index + 1))) index += 1
      yield text.slice(start, index + 1)
    }
  }
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

/** A digit, or one of `+-.Ee`. */
function isInNumber(code: number): boolean {
  return isDigit(code) || code === 0x2b || code === minus || code === 0x2e || code === 0x45 || code === 0x65
}

/** The position of the closing quote, or the end of the text. */
function endOfString(text: string, start: number): number {
  let index = start + 1
  for (; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code === quote) return index
    if (code === backslash) index += 1
  }
  return index
}

/** Whether the string that ends there is the name of an attribute. */
function isName(text: string, end: number): boolean {
  let index = end + 1
  while (isSpace(text.charCodeAt(index))) index += 1
  return text.charCodeAt(index) === colon
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}

/** Random, so that an attacker cannot choose names whose hashes collide. */
const seed = Math.floor(Math.random() * 2 ** 32)

/** Counts different sequences of names by their hash; a collision only makes the count smaller. */
function createShapes() {
  const found = new Set<number>()
  const current: number[] = []
  return {
    /** A new object or array begins at this depth. */
    begin(depth: number): void {
      current[depth] = seed
    },
    /** Adds a name to the object at this depth and returns the number of different sequences so far. */
    add(depth: number, text: string, start: number, end: number): number {
      let hash = current[depth] ?? seed
      for (let index = start; index < end; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
      current[depth] = hash
      return found.add(hash).size
    },
  }
}
